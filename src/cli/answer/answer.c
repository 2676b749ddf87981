#include "answer.h"

#include "cli/cli.h"
#include "cli/input/host_memory.h"

#include <inttypes.h>
#include <stdlib.h>

bool answer_open(answer *a) {
    const reduce_options *options = a->options;
    input *data = &a->data;
    const fold_options *asked = &options->fold;
    const input_request request = {.path = options->path,
                                   .type = asked->type_given ? &asked->spec.type : NULL,
                                   .op = describes(options) ? WF_SUM : asked->spec.op,
                                   .limit = asked->n_given ? &asked->n : NULL,
                                   .is_raw = asked->is_raw,
                                   .in_parts = a->ranks != 0};
    if (!input_open(data, &request))
        return false;
    if (asked->bool_op != NULL && !data->is_bool) {
        cli_error("input '%s' holds %s, and --op %s is for bool; write --op %s, which combines bits", options->path,
                  wf_type_name(data->type), asked->bool_op, wf_op_name(asked->spec.op));
        return false;
    }
    char *why = reduce_refusal(options, data->type, &a->of);
    if (why != NULL) {
        cli_error("input '%s': %s", options->path, why);
        free(why);
        return false;
    }
    return true;
}

/* The choice of the first n elements depends on their order, too. */
bool answer_depends_on_order(const answer *a) {
    return describes(a->options) || a->of.info.has_index || wf_op_is_ordered(a->of.spec.op) || a->data.is_part;
}

bool answer_folds_in_place(const answer *a) {
    const input *data = &a->data;
    bool aligned = (uintptr_t)data->elements % wf_type_size(data->type) == 0;
    return !data->swapped && (aligned || !wf_op_is_ordered(a->of.spec.op));
}

/* malloc may promise more than is available. */
void *answer_allocate_copy(const answer *a, size_t count) {
    const input *data = &a->data;
    size_t bytes = count * input_element_bytes(data);
    uint64_t available = memory_of_host();
    void *copy = bytes <= available ? malloc(bytes != 0 ? bytes : 1) : NULL;
    if (copy == NULL)
        cli_error("input '%s' must be copied, since its %s, and the copy needs %zu bytes of host memory, "
                  "but %" PRIu64
                  " are available; take fewer elements with --n, or save the array again in native order",
                  data->path, data->swapped ? "byte order is not this machine's" : "elements are not aligned", bytes,
                  available);
    return copy;
}

const char *answer_accuracy(const answer *a) {
    if (describes(a->options) || !wf_op_accumulates(a->of.spec.op) || !wf_type_is_float(a->data.type))
        return NULL;
    return accuracy_name(a->of.info.accuracy == WF_ACCURACY_EXACT ? WF_ACCURACY_EXACT : WF_ACCURACY_FAST);
}

bool answer_is_bool(const answer *a, wf_type type) {
    return a->data.is_bool && type == WF_U8;
}

value answer_wide(wf_number number) {
    return (value){.u64 = number.u64};
}

value answer_narrow(const answer *a, wf_number number) {
    wf_type type = a->data.type;
    return wf_type_is_float(type) ? value_of_double(type, number.f64) : value_of_bits(type, number.u64);
}
