#include "reference.h"

#include "widen.h"

#include <math.h>

/* Numbers that are widened at a time; a multiple of the numbers in any element. */
enum { BLOCK = 2048 };

static wf_op_class class_of(const reference *exact) {
    return wf_facts_of_op(exact->of.spec.op).op_class;
}

bool reference_rounds(const reference *exact) {
    wf_op op = exact->of.spec.op;
    return (wf_op_accumulates(op) || wf_op_is_ordered(op)) && wf_type_is_float(exact->of.info.accumulator);
}

void reference_begin(reference *exact, const fold *of) {
    *exact = (reference){.of = *of, .least.want_least = true};
    exact_product_begin(&exact->product);
    exact_chain_begin(&exact->chain, wf_facts_of_op(of->spec.op).scalars);
    switch (wf_facts_of_op(of->spec.op).identity) {
    case WF_IDENTITY_ALL_BITS:
        exact->folded[0] = UINT64_MAX;
        break;
    case WF_IDENTITY_UNIT:
        exact->folded[0] = 1;
        exact->folded[3] = of->info.result_values == 4; /* the second 1 on a matrix's diagonal */
        break;
    case WF_IDENTITY_ZERO:
    case WF_IDENTITY_NAN: /* a mean's sum */
    case WF_IDENTITY_LARGEST:
    case WF_IDENTITY_LEAST:
    case WF_IDENTITY_LARGEST_LEAST:
        break;
    }
}

/* The term that a sum adds for each number. It does not use WF_TERM_MAP, whose expressions it verifies. */
static double float_term(wf_term term, double x) {
    switch (term) {
    case WF_TERM_ELEMENT:
        break;
    case WF_TERM_MAGNITUDE:
        return fabs(x);
    case WF_TERM_SQUARE:
        return x * x;
    }
    return x;
}

static uint64_t integer_term(wf_term term, bool has_sign, uint64_t x) {
    switch (term) {
    case WF_TERM_ELEMENT:
        break;
    case WF_TERM_MAGNITUDE:
        return has_sign && x >> 63 != 0 ? 0 - x : x;
    case WF_TERM_SQUARE:
        return x * x;
    }
    return x;
}

/* A square of f64 is the sum of two doubles: the rounded square and its rounding error. Digits below the smallest
 * double are lost (verify.c). */
static void add_terms(reference *exact, const double *numbers, size_t count) {
    double terms[BLOCK], lost[BLOCK];
    wf_term term = wf_facts_of_op(exact->of.spec.op).term;
    for (size_t i = 0; i < count; i++)
        terms[i] = float_term(term, numbers[i]);
    exact_sum_add(&exact->sum, terms, count);
    if (term != WF_TERM_SQUARE || exact->of.spec.type != WF_F64)
        return;
    for (size_t i = 0; i < count; i++)
        lost[i] = isfinite(terms[i]) ? fma(numbers[i], numbers[i], -terms[i]) : 0;
    exact_sum_add(&exact->sum, lost, count);
}

static void add_floats(reference *exact, const double *numbers, size_t count) {
    switch (class_of(exact)) {
    case WF_CLASS_SUM:
        add_terms(exact, numbers, count);
        break;
    case WF_CLASS_PRODUCT:
        exact_product_add(&exact->product, numbers, count);
        break;
    case WF_CLASS_ORDERED:
        exact_chain_add(&exact->chain, numbers, count);
        break;
    case WF_CLASS_EXTREME:
        extreme_add_floats(&exact->least, numbers, count);
        extreme_add_floats(&exact->largest, numbers, count);
        break;
    case WF_CLASS_BITWISE: /* integers only */
        break;
    }
}

/* Adds each integer as two doubles, its upper and its lower half. */
static void add_exactly(exact_sum *sum, bool has_sign, const uint64_t *numbers, size_t count) {
    double halves[2 * BLOCK];
    for (size_t i = 0; i < count; ++i) {
        bool negative = has_sign && numbers[i] >> 63;
        uint64_t magnitude = negative ? -numbers[i] : numbers[i];
        double sign = negative ? -1 : 1;
        halves[2 * i] = sign * (double)(magnitude >> 32) * 0x1p32;
        halves[2 * i + 1] = sign * (double)(magnitude & UINT32_MAX);
    }
    exact_sum_add(sum, halves, 2 * count);
}

static void append_matrix(uint64_t product[4], const uint64_t next[4]) {
    uint64_t a = product[0], b = product[1], c = product[2], d = product[3];
    product[0] = a * next[0] + b * next[2];
    product[1] = a * next[1] + b * next[3];
    product[2] = c * next[0] + d * next[2];
    product[3] = c * next[1] + d * next[3];
}

static void append_map(uint64_t first[2], const uint64_t then[2]) {
    first[0] = then[0] * first[0];
    first[1] = then[0] * first[1] + then[1];
}

/* numbers: elements, or with WF_TERM_ELEMENT the combined numbers of another reference. */
static void fold_integers(reference *exact, wf_term term, const uint64_t *numbers, size_t count) {
    uint64_t *folded = exact->folded;
    const wf_op_facts facts = wf_facts_of_op(exact->of.spec.op);
    bool has_sign = wf_type_is_signed(exact->of.spec.type);
    for (size_t i = 0; i < count; i += facts.scalars) {
        const uint64_t *next = numbers + i;
        switch (facts.op_class) {
        case WF_CLASS_SUM:
            folded[0] += integer_term(term, has_sign, *next);
            break;
        case WF_CLASS_PRODUCT:
            folded[0] *= *next;
            break;
        case WF_CLASS_BITWISE:
            folded[0] = exact->of.spec.op == WF_AND  ? folded[0] & *next
                        : exact->of.spec.op == WF_OR ? folded[0] | *next
                                                     : folded[0] ^ *next;
            break;
        case WF_CLASS_ORDERED:
            if (facts.scalars == 4)
                append_matrix(folded, next);
            else
                append_map(folded, next);
            break;
        case WF_CLASS_EXTREME:
            break;
        }
    }
}

static void add_integers(reference *exact, const uint64_t *numbers, size_t count) {
    bool has_sign = wf_type_is_signed(exact->of.spec.type);
    if (wf_op_is_extreme(exact->of.spec.op)) {
        extreme_add_integers(&exact->least, has_sign, numbers, count);
        extreme_add_integers(&exact->largest, has_sign, numbers, count);
    } else if (reference_rounds(exact)) {
        add_exactly(&exact->sum, has_sign, numbers, count);
    } else {
        fold_integers(exact, wf_facts_of_op(exact->of.spec.op).term, numbers, count);
    }
}

void reference_add(reference *exact, const void *elements, size_t count) {
    wf_type type = exact->of.spec.type;
    size_t length = count * wf_facts_of_op(exact->of.spec.op).scalars;
    exact->count += count;
    for (size_t first = 0; first < length; first += BLOCK) {
        const char *from = (const char *)elements + first * wf_type_size(type);
        size_t piece = length - first < BLOCK ? length - first : BLOCK;
        if (wf_type_is_float(type)) {
            double numbers[BLOCK];
            widen_floats(type, from, piece, numbers);
            add_floats(exact, numbers, piece);
        } else {
            uint64_t numbers[BLOCK];
            widen_integers(type, from, piece, numbers);
            add_integers(exact, numbers, piece);
        }
    }
}

static void merge_floats(reference *exact, const reference *next) {
    switch (class_of(exact)) {
    case WF_CLASS_SUM:
        exact_sum_merge(&exact->sum, &next->sum);
        break;
    case WF_CLASS_PRODUCT:
        exact_product_merge(&exact->product, &next->product);
        break;
    case WF_CLASS_ORDERED:
        exact_chain_merge(&exact->chain, &next->chain);
        break;
    case WF_CLASS_EXTREME:
        extreme_merge_floats(&exact->least, &next->least);
        extreme_merge_floats(&exact->largest, &next->largest);
        break;
    case WF_CLASS_BITWISE:
        break;
    }
}

static void merge_integers(reference *exact, const reference *next) {
    bool has_sign = wf_type_is_signed(exact->of.spec.type);
    if (wf_op_is_extreme(exact->of.spec.op)) {
        extreme_merge_integers(&exact->least, has_sign, &next->least);
        extreme_merge_integers(&exact->largest, has_sign, &next->largest);
    } else if (reference_rounds(exact)) {
        exact_sum_merge(&exact->sum, &next->sum);
    } else {
        fold_integers(exact, WF_TERM_ELEMENT, next->folded, wf_facts_of_op(exact->of.spec.op).scalars);
    }
}

void reference_merge(reference *exact, const reference *next) {
    exact->count += next->count;
    if (wf_type_is_float(exact->of.spec.type))
        merge_floats(exact, next);
    else
        merge_integers(exact, next);
}

/* ---- Results ---- */

static value sum_value(const reference *exact) {
    value v = {.u64 = 0};
    if (exact->of.info.accumulator == WF_F32)
        v.f32 = exact_sum_f32(&exact->sum);
    else
        v.f64 = exact_sum_f64(&exact->sum);
    return v;
}

static value float_mean(const reference *exact) {
    value v = {.u64 = 0};
    if (exact->of.info.accumulator == WF_F32)
        v.f32 = exact_mean_f32(&exact->sum, exact->count);
    else
        v.f64 = exact_mean_f64(&exact->sum, exact->count);
    return v;
}

/* The integer accumulator is exact; its value is divided as a double. */
static value integer_mean(const reference *exact) {
    wf_type accumulator = exact->of.info.accumulator;
    double total = value_to_double(accumulator, value_of_bits(accumulator, exact->folded[0]));
    return (value){.f64 = total / (double)exact->count};
}

/* The largest value of the type (sign 1), or its least (sign -1). */
static value limit(wf_type type, int sign) {
    uint64_t half = UINT64_C(1) << (8 * wf_type_size(type) - 1);
    if (wf_type_is_float(type))
        return value_of_double(type, sign * (double)INFINITY);
    if (wf_type_is_signed(type))
        return value_of_bits(type, sign > 0 ? half - 1 : half);
    return value_of_bits(type, sign > 0 ? UINT64_MAX : 0);
}

static value extreme_value(const reference *exact, const extreme *of, uint64_t *index) {
    wf_type type = exact->of.spec.type;
    bool ignore = exact->of.spec.nan == WF_NAN_IGNORE;
    *index = of->any ? of->index : NO_INDEX;
    if (of->any_nan && !ignore) {
        *index = of->nan_index;
        return value_of_double(type, (double)NAN);
    }
    if (of->any)
        return wf_type_is_float(type) ? value_of_double(type, of->found.number) : value_of_bits(type, of->found.bits);
    return wf_type_is_float(type) && ignore ? value_of_double(type, (double)NAN) : limit(type, of->want_least ? 1 : -1);
}

static void put_extremes(const reference *exact, result *r) {
    uint64_t index[2];
    value least = extreme_value(exact, &exact->least, &index[0]);
    value largest = extreme_value(exact, &exact->largest, &index[1]);
    wf_op op = exact->of.spec.op;
    bool wants_largest = op == WF_MAX || op == WF_ARGMAX;
    result_put(&exact->of, r, 0, wants_largest ? largest : least);
    if (op == WF_MINMAX)
        result_put(&exact->of, r, 1, largest);
    if (exact->of.info.has_index)
        result_put_index(r, index[wants_largest]);
}

static void put_arithmetic(const reference *exact, result *r) {
    wf_type type = exact->of.info.result_type;
    bool rounds = reference_rounds(exact);
    if (exact->of.spec.op == WF_MEAN) {
        value mean = exact->count == 0 ? value_of_double(type, (double)NAN)
                     : rounds          ? float_mean(exact)
                                       : integer_mean(exact);
        result_put(&exact->of, r, 0, mean);
        return;
    }
    for (size_t i = 0; i < exact->of.info.result_values; ++i) {
        value v = !rounds                           ? value_of_bits(type, exact->folded[i])
                  : class_of(exact) == WF_CLASS_SUM ? sum_value(exact)
                  : class_of(exact) == WF_CLASS_PRODUCT
                      ? value_of_double(type, (double)exact_product_value(&exact->product))
                      : value_of_double(type, (double)exact->chain.value[i]);
        result_put(&exact->of, r, i, v);
    }
}

result reference_result(const reference *exact) {
    result r = {{0}};
    if (wf_op_is_extreme(exact->of.spec.op))
        put_extremes(exact, &r);
    else
        put_arithmetic(exact, &r);
    return r;
}
