#include "axis_npy.h"

#include "cli/cli.h"
#include "npy_head.h"
#include "output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

axis_npy axis_npy_of(const axis_answer *a) {
    const axis_plan *plan = &a->plan;
    const wf_reduction_info *info = &a->of.of.info;
    axis_npy file = {.dimensions = plan->dimensions + plan->inner_dimensions};
    memcpy(file.counts, plan->counts, plan->dimensions * sizeof *file.counts);
    memcpy(file.counts + plan->dimensions, plan->inner, plan->inner_dimensions * sizeof *file.counts);
    if (info->has_index != 0)
        npy_dtype_name(WF_I64, false, file.dtype);
    else
        npy_dtype_name(info->result_type, answer_is_bool(&a->of, info->result_type), file.dtype);
    return file;
}

static bool write_indices(const axis_answer *a, FILE *stream) {
    for (uint64_t i = 0; i < a->plan.results; i++) {
        const result r = axis_answer_result(a, i);
        const uint64_t index = result_index(&r); /* NO_INDEX has the bits of -1 */
        if (fwrite(&index, sizeof index, 1, stream) != 1)
            return false;
    }
    return true;
}

static bool write_file(const void *answered, FILE *stream) {
    const axis_answer *a = answered;
    const axis_npy file = axis_npy_of(a);
    const size_t bytes = (size_t)(a->plan.results * a->of.of.info.result_bytes);
    char *descr = cli_text("'%s'", file.dtype);
    const bool has_head = npy_head_write(descr, false, file.counts, file.dimensions, stream);
    free(descr);
    if (!has_head)
        return false;
    return a->of.of.info.has_index != 0 ? write_indices(a, stream) : fwrite(a->results, 1, bytes, stream) == bytes;
}

bool axis_npy_write(const char *path, const axis_answer *a) {
    return output_write(path, write_file, a);
}
