#include "check_second.h"

#include "algebra.h"
#include "check.h"
#include "status.h"

wf_status wf_check_second(const wf_second *second) {
    if (second->kind != WF_WEIGHTS && second->kind != WF_MASK)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'second' has the kind %d, which is no wf_second_kind: use WF_WEIGHTS or WF_MASK",
                       (int)second->kind);
    return wf_check_reserved("second", second->reserved, sizeof second->reserved / sizeof *second->reserved);
}

wf_status wf_check_op_of_second(const wf_reduce_spec *spec, const wf_second *second) {
    const char *const op = wf_op_name(spec->op), *const type = wf_type_name(spec->type);
    if (second->kind == WF_MASK && wf_op_is_ordered(spec->op))
        return wf_fail(WF_UNSUPPORTED, "%s of %s takes no mask: operators that commute do", op, type);
    if (second->kind == WF_MASK)
        return WF_OK;
    if (spec->op == WF_MEAN)
        return wf_fail(WF_UNSUPPORTED,
                       "mean of %s takes no weights: reduce the sum, and divide it by the sum of the weights", type);
    if (spec->op != WF_SUM)
        return wf_fail(WF_UNSUPPORTED, "%s of %s takes no weights: only sum does", op, type);
    if (spec->type == WF_F64 && spec->accuracy == WF_ACCURACY_EXACT)
        return wf_fail(WF_UNSUPPORTED,
                       "an exact sum of products of f64 does not exist: f64 does not hold the products; "
                       "use WF_ACCURACY_BEST");
    return WF_OK;
}
