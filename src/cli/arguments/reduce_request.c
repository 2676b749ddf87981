#include "reduce_request.h"

#include "cli/cli.h"
#include "parse.h"

bool describes(const reduce_options *options) {
    return options->fold.spec.op == WF_OP_COUNT;
}

wf_type wide_type(wf_type type) {
    return wf_type_is_float(type) ? WF_F64 : wf_type_is_signed(type) ? WF_I64 : WF_U64;
}

/* Programs know their data; here a sum of integers should not wrap by surprise, and reading the file takes longer than
 * adding in 64 bits. So the default is the widest accumulator, as for the mean of integers. */
static wf_accumulator default_accumulator(wf_type type, wf_op op) {
    if (!wf_op_accumulates(op) || (op == WF_MEAN && !wf_type_is_float(type)))
        return WF_ACCUMULATE_DEFAULT;
    wf_type wide = wide_type(type);
    return wide == WF_F64 ? WF_ACCUMULATE_F64 : wide == WF_I64 ? WF_ACCUMULATE_I64 : WF_ACCUMULATE_U64;
}

bool has_sum_state(wf_type type, wf_op op) {
    const wf_reduce_spec spec = {.type = type, .op = op, .accuracy = WF_ACCURACY_EXACT};
    fold of;
    return fold_of(&spec, &of) == WF_OK && wf_type_is_float(type) && wf_facts_of_op(op).op_class == WF_CLASS_SUM;
}

const char *reduced_name(const reduce_options *options) {
    if (describes(options))
        return DESCRIBE;
    return options->fold.bool_op != NULL ? options->fold.bool_op : wf_op_name(options->fold.spec.op);
}

/* describe is not in the table of reductions: argmin, a part of it, has the same support. A state is rounded to an
 * exact sum. */
static wf_status find_fold(const reduce_options *options, wf_type type, fold *of) {
    wf_reduce_spec spec = options->fold.spec;
    spec.type = type;
    if (options->fold.state_path != NULL)
        spec.accuracy = WF_ACCURACY_EXACT;
    if (describes(options))
        spec.op = WF_ARGMIN;
    else if (spec.accumulator == WF_ACCUMULATE_DEFAULT)
        spec.accumulator = default_accumulator(type, spec.op);
    return fold_of(&spec, of);
}

char *reduce_refusal(const reduce_options *options, wf_type type, fold *of) {
    const bool is_exact = has_sum_state(type, options->fold.spec.op);
    if (options->fold.state_path != NULL && !is_exact)
        return cli_text("%s of %s has no state: --state is for " EXACT_SUMS "; leave it out", reduced_name(options),
                        wf_type_name(type));
    reduce_options fast = *options;
    fast.fold.spec.accuracy = WF_ACCURACY_FAST;
    const bool is_only_fast = !is_exact && find_fold(&fast, type, of) == WF_OK;
    if (find_fold(options, type, of) == WF_OK)
        return NULL;
    if (is_only_fast)
        return cli_text("there is no exact %s of %s: --accuracy exact is for " EXACT_SUMS "; write --accuracy fast",
                        reduced_name(options), wf_type_name(type));
    return cli_text("%s; see wavefold operators", wf_last_error());
}
