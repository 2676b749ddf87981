/* Sequential reductions on the host: every reduction of the table. */
#include "algebra.h"
#include "reduction_table.h"
#include "sequential.h"
#include "widened.h"

#include <math.h>
#include <string.h>

/* Stores the low bytes: the library supports only little-endian machines. */
static void put(wf_type type, void *result, uint64_t bits) {
    memcpy(result, &bits, wf_type_size(type));
}

/* ---- Sums and products ---- */

static uint64_t fold_integers(const wf_reduce_spec *spec, const void *values, size_t count) {
    const wf_op_facts facts = wf_facts_of_op(spec->op);
    const bool multiplies = facts.op_class == WF_CLASS_PRODUCT, has_sign = wf_type_is_signed(spec->type);
    uint64_t total = multiplies;
    for (size_t i = 0; i < count; i++) {
        const uint64_t element = wf_number_at(spec->type, values, i).u64;
        total = multiplies ? total * element : total + wf_term_u64(facts.term, element, has_sign && element >> 63);
    }
    return total;
}

static float fold_f32(const wf_reduce_spec *spec, const void *values, size_t count) {
    const wf_op_facts facts = wf_facts_of_op(spec->op);
    const bool multiplies = facts.op_class == WF_CLASS_PRODUCT;
    float total = multiplies ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const float element = (float)wf_number_to_double(spec->type, wf_number_at(spec->type, values, i));
        total = multiplies ? total * element : total + wf_term_f32(facts.term, element, element < 0);
    }
    return total;
}

static double fold_f64(const wf_reduce_spec *spec, const void *values, size_t count) {
    const wf_op_facts facts = wf_facts_of_op(spec->op);
    const bool multiplies = facts.op_class == WF_CLASS_PRODUCT;
    double total = multiplies ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const double element = wf_number_to_double(spec->type, wf_number_at(spec->type, values, i));
        total = multiplies ? total * element : total + wf_term_f64(facts.term, element, element < 0);
    }
    return total;
}

static void accumulate(const wf_reduce_spec *spec, wf_type accumulator, const void *values, size_t count,
                       void *result) {
    const bool averages = spec->op == WF_MEAN;
    if (accumulator == WF_F32) {
        const float total = fold_f32(spec, values, count);
        const float finished = averages ? (float)((double)total / (double)count) : total;
        memcpy(result, &finished, sizeof finished);
    } else if (accumulator == WF_F64) {
        const double total = fold_f64(spec, values, count);
        const double finished = averages ? total / (double)count : total;
        memcpy(result, &finished, sizeof finished);
    } else {
        const uint64_t total = fold_integers(spec, values, count);
        const double mean = (wf_type_is_signed(accumulator) ? (double)(int64_t)total : (double)total) / (double)count;
        if (averages)
            memcpy(result, &mean, sizeof mean);
        else
            put(accumulator, result, total);
    }
}

/* ---- Bits ---- */

static void fold_bits(const wf_reduce_spec *spec, const void *values, size_t count, void *result) {
    uint64_t total = spec->op == WF_AND ? UINT64_MAX : 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t element = wf_number_at(spec->type, values, i).u64;
        total = spec->op == WF_AND ? total & element : spec->op == WF_OR ? total | element : total ^ element;
    }
    put(spec->type, result, total);
}

/* ---- Extremes ---- */

/* An unsigned key with the order of the elements; -0 is less than +0. */
static uint64_t rank_of(wf_type type, const void *values, size_t i) {
    const uint64_t sign = UINT64_C(1) << 63;
    const uint64_t bits = wf_number_at(type, values, i).u64;
    switch (wf_kind_of(type)) {
    case WF_KIND_SIGNED:
        return bits ^ sign;
    case WF_KIND_UNSIGNED:
        return bits;
    case WF_KIND_FLOAT:
        break;
    }
    return bits & sign ? ~bits : bits | sign;
}

static bool is_nan(wf_type type, const void *values, size_t i) {
    return wf_type_is_float(type) && isnan(wf_number_at(type, values, i).f64);
}

/* The lowest index of the least (want_least) or largest element, or of the first NaN if NaN propagates; SIZE_MAX if
 * there is none. */
static size_t find_extreme(const wf_reduce_spec *spec, bool want_least, const void *values, size_t count) {
    size_t found = SIZE_MAX;
    uint64_t found_rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_nan(spec->type, values, i)) {
            if (spec->nan == WF_NAN_PROPAGATE)
                return i;
            continue;
        }
        const uint64_t rank = rank_of(spec->type, values, i);
        if (found == SIZE_MAX || (want_least ? rank < found_rank : rank > found_rank)) {
            found = i;
            found_rank = rank;
        }
    }
    return found;
}

/* Stores value i of the result, which was set to the identity. */
static void put_extreme(const wf_reduce_spec *spec, bool want_least, const void *values, size_t count,
                        wf_result *result, size_t i) {
    const size_t size = wf_type_size(spec->type);
    const size_t at = find_extreme(spec, want_least, values, count);
    if (at == SIZE_MAX)
        return;
    memcpy((char *)result + i * size, (const char *)values + at * size, size);
    if (wf_facts_of_op(spec->op).has_index)
        result->words[1] = at;
}

static void fold_extremes(const wf_reduce_spec *spec, const void *values, size_t count, wf_result *result) {
    const bool largest_first = wf_facts_of_op(spec->op).identity == WF_IDENTITY_LEAST;
    put_extreme(spec, !largest_first, values, count, result, 0);
    if (wf_facts_of_op(spec->op).values == 2)
        put_extreme(spec, false, values, count, result, 1);
}

/* ---- All operators ---- */

__attribute__((noinline)) static void fold_wide(const wf_reduce_spec *spec, const wf_reduction_info *info,
                                                const void *values, size_t count, wf_result *result) {
    switch (wf_facts_of_op(spec->op).op_class) {
    case WF_CLASS_SUM:
    case WF_CLASS_PRODUCT:
        accumulate(spec, info->accumulator, values, count, result);
        break;
    case WF_CLASS_BITWISE:
        fold_bits(spec, values, count, result);
        break;
    case WF_CLASS_EXTREME:
        fold_extremes(spec, values, count, result);
        break;
    case WF_CLASS_ORDERED: /* wf_fold reduces these */
        break;
    }
}

void wf_fold_all(const wf_reduce_spec *spec, const wf_reduction_info *info, const void *values, size_t count,
                 wf_result *result) {
    wf_put_identity(spec, info, result);
    if (count == 0)
        return;
    if (wf_reduction_is_of_elements(spec, info))
        wf_fold(spec->type, spec->op, result, values, count);
    else
        fold_wide(spec, info, values, count, result);
}
