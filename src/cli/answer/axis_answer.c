#include "axis_answer.h"

#include "axis_pieces.h"
#include "cli/arguments/number.h"
#include "cli/cli.h"
#include "cli/input/bool_check.h"
#include "cli/input/c_order.h"
#include "cli/input/host_memory.h"
#include "cli/output/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Allocation may promise more than is available. */
static bool allocate_results(axis_answer *a) {
    uint64_t bytes;
    const uint64_t results = a->plan.results, available = memory_of_host();
    const bool fits = number_multiply(results, a->of.of.info.result_bytes, &bytes) && bytes <= available;
    a->results = fits ? calloc(bytes != 0 ? (size_t)bytes : 1, 1) : NULL;
    if (a->results == NULL)
        cli_error("input '%s': the %" PRIu64 " results of %u bytes need more host memory than the %" PRIu64
                  " bytes that are available; reduce more dimensions, or a part of the array",
                  a->of.data.path, results, a->of.of.info.result_bytes, available);
    return a->results != NULL;
}

bool axis_answer_open(axis_answer *a) {
    return answer_open(&a->of) && axis_plan_of(&a->plan, &a->of) && allocate_results(a);
}

/* The elements in the mapped file, or a copy that the caller frees: aligned, and in this machine's byte order. Elements
 * of matmul and affine need C order, where their numbers stand together. */
static bool get_elements(axis_answer *a, const void **elements, void **copy) {
    input *data = &a->of.data;
    if ((data->scalars > 1 && !input_make_c_order(data)) || !input_check_bools(data, 0, data->count))
        return false;
    *elements = data->elements;
    if (data->count == 0 || (!data->swapped && (uintptr_t)data->elements % wf_type_size(data->type) == 0))
        return true;
    *copy = answer_allocate_copy(&a->of, (size_t)data->count);
    if (*copy != NULL)
        *elements = input_chunk(data, 0, (size_t)data->count, *copy);
    return *copy != NULL;
}

bool axis_answer_reduce(axis_answer *a, wf_context *context) {
    const void *elements;
    void *copy = NULL;
    if (!get_elements(a, &elements, &copy))
        return false;
    const double start = progress_now();
    wf_status status = wf_context_get_device(context, &a->of.device);
    if (status == WF_OK)
        status = axis_pieces_reduce(&a->of, &a->plan, context, elements, a->results);
    a->of.seconds = progress_now() - start;
    if (status != WF_OK)
        cli_error("input '%s': %s", a->of.data.path, wf_last_error());
    free(copy);
    return status == WF_OK;
}

void axis_answer_close(axis_answer *a) {
    free(a->results);
    a->results = NULL;
    input_close(&a->of.data);
}

result axis_answer_result(const axis_answer *a, uint64_t i) {
    const size_t bytes = a->of.of.info.result_bytes;
    result r = {.words = {0}};
    memcpy(r.bytes, a->results + i * bytes, bytes);
    return r;
}
