/* The table of reductions: which operators, types, accumulators and accuracies go together. */
#include "reduction_table.h"
#include "algebra.h"
#include "check.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

/* "sum, product and mean": the operators for which a predicate holds. */
typedef struct op_list {
    char text[128];
} op_list;

static op_list ops_that(bool (*are)(wf_op op)) {
    op_list list = {""};
    wf_op last = WF_OP_COUNT;
    for (wf_op op = 0; op < WF_OP_COUNT; op++)
        last = are(op) ? op : last;
    bool any = false;
    for (wf_op op = 0; op < WF_OP_COUNT; op++) {
        if (!are(op))
            continue;
        const size_t length = strlen(list.text);
        snprintf(list.text + length, sizeof list.text - length, "%s%s",
                 !any         ? ""
                 : op == last ? " and "
                              : ", ",
                 wf_op_name(op));
        any = true;
    }
    return list;
}

/* False if there is no such accumulator. */
static bool chosen_accumulator(wf_accumulator accumulator, wf_type *type) {
    static const wf_type types[] = {
        [WF_ACCUMULATE_I32] = WF_I32, [WF_ACCUMULATE_I64] = WF_I64, [WF_ACCUMULATE_U32] = WF_U32,
        [WF_ACCUMULATE_U64] = WF_U64, [WF_ACCUMULATE_F32] = WF_F32, [WF_ACCUMULATE_F64] = WF_F64,
    };
    if ((unsigned)accumulator >= sizeof types / sizeof types[0])
        return false;
    *type = types[accumulator];
    return true;
}

/* Sums of floats whose terms are exact doubles. */
static bool has_exact_sum(wf_type type, wf_op op) {
    const wf_op_facts facts = wf_facts_of_op(op);
    return wf_type_is_float(type) && facts.op_class == WF_CLASS_SUM &&
           !(facts.term == WF_TERM_SQUARE && type == WF_F64);
}

/* The requested accuracy, with WF_ACCURACY_BEST resolved. */
static wf_accuracy accuracy_of(const wf_reduce_spec *spec) {
    if (spec->accuracy != WF_ACCURACY_BEST)
        return spec->accuracy;
    return has_exact_sum(spec->type, spec->op) ? WF_ACCURACY_EXACT : WF_ACCURACY_FAST;
}

static wf_status check_accuracy(const wf_reduce_spec *spec) {
    const char *op = wf_op_name(spec->op), *type = wf_type_name(spec->type);
    if (spec->accuracy == WF_ACCURACY_EXACT && wf_type_is_float(spec->type) && !has_exact_sum(spec->type, spec->op) &&
        !wf_op_is_extreme(spec->op))
        return wf_fail(WF_UNSUPPORTED, "there is no exact %s of %s: %s; use WF_ACCURACY_FAST", op, type,
                       spec->op == WF_SUMSQ ? "f64 does not hold the squares"
                                            : "sum, mean and asum of floats can be exact, and sumsq of up to 4 bytes");
    return WF_OK;
}

static wf_status check_accumulator(const wf_reduce_spec *spec, wf_type *accumulator) {
    const char *op = wf_op_name(spec->op), *type = wf_type_name(spec->type);
    const bool is_exact = accuracy_of(spec) == WF_ACCURACY_EXACT && has_exact_sum(spec->type, spec->op);
    wf_type chosen;
    *accumulator = is_exact ? spec->type : wf_default_accumulator(spec->type, spec->op);
    if (spec->accumulator == WF_ACCUMULATE_DEFAULT)
        return WF_OK;
    if (!chosen_accumulator(spec->accumulator, &chosen))
        return wf_fail(WF_INVALID_ARGUMENT, "unknown accumulator %d: they go from %d (the default) to %d (f64)",
                       (int)spec->accumulator, WF_ACCUMULATE_DEFAULT, WF_ACCUMULATE_F64);
    if (!wf_op_accumulates(spec->op)) {
        if (chosen == *accumulator)
            return WF_OK;
        return wf_fail(WF_UNSUPPORTED, "%s keeps the element's type, %s: only %s have an accumulator", op, type,
                       ops_that(wf_op_accumulates).text);
    }
    const bool same_kind = wf_kind_of(chosen) == wf_kind_of(spec->type) || (spec->op == WF_MEAN && chosen == WF_F64);
    if (!same_kind)
        return wf_fail(WF_UNSUPPORTED, "%s of %s cannot be accumulated in %s, a type of another kind%s", op, type,
                       wf_type_name(chosen), spec->op == WF_MEAN ? "; a mean can in f64" : "");
    if (wf_type_size(chosen) < wf_type_size(spec->type) && !is_exact)
        return wf_fail(WF_UNSUPPORTED, "%s of %s cannot be accumulated in %s, which is narrower", op, type,
                       wf_type_name(chosen));
    if (spec->op == WF_MEAN && wf_kind_of(chosen) != WF_KIND_FLOAT &&
        (wf_type_size(chosen) < 8 || wf_type_size(spec->type) == 8))
        return wf_fail(WF_UNSUPPORTED,
                       "mean of %s in %s would soon wrap: use f64, or i64 or u64 for integers of up to 4 bytes", type,
                       wf_type_name(chosen));
    *accumulator = chosen;
    return WF_OK;
}

wf_status wf_reduction_get_info(const wf_reduce_spec *spec, wf_reduction_info *info) {
    if (spec == NULL || info == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", spec == NULL ? "spec" : "info");
    const char *type = wf_type_name(spec->type), *op = wf_op_name(spec->op);
    wf_status status = wf_check_type(spec->type);
    if (status == WF_OK)
        status = wf_check_reserved("spec", spec->reserved, sizeof spec->reserved / sizeof *spec->reserved);
    if (status != WF_OK)
        return status;
    if (op == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "unknown operator %d: they go from 0 (%s) to %d (%s)", (int)spec->op,
                       wf_op_name((wf_op)0), WF_OP_COUNT - 1, wf_op_name(WF_OP_COUNT - 1));
    if ((unsigned)spec->nan > WF_NAN_IGNORE)
        return wf_fail(WF_INVALID_ARGUMENT, "unknown NaN rule %d: use %d (propagate) or %d (ignore)", (int)spec->nan,
                       WF_NAN_PROPAGATE, WF_NAN_IGNORE);
    if ((unsigned)spec->accuracy > WF_ACCURACY_EXACT)
        return wf_fail(WF_INVALID_ARGUMENT, "unknown accuracy %d: use %d (best), %d (fast) or %d (exact)",
                       (int)spec->accuracy, WF_ACCURACY_BEST, WF_ACCURACY_FAST, WF_ACCURACY_EXACT);
    const bool is_float = wf_type_is_float(spec->type);
    const wf_op_facts facts = wf_facts_of_op(spec->op);
    if (facts.op_class == WF_CLASS_BITWISE && is_float)
        return wf_fail(WF_UNSUPPORTED, "%s of %s: bitwise operators take only integers", op, type);
    if (wf_op_is_ordered(spec->op) && spec->type != WF_I32 && spec->type != WF_F32 && spec->type != WF_F64)
        return wf_fail(WF_UNSUPPORTED, "%s of %s: it takes only i32, f32 and f64", op, type);
    if (spec->nan == WF_NAN_IGNORE && facts.nan != WF_NAN_AS_CHOSEN)
        return wf_fail(WF_UNSUPPORTED, "%s cannot ignore NaN: %s can", op, ops_that(wf_op_may_pass_over_nan).text);
    wf_type accumulator;
    status = check_accuracy(spec);
    if (status == WF_OK)
        status = check_accumulator(spec, &accumulator);
    if (status != WF_OK)
        return status;

    wf_reduction_info found = {.accumulator = accumulator,
                               .accuracy = accuracy_of(spec),
                               .element_bytes = (uint32_t)wf_type_size(spec->type) * facts.scalars,
                               .result_values = facts.values,
                               .has_index = facts.has_index};
    found.result_type = !wf_op_accumulates(spec->op)                            ? spec->type
                        : spec->op == WF_MEAN && !wf_type_is_float(accumulator) ? WF_F64
                                                                                : accumulator;
    found.result_bytes = facts.has_index ? 16 : (uint32_t)wf_type_size(found.result_type) * found.result_values;
    *info = found;
    return WF_OK;
}

bool wf_reduction_is_exact(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    return info->accuracy == WF_ACCURACY_EXACT && has_exact_sum(spec->type, spec->op);
}

bool wf_reduction_is_of_elements(const wf_reduce_spec *spec, const wf_reduction_info *info) {
    const wf_type type = spec->type;
    const wf_op op = spec->op;
    return wf_op_is_ordered(op) ||
           ((op == WF_SUM || op == WF_MIN || op == WF_MAX) && spec->nan == WF_NAN_PROPAGATE &&
            (type == WF_F32 || type == WF_F64 || type == WF_I32 || type == WF_I64) && info->accumulator == type);
}
