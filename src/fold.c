/* Folds on the host, one element after the other: the sequential rung, and the last partial results of the others. */
#include "internal.h"

#include <math.h>

/* Sums of integers wrap; C leaves signed overflow undefined, so they are added as unsigned. */
static float add_f32(float a, float b) {
    return a + b;
}
static double add_f64(double a, double b) {
    return a + b;
}
static int32_t add_i32(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
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

#define IDENTITIES(sum, smallest, largest)                                                                             \
    { [WF_SUM] = sum, [WF_MIN] = largest, [WF_MAX] = smallest }
static const float identity_f32[] = IDENTITIES(0.0f, -INFINITY, INFINITY);
static const double identity_f64[] = IDENTITIES(0.0, -(double)INFINITY, (double)INFINITY);
static const int32_t identity_i32[] = IDENTITIES(0, INT32_MIN, INT32_MAX);
static const int64_t identity_i64[] = IDENTITIES(0, INT64_MIN, INT64_MAX);

void wf_identity(wf_type type, wf_op op, void *value) {
    switch (type) {
#define IDENTITY_OF(ENUM, name, ctype)                                                                                 \
    case WF_##ENUM:                                                                                                    \
        *(ctype *)value = identity_##name[op];                                                                         \
        break;
        WF_TYPE_MAP(IDENTITY_OF)
#undef IDENTITY_OF
    case WF_TYPE_COUNT:
        break;
    }
}

#define FOLD_WITH(function, ctype)                                                                                     \
    {                                                                                                                  \
        ctype total = *(ctype *)into;                                                                                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            total = function(total, ((const ctype *)values)[i]);                                                       \
        *(ctype *)into = total;                                                                                        \
        break;                                                                                                         \
    }

void wf_fold(wf_type type, wf_op op, void *into, const void *values, size_t count) {
    switch (type) {
#define FOLD_TYPE(ENUM, name, ctype)                                                                                   \
    case WF_##ENUM:                                                                                                    \
        switch (op) {                                                                                                  \
        case WF_SUM:                                                                                                   \
            FOLD_WITH(add_##name, ctype)                                                                               \
        case WF_MIN:                                                                                                   \
            FOLD_WITH(min_##name, ctype)                                                                               \
        case WF_MAX:                                                                                                   \
            FOLD_WITH(max_##name, ctype)                                                                               \
        case WF_OP_COUNT:                                                                                              \
            break;                                                                                                     \
        }                                                                                                              \
        break;
        WF_TYPE_MAP(FOLD_TYPE)
#undef FOLD_TYPE
    case WF_TYPE_COUNT:
        break;
    }
}
