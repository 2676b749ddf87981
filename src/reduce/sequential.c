/* Sequential reductions on the host that combine values of the element's type: for the sequential rung, and for the
 * partial results of other rungs. sequential_wide.c has all other reductions. */
#include "sequential.h"
#include "default_environment.h"

#include <math.h>

/* Integers wrap: they are added and multiplied as unsigned, since signed overflow is undefined in C. */
#define FLOAT_ARITHMETIC(name, ctype)                                                                                  \
    static ctype add_##name(ctype a, ctype b) {                                                                        \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    static ctype multiply_##name(ctype a, ctype b) {                                                                   \
        return a * b;                                                                                                  \
    }
FLOAT_ARITHMETIC(f32, float)
FLOAT_ARITHMETIC(f64, double)

static int32_t add_i32(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}
static int32_t multiply_i32(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a * (uint32_t)b);
}
static int64_t add_i64(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* IEEE 754-2019's minimum and maximum: NaN wins, and -0 < +0. */
#define FLOAT_EXTREMA(name, ctype)                                                                                     \
    static ctype min_##name(ctype a, ctype b) {                                                                        \
        if (isnan(a) || isnan(b))                                                                                      \
            return a + b;                                                                                              \
        return a < b || (a == b && signbit(a)) ? a : b;                                                                \
    }                                                                                                                  \
    static ctype max_##name(ctype a, ctype b) {                                                                        \
        if (isnan(a) || isnan(b))                                                                                      \
            return a + b;                                                                                              \
        return a > b || (a == b && !signbit(a)) ? a : b;                                                               \
    }
FLOAT_EXTREMA(f32, float)
FLOAT_EXTREMA(f64, double)

#define INTEGER_EXTREMA(name, ctype)                                                                                   \
    static ctype min_##name(ctype a, ctype b) {                                                                        \
        return a < b ? a : b;                                                                                          \
    }                                                                                                                  \
    static ctype max_##name(ctype a, ctype b) {                                                                        \
        return a > b ? a : b;                                                                                          \
    }
INTEGER_EXTREMA(i32, int32_t)
INTEGER_EXTREMA(i64, int64_t)

/* *into = *into op values[0] op ..., in this order. */
#define FOLD(name, op, ctype)                                                                                          \
    static void fold_##op##_##name(void *into, const void *values, size_t count) {                                     \
        ctype total = *(ctype *)into;                                                                                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            total = op##_##name(total, ((const ctype *)values)[i]);                                                    \
        *(ctype *)into = total;                                                                                        \
    }
#define FOLDS(name, ctype) FOLD(name, add, ctype) FOLD(name, min, ctype) FOLD(name, max, ctype)
FOLDS(f32, float)
FOLDS(f64, double)
FOLDS(i32, int32_t)
FOLDS(i64, int64_t)

/* Matrices are stored as a, b, c, d; maps x -> a x + b as a, b. */
#define ORDERED_FOLDS(name, ctype)                                                                                     \
    static void fold_matmul_##name(void *into, const void *values, size_t count) {                                     \
        ctype *const left = into;                                                                                      \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const ctype a = left[0], b = left[1], c = left[2], d = left[3], *m = (const ctype *)values + 4 * i;        \
            left[0] = add_##name(multiply_##name(a, m[0]), multiply_##name(b, m[2]));                                  \
            left[1] = add_##name(multiply_##name(a, m[1]), multiply_##name(b, m[3]));                                  \
            left[2] = add_##name(multiply_##name(c, m[0]), multiply_##name(d, m[2]));                                  \
            left[3] = add_##name(multiply_##name(c, m[1]), multiply_##name(d, m[3]));                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static void fold_affine_##name(void *into, const void *values, size_t count) {                                     \
        ctype *const first = into;                                                                                     \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const ctype *then = (const ctype *)values + 2 * i;                                                         \
            first[1] = add_##name(multiply_##name(then[0], first[1]), then[1]);                                        \
            first[0] = multiply_##name(then[0], first[0]);                                                             \
        }                                                                                                              \
    }
ORDERED_FOLDS(f32, float)
ORDERED_FOLDS(f64, double)
ORDERED_FOLDS(i32, int32_t)

typedef void fold_function(void *into, const void *values, size_t count);

#define CORE(name) [WF_SUM] = fold_add_##name, [WF_MIN] = fold_min_##name, [WF_MAX] = fold_max_##name
#define ORDERED(name) [WF_MATMUL] = fold_matmul_##name, [WF_AFFINE] = fold_affine_##name
static fold_function *const folds[WF_TYPE_COUNT][WF_OP_COUNT] = {
    [WF_F32] = {CORE(f32), ORDERED(f32)},
    [WF_F64] = {CORE(f64), ORDERED(f64)},
    [WF_I32] = {CORE(i32), ORDERED(i32)},
    [WF_I64] = {CORE(i64)},
};

void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count) {
    const fenv_t before = wf_enter_default_environment();
    folds[type][op](into, values, count);
    fesetenv(&before);
}
