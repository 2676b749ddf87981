#include "reference.h"

#include <math.h>

/* wavefold.h: any NaN makes the result NaN, and -0 is less than +0. One NaN met stays: nothing is less or greater. */
static bool float_precedes(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    return a < b || (a == b && signbit(a) && !signbit(b));
}

static bool float_follows(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    return float_precedes(b, a);
}

static value identity(wf_type type, wf_op op) {
    value v = {.i64 = 0};
    if (op == WF_SUM)
        return v;
    switch (type) {
    case WF_F32:
        v.f32 = op == WF_MIN ? INFINITY : -INFINITY;
        break;
    case WF_F64:
        v.f64 = op == WF_MIN ? (double)INFINITY : -(double)INFINITY;
        break;
    case WF_I32:
        v.i32 = op == WF_MIN ? INT32_MAX : INT32_MIN;
        break;
    default:
        v.i64 = op == WF_MIN ? INT64_MAX : INT64_MIN;
        break;
    }
    return v;
}

void reference_begin(reference *fold, wf_type type, wf_op op) {
    *fold = (reference){.type = type, .op = op, .folded = identity(type, op)};
}

#define FOLD_EXTREME(member, precedes, follows)                                                                        \
    for (size_t i = 0; i < count; ++i)                                                                                 \
        if (fold->op == WF_MIN ? precedes(member[i], fold->folded.member) : follows(member[i], fold->folded.member))   \
            fold->folded.member = member[i];

#define INTEGER_PRECEDES(a, b) ((a) < (b))
#define INTEGER_FOLLOWS(a, b) ((a) > (b))

static void add_f32(reference *fold, const float *f32, size_t count) {
    if (fold->op == WF_SUM) {
        exact_sum_add_f32(&fold->sum, f32, count);
        return;
    }
    FOLD_EXTREME(f32, float_precedes, float_follows)
}

static void add_f64(reference *fold, const double *f64, size_t count) {
    if (fold->op == WF_SUM) {
        exact_sum_add_f64(&fold->sum, f64, count);
        return;
    }
    FOLD_EXTREME(f64, float_precedes, float_follows)
}

static void add_i32(reference *fold, const int32_t *i32, size_t count) {
    if (fold->op == WF_SUM) {
        for (size_t i = 0; i < count; ++i)
            fold->folded.i32 = (int32_t)((uint32_t)fold->folded.i32 + (uint32_t)i32[i]);
        return;
    }
    FOLD_EXTREME(i32, INTEGER_PRECEDES, INTEGER_FOLLOWS)
}

static void add_i64(reference *fold, const int64_t *i64, size_t count) {
    if (fold->op == WF_SUM) {
        for (size_t i = 0; i < count; ++i)
            fold->folded.i64 = (int64_t)((uint64_t)fold->folded.i64 + (uint64_t)i64[i]);
        return;
    }
    FOLD_EXTREME(i64, INTEGER_PRECEDES, INTEGER_FOLLOWS)
}

void reference_add(reference *fold, const void *elements, size_t count) {
    switch (fold->type) {
    case WF_F32:
        add_f32(fold, elements, count);
        break;
    case WF_F64:
        add_f64(fold, elements, count);
        break;
    case WF_I32:
        add_i32(fold, elements, count);
        break;
    default:
        add_i64(fold, elements, count);
        break;
    }
}

value reference_value(const reference *fold) {
    value v = fold->folded;
    if (fold->op == WF_SUM && fold->type == WF_F32)
        v.f32 = exact_sum_f32(&fold->sum);
    else if (fold->op == WF_SUM && fold->type == WF_F64)
        v.f64 = exact_sum_f64(&fold->sum);
    return v;
}
