#include "axis_npy.h"

#include "cli/cli.h"
#include "output_file.h"
#include "shape_text.h"
#include "terminal.h"

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

bool axis_npy_check(const char *path) {
    if (output_is_stdout(path) && terminal_is(stdout)) {
        cli_error("--output - writes binary data, and standard output is a terminal; give a file, or a pipe");
        return false;
    }
    return output_check(path);
}

/* Padded with blanks, so that the elements begin at a multiple of 64 bytes. */
static bool write_header(const axis_npy *file, FILE *stream) {
    enum { ALIGNMENT = 64, BEFORE = 10 /* magic bytes, version, length */ };
    char *shape = shape_text(file->counts, file->dimensions);
    char *text = cli_text("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", file->dtype, shape);
    const size_t used = strlen(text) + 1, length = used + (ALIGNMENT - (BEFORE + used) % ALIGNMENT) % ALIGNMENT;
    const unsigned char before[BEFORE] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, length & 0xff, length >> 8 & 0xff};
    const bool written = fwrite(before, 1, sizeof before, stream) == sizeof before &&
                         fprintf(stream, "%s%*s\n", text, (int)(length - used), "") == (int)length;
    free(text);
    free(shape);
    return written;
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
    if (!write_header(&file, stream))
        return false;
    return a->of.of.info.has_index != 0 ? write_indices(a, stream) : fwrite(a->results, 1, bytes, stream) == bytes;
}

bool axis_npy_write(const char *path, const axis_answer *a) {
    return output_write(path, write_file, a);
}
