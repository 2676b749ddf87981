/* Folds on the host, one element after the other: the sequential rung, and the last partial results of the others. The
 * reductions that every rung takes; sequential_wide.c has the rest. */
#include "internal.h"

#include <math.h>

/* Integers wrap; C leaves signed overflow undefined, so they are added and multiplied as unsigned. */
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

/* *into = *into op values[0] op ..., one element after the other. */
#define FOLD(name, op, ctype)                                                                                          \
    static void fold_##op##_##name(ctype *into, const ctype *values, size_t count) {                                   \
        ctype total = *into;                                                                                           \
        for (size_t i = 0; i < count; i++)                                                                             \
            total = op##_##name(total, values[i]);                                                                     \
        *into = total;                                                                                                 \
    }
#define FOLDS(name, ctype) FOLD(name, add, ctype) FOLD(name, min, ctype) FOLD(name, max, ctype)
FOLDS(f32, float)
FOLDS(f64, double)
FOLDS(i32, int32_t)
FOLDS(i64, int64_t)

/* wavefold.h: matrices are stored a, b, c, d, maps x -> a x + b as a, b. */
#define ORDERED_FOLDS(name, ctype)                                                                                     \
    static void fold_matmul_##name(ctype into[4], const ctype *values, size_t count) {                                 \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const ctype a = into[0], b = into[1], c = into[2], d = into[3], *m = values + 4 * i;                       \
            into[0] = add_##name(multiply_##name(a, m[0]), multiply_##name(b, m[2]));                                  \
            into[1] = add_##name(multiply_##name(a, m[1]), multiply_##name(b, m[3]));                                  \
            into[2] = add_##name(multiply_##name(c, m[0]), multiply_##name(d, m[2]));                                  \
            into[3] = add_##name(multiply_##name(c, m[1]), multiply_##name(d, m[3]));                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static void fold_affine_##name(ctype into[2], const ctype *values, size_t count) {                                 \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const ctype *then = values + 2 * i;                                                                        \
            into[1] = add_##name(multiply_##name(then[0], into[1]), then[1]);                                          \
            into[0] = multiply_##name(then[0], into[0]);                                                               \
        }                                                                                                              \
    }
ORDERED_FOLDS(f32, float)
ORDERED_FOLDS(f64, double)
ORDERED_FOLDS(i32, int32_t)

#define CASES(name)                                                                                                    \
    case WF_SUM:                                                                                                       \
        fold_add_##name(into, values, count);                                                                          \
        break;                                                                                                         \
    case WF_MIN:                                                                                                       \
        fold_min_##name(into, values, count);                                                                          \
        break;                                                                                                         \
    case WF_MAX:                                                                                                       \
        fold_max_##name(into, values, count);                                                                          \
        break;
#define ORDERED_CASES(name)                                                                                            \
    case WF_MATMUL:                                                                                                    \
        fold_matmul_##name(into, values, count);                                                                       \
        break;                                                                                                         \
    case WF_AFFINE:                                                                                                    \
        fold_affine_##name(into, values, count);                                                                       \
        break;

void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count) {
    if (type == WF_F32)
        switch (op) {
            CASES(f32)
            ORDERED_CASES(f32)
        default:
            break;
        }
    else if (type == WF_F64)
        switch (op) {
            CASES(f64)
            ORDERED_CASES(f64)
        default:
            break;
        }
    else if (type == WF_I32)
        switch (op) {
            CASES(i32)
            ORDERED_CASES(i32)
        default:
            break;
        }
    else
        switch (op) {
            CASES(i64)
        default:
            break;
        }
}
