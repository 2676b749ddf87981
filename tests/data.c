#include "data.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS, EXACT = WEIGHTS, SIGNED, NOT_A_NUMBER, INFINITE, BOTH_INFINITE, ZEROS, SUBNORMAL, FLOAT_KINDS };

static const char *const float_names[] = {"exact",           "signed",       "NaN",      "infinite",
                                          "both infinities", "signed zeros", "subnormal"};

/* splitmix64's finaliser. */
uint64_t data_hash(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool is_float(wf_type type) {
    return type == WF_F32 || type == WF_F64;
}

size_t data_kinds(wf_type type) {
    return is_float(type) ? FLOAT_KINDS : 1;
}

/* The float of kind number kind at position i. */
static double float_value(wf_type type, size_t kind, size_t i, size_t count, uint64_t seed) {
    const uint64_t random = data_hash(seed ^ (i * 2 + 1));
    const size_t special = count ? data_hash(seed) % count : 0;
    const double uniform = (double)(int64_t)random * 0x1p-63; /* in [-1, 1] */
    switch (kind) {
    case EXACT: {
        /* Integers so small that no partial sum needs more bits than the type has, whatever the order. */
        const double limit = (type == WF_F32 ? 0x1p24 : 0x1p53) / (double)(count ? count : 1);
        return trunc(uniform * limit);
    }
    case NOT_A_NUMBER:
        return i == special ? (double)NAN : uniform;
    case INFINITE:
        return i == special ? (seed % 2 ? (double)INFINITY : -(double)INFINITY) : uniform;
    case BOTH_INFINITE:
        return i == special ? (double)INFINITY : i == (special + 1) % count ? -(double)INFINITY : uniform;
    case ZEROS:
        return i == special ? 0.0 : -0.0;
    case SUBNORMAL: /* whole multiples of the smallest one: their sums are exact */
        return trunc(uniform * 100) * (type == WF_F32 ? 0x1p-149 : 0x1p-1074);
    default:
        return uniform;
    }
}

dataset data_make(wf_type type, size_t kind, size_t count, uint64_t seed) {
    dataset data = {.name = is_float(type) ? float_names[kind] : "weights", .type = type, .kind = kind, .count = count};
    data.values = malloc(count * wf_type_size(type) + 1);
    if (data.values == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = data_hash(seed ^ (i * 2 + 1));
        switch (type) {
        case WF_F32:
            ((float *)data.values)[i] = (float)float_value(type, kind, i, count, seed);
            break;
        case WF_F64:
            ((double *)data.values)[i] = float_value(type, kind, i, count, seed);
            break;
        case WF_I32:
            ((uint32_t *)data.values)[i] = (uint32_t)random;
            break;
        case WF_I64:
            ((uint64_t *)data.values)[i] = random;
            break;
        default:
            abort();
        }
    }
    return data;
}

void data_free(dataset *data) {
    free(data->values);
    data->values = NULL;
}

static double float_at(const dataset *data, const void *values, size_t i) {
    return data->type == WF_F32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static int64_t integer_at(const dataset *data, const void *values, size_t i) {
    return data->type == WF_I32 ? ((const int32_t *)values)[i] : ((const int64_t *)values)[i];
}

static bool integers_agree(const dataset *data, wf_op op, const void *result, char *difference, size_t capacity) {
    int64_t expected = 0;
    if (op == WF_MIN)
        expected = data->type == WF_I32 ? INT32_MAX : INT64_MAX;
    if (op == WF_MAX)
        expected = data->type == WF_I32 ? INT32_MIN : INT64_MIN;
    for (size_t i = 0; i < data->count; i++) {
        const int64_t value = integer_at(data, data->values, i);
        if (op == WF_SUM)
            expected = (int64_t)((uint64_t)expected + (uint64_t)value);
        else if (op == WF_MIN ? value < expected : value > expected)
            expected = value;
    }
    if (data->type == WF_I32)
        expected = (int32_t)(uint32_t)(uint64_t)expected;
    const int64_t got = integer_at(data, result, 0);
    snprintf(difference, capacity, "expected %lld, got %lld", (long long)expected, (long long)got);
    return got == expected;
}

/* The same number, the same zero, or both NaN. */
static bool same_float(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static bool extrema_agree(const dataset *data, wf_op op, double got, char *difference, size_t capacity) {
    double expected = op == WF_MIN ? (double)INFINITY : -(double)INFINITY;
    for (size_t i = 0; i < data->count; i++) {
        const double value = float_at(data, data->values, i);
        if (isnan(value) || isnan(expected))
            expected = (double)NAN;
        else if (value == expected ? signbit(value) == (op == WF_MIN ? 1 : 0) || !signbit(value) == (op == WF_MAX)
                                   : (op == WF_MIN ? value < expected : value > expected))
            expected = value;
    }
    snprintf(difference, capacity, "expected %a, got %a", expected, got);
    return same_float(got, expected);
}

static bool sums_agree(const dataset *data, double got, const wf_rung_report *report, char *difference,
                       size_t capacity) {
    /* Twice the precision of the terms (80-bit extended) is not exact, but its own error is part of the bound. */
    long double sum = 0, magnitude = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double value = float_at(data, data->values, i);
        sum += (long double)value;
        magnitude += fabsl((long double)value);
    }
    if (!isfinite((double)sum)) {
        snprintf(difference, capacity, "expected %Lg, got %g", sum, got);
        return isnan(sum) ? isnan(got) : got == (double)sum;
    }
    long double bound = 0;
    if (data->kind == SIGNED) {
        const long double unit = data->type == WF_F32 ? 0x1p-24L : 0x1p-53L;
        const long double terms = (long double)report->depth * unit;
        bound = terms < 1 ? terms / (1 - terms) * magnitude : (long double)INFINITY;
        bound += (long double)data->count * 0x1p-64L * magnitude;
    }
    if (data->type == WF_F32)
        bound += 3 * 0x1p-126L * (long double)report->flushes;
    const long double error = fabsl((long double)got - sum);
    snprintf(difference, capacity, "expected %.20Lg, got %.17g: error %Lg, bound %Lg", sum, got, error, bound);
    return error <= bound;
}

bool data_agrees(const dataset *data, wf_op op, const void *result, const wf_rung_report *report, char *difference,
                 size_t capacity) {
    if (!is_float(data->type))
        return integers_agree(data, op, result, difference, capacity);
    const double got = float_at(data, result, 0);
    return op == WF_SUM ? sums_agree(data, got, report, difference, capacity)
                        : extrema_agree(data, op, got, difference, capacity);
}
