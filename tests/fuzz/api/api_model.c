#include "api_model.h"

#include "numbers.h"
#include "oracle/folded.h"
#include "oracle/reference.h"
#include "oracle/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wavefold_ladder.h>

/* ---- The table ---- */

static bool is_float(wf_type type) {
    return type == WF_F16 || type == WF_BF16 || type == WF_F32 || type == WF_F64;
}
static bool is_signed(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}
static bool is_sum(wf_op op) {
    return op == WF_SUM || op == WF_MEAN || op == WF_ASUM || op == WF_SUMSQ;
}
static bool is_ordered(wf_op op) {
    return op == WF_MATMUL || op == WF_AFFINE;
}
static bool is_extreme(wf_op op) {
    return op == WF_MIN || op == WF_MAX || op == WF_MINMAX || op == WF_ARGMIN || op == WF_ARGMAX;
}
static bool takes_order(wf_type type) {
    return type == WF_I32 || type == WF_F32 || type == WF_F64;
}
static wf_type type_of(wf_accumulator accumulator) {
    static const wf_type types[] = {WF_F32, WF_I32, WF_I64, WF_U32, WF_U64, WF_F32, WF_F64};
    return types[accumulator];
}

big_term term_of(wf_op op) {
    return op == WF_ASUM ? BIG_MAGNITUDE : op == WF_SUMSQ ? BIG_SQUARE : BIG_ELEMENT;
}

static bool has_exact_sum(const wf_reduce_spec *spec) {
    return is_float(spec->type) && is_sum(spec->op) && !(spec->op == WF_SUMSQ && spec->type == WF_F64);
}
bool is_exact_sum(const wf_reduce_spec *spec) {
    return has_exact_sum(spec) && spec->accuracy != WF_ACCURACY_FAST;
}

static wf_type default_accumulator(const wf_reduce_spec *spec) {
    const wf_type type = spec->type;
    if (is_exact_sum(spec) || !(is_sum(spec->op) || spec->op == WF_PRODUCT))
        return type;
    const size_t bytes = wf_type_size(type);
    if (spec->op == WF_MEAN && !is_float(type) && bytes >= 4)
        return WF_F64;
    if (bytes >= 4)
        return type;
    return is_float(type) ? WF_F32 : is_signed(type) ? WF_I64 : WF_U64;
}

static bool takes_accumulator(const wf_reduce_spec *spec) {
    const wf_type type = spec->type, asked = type_of(spec->accumulator);
    if (spec->accumulator == WF_ACCUMULATE_DEFAULT)
        return true;
    if (!is_sum(spec->op) && spec->op != WF_PRODUCT)
        return asked == type;
    if (is_exact_sum(spec))
        return is_float(asked);
    if (spec->op == WF_MEAN && !is_float(type) && asked != WF_F64)
        return wf_type_size(asked) == 8 && wf_type_size(type) <= 4 && !is_float(asked) &&
               is_signed(asked) == is_signed(type);
    if (spec->op == WF_MEAN && !is_float(type))
        return true;
    return is_float(asked) == is_float(type) && is_signed(asked) == is_signed(type) &&
           wf_type_size(asked) >= wf_type_size(type);
}

unsigned allowed_of_reduction(const wf_reduce_spec *spec) {
    if ((unsigned)spec->type >= WF_TYPE_COUNT || (unsigned)spec->op >= WF_OP_COUNT ||
        (unsigned)spec->accumulator > WF_ACCUMULATE_F64 || (unsigned)spec->nan > WF_NAN_IGNORE ||
        (unsigned)spec->accuracy > WF_ACCURACY_EXACT)
        return MAY_BE_INVALID | MAY_BE_UNSUPPORTED; /* both may be so, and either may be said */
    const bool of_bits = spec->op == WF_AND || spec->op == WF_OR || spec->op == WF_XOR;
    const bool lacks_exact =
        spec->accuracy == WF_ACCURACY_EXACT && is_float(spec->type) && !has_exact_sum(spec) && !is_extreme(spec->op);
    const bool lacks = (of_bits && is_float(spec->type)) || (is_ordered(spec->op) && !takes_order(spec->type)) ||
                       (spec->nan == WF_NAN_IGNORE && !is_extreme(spec->op)) || lacks_exact || !takes_accumulator(spec);
    return lacks ? MAY_BE_UNSUPPORTED : MAY_SUCCEED;
}

unsigned allowed_of_description(const wf_describe_spec *spec) {
    return (unsigned)spec->type < WF_TYPE_COUNT && (unsigned)spec->nan <= WF_NAN_IGNORE
               ? MAY_SUCCEED
               : MAY_BE_INVALID | MAY_BE_UNSUPPORTED;
}

unsigned allowed_of_scan(const wf_scan_spec *scan) {
    const wf_reduce_spec *const spec = &scan->reduce;
    if ((unsigned)spec->type >= WF_TYPE_COUNT || (unsigned)spec->op >= WF_OP_COUNT)
        return MAY_BE_INVALID | MAY_BE_UNSUPPORTED;
    const bool is_of_all = spec->op == WF_SUM || spec->op == WF_PRODUCT || spec->op == WF_MIN || spec->op == WF_MAX ||
                           spec->op == WF_ARGMIN || spec->op == WF_ARGMAX;
    return is_of_all || (is_ordered(spec->op) && takes_order(spec->type)) ? MAY_SUCCEED : MAY_BE_UNSUPPORTED;
}

unsigned allowed_of_sort(const wf_sort_spec *spec) {
    const uint32_t bytes = spec->value_bytes;
    const bool takes_values = bytes <= 16 && (bytes & (bytes - 1)) == 0;
    if ((unsigned)spec->type >= WF_TYPE_COUNT || !takes_values)
        return MAY_BE_INVALID | (spec->flags != 0 ? MAY_BE_UNSUPPORTED : 0);
    const bool takes_flags =
        spec->flags == 0 || (wf_type_size(spec->type) >= 4 && (bytes == 0 || bytes == 4 || bytes == 8));
    return takes_flags ? MAY_SUCCEED : MAY_BE_UNSUPPORTED;
}

wf_reduction_info info_of(const wf_reduce_spec *spec) {
    wf_reduction_info info = {.accuracy = is_exact_sum(spec) ? WF_ACCURACY_EXACT : WF_ACCURACY_FAST};
    if (spec->accuracy != WF_ACCURACY_BEST)
        info.accuracy = spec->accuracy;
    const uint32_t scalars = spec->op == WF_MATMUL ? 4 : spec->op == WF_AFFINE ? 2 : 1;
    info.element_bytes = (uint32_t)wf_type_size(spec->type) * scalars;
    info.accumulator =
        spec->accumulator == WF_ACCUMULATE_DEFAULT ? default_accumulator(spec) : type_of(spec->accumulator);
    info.result_type = !is_sum(spec->op) && spec->op != WF_PRODUCT          ? spec->type
                       : spec->op == WF_MEAN && !is_float(info.accumulator) ? WF_F64
                                                                            : info.accumulator;
    info.result_values = spec->op == WF_MINMAX ? 2 : scalars;
    info.has_index = spec->op == WF_ARGMIN || spec->op == WF_ARGMAX;
    info.result_bytes = info.has_index ? 16 : (uint32_t)wf_type_size(info.result_type) * info.result_values;
    return info;
}

/* ---- Answers ---- */

void add_terms(big_sum *sum, wf_type type, wf_op op, const void *elements, size_t count) {
    for (size_t i = 0; i < count; i++)
        big_sum_add(sum, type, term_of(op), number_bits(type, elements, i));
}

/* The elements at an address that suits their type: whoever reads them one by one needs that. */
static void *aligned_copy(const void *elements, size_t bytes) {
    void *copy = malloc(bytes != 0 ? bytes : 1);
    if (copy == NULL)
        abort();
    if (bytes != 0)
        memcpy(copy, elements, bytes);
    return copy;
}

static void check_exact(session *s, const wf_reduce_spec *spec, const void *elements, size_t count, const void *got) {
    static _Thread_local big_sum sum;
    const wf_type type = info_of(spec).result_type;
    memset(&sum, 0, sizeof sum);
    add_terms(&sum, spec->type, spec->op, elements, count);
    big_sum_finish(&sum);
    uint64_t bits = 0;
    memcpy(&bits, got, wf_type_size(type));
    const uint64_t wanted = big_sum_rounded(&sum, spec->op == WF_MEAN, type);
    if (bits != wanted)
        session_fails(s, "the exact %s of %zu %s is %#llx, and must be %#llx", wf_op_name(spec->op), count,
                      wf_type_name(spec->type), (unsigned long long)bits, (unsigned long long)wanted);
}

/* Steps between an element and the result, at the most, on any device: more than wavefold.h says of the host's. */
static uint64_t depth_of(size_t count) {
    return 1024 + count / 1024;
}

/* Ordered operators promise nothing of others. */
static bool are_finite(wf_type type, const void *numbers, size_t count) {
    for (size_t i = 0; i < count && is_float(type); i++)
        if (!isfinite(number_float(type, numbers, i)))
            return false;
    return true;
}

void check_reduction(session *s, const wf_reduce_spec *spec, const void *elements, size_t count, const void *got) {
    fold of;
    if (fold_of(spec, &of) != WF_OK)
        session_fails(s, "a reduction that was done is not in the table: %s", wf_last_error());
    void *copy = aligned_copy(elements, count * of.info.element_bytes);
    if (is_exact_sum(spec)) {
        check_exact(s, spec, copy, count, got);
    } else if (!is_ordered(spec->op) ||
               are_finite(spec->type, copy, count * of.info.element_bytes / wf_type_size(spec->type))) {
        static _Thread_local reference exact;
        result found = {.words = {0}};
        memcpy(found.bytes, got, of.info.result_bytes);
        if (of.info.has_index) /* what lies between value and index is not said */
            memset(found.bytes + wf_type_size(of.info.result_type), 0, 8 - wf_type_size(of.info.result_type));
        reference_begin(&exact, &of);
        if (count != 0)
            reference_add(&exact, copy, count);
        const judgement judged = verify(&exact, &found, &(wf_rung_report){.depth = depth_of(count)});
        if (!judged.accepted)
            session_fails(s, "%s of %zu %s: %#llx %#llx is off by %g, where %g is the bound", wf_op_name(spec->op),
                          count, wf_type_name(spec->type), (unsigned long long)found.words[0],
                          (unsigned long long)found.words[1], judged.error, judged.bound);
    }
    free(copy);
}

static double number_of(wf_type type, wf_number number) {
    return is_float(type) ? number.f64 : is_signed(type) ? (double)number.i64 : (double)number.u64;
}

/* As the type's numbers are widened in a description. */
static uint64_t widened(wf_type type, const void *array, size_t i) {
    const double number = is_float(type) ? number_float(type, array, i) : 0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return is_float(type) ? bits : number_integer(type, array, i);
}

static void check_extreme(session *s, wf_type type, const char *name, const void *kept, size_t count, bool least,
                          const wf_number *got, uint64_t got_index, const size_t *places) {
    size_t best = 0;
    for (size_t i = 1; i < count && !number_is_nan(type, kept, best); i++)
        if (number_is_nan(type, kept, i) ||
            (least ? number_less(type, kept, i, best) : number_less(type, kept, best, i)))
            best = i;
    const bool is_nan = number_is_nan(type, kept, best);
    if (got_index != places[best] || (is_nan ? !isnan(got->f64) : got->u64 != widened(type, kept, best)))
        session_fails(s, "a description's %s is %#llx at %llu, and stands at %zu", name, (unsigned long long)got->u64,
                      (unsigned long long)got_index, places[best]);
}

static void check_none(session *s, const wf_describe_spec *spec, const wf_description *got) {
    const bool is_passed_over = is_float(spec->type) && spec->nan == WF_NAN_IGNORE;
    const double least = number_of(spec->type, got->min), most = number_of(spec->type, got->max);
    const bool is_right = got->sum.u64 == 0 && got->argmin == UINT64_MAX && got->argmax == UINT64_MAX &&
                          isnan(got->mean) && isnan(got->variance) &&
                          (is_passed_over ? isnan(least) && isnan(most) : least >= most);
    if (!is_right)
        session_fails(s, "a description of nothing: sum %#llx, at %llu and %llu, %g to %g",
                      (unsigned long long)got->sum.u64, (unsigned long long)got->argmin,
                      (unsigned long long)got->argmax, least, most);
}

static void check_moments(session *s, const wf_describe_spec *spec, const void *kept, size_t count,
                          const wf_description *got) {
    static _Thread_local big_sum sum;
    const wf_type type = spec->type;
    uint64_t whole = 0, wanted_mean = 0, mean;
    memcpy(&mean, &got->mean, sizeof mean);
    memset(&sum, 0, sizeof sum);
    if (is_float(type)) {
        add_terms(&sum, type, WF_SUM, kept, count);
        big_sum_finish(&sum);
        whole = big_sum_rounded(&sum, false, WF_F64);
        wanted_mean = big_sum_rounded(&sum, true, WF_F64);
    }
    long double total = 0, squares = 0, largest = 0;
    bool is_finite = true;
    for (size_t i = 0; i < count; i++) {
        const long double x = number_value(type, kept, i);
        is_finite = is_finite && isfinite(x);
        total += x;
        largest = fmaxl(largest, fabsl(x));
        whole += is_float(type) ? 0 : number_integer(type, kept, i);
    }
    if (is_float(type) ? got->sum.u64 != whole || mean != wanted_mean : got->sum.u64 != whole)
        session_fails(s, "a description's sum is %#llx, its mean %#llx; it must be %#llx, and of floats %#llx",
                      (unsigned long long)got->sum.u64, (unsigned long long)mean, (unsigned long long)whole,
                      (unsigned long long)wanted_mean);
    if (!is_finite || largest > 1e150L) /* squares of more are beyond doubles */
        return;
    const long double centre = total / (long double)count;
    for (size_t i = 0; i < count; i++) {
        const long double apart = number_value(type, kept, i) - centre;
        squares += apart * apart;
    }
    const long double variance = squares / (long double)count, relative = 1e-12L + (long double)count * 1e-15L;
    const long double off = relative * largest, bound = 4 * relative * variance + 2 * sqrtl(variance) * off + off * off;
    if (!(fabsl(got->variance - variance) <= bound + 1e-300L))
        session_fails(s, "a description's variance is %.17g, and must be %.17Lg", got->variance, variance);
    if (!is_float(type) && !(fabsl(got->mean - centre) <= off))
        session_fails(s, "a description's mean is %.17g, and must be %.17Lg", got->mean, centre);
}

void check_description(session *s, const wf_describe_spec *spec, const void *elements, size_t count,
                       const wf_description *got) {
    const wf_type type = spec->type;
    const size_t bytes = wf_type_size(type);
    unsigned char *kept = aligned_copy(elements, count * bytes);
    size_t *places = malloc((count + 1) * sizeof *places), there = 0;
    if (places == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        if (spec->nan == WF_NAN_PROPAGATE || !number_is_nan(type, kept, i)) {
            memmove(kept + there * bytes, kept + i * bytes, bytes);
            places[there++] = i;
        }
    if (got->count != there)
        session_fails(s, "a description of %zu counts %llu", there, (unsigned long long)got->count);
    if (there == 0) {
        check_none(s, spec, got);
    } else {
        check_extreme(s, type, "min", kept, there, true, &got->min, got->argmin, places);
        check_extreme(s, type, "max", kept, there, false, &got->max, got->argmax, places);
        check_moments(s, spec, kept, there, got);
    }
    free(kept);
    free(places);
}

/* Each result is the fold of what comes before it; a few of them are looked at. */
void check_scan(session *s, const wf_scan_spec *spec, const void *elements, size_t count, const void *got) {
    const wf_reduce_spec fold_of_each = {
        .type = spec->reduce.type, .op = spec->reduce.op, .accuracy = WF_ACCURACY_FAST};
    const size_t bytes = info_of(&fold_of_each).result_bytes;
    for (int look = 0; look < 4 && count != 0; look++) {
        const size_t i = look == 0 ? 0 : look == 1 ? count - 1 : (size_t)pick(s, count);
        check_reduction(s, &fold_of_each, elements, i + (spec->exclusive == 0), (const char *)got + i * bytes);
    }
}

/* A key as a number that grows in the order that wavefold.h gives. */
static uint64_t rank_of(wf_type type, const void *keys, size_t i) {
    const uint64_t bits = number_bits(type, keys, i), sign = UINT64_C(1) << (8 * wf_type_size(type) - 1);
    if (number_is_nan(type, keys, i))
        return UINT64_MAX;
    if (is_float(type))
        return (bits & sign) != 0 ? (sign << 1) - 1 - bits : bits | sign;
    return is_signed(type) ? bits ^ sign : bits;
}

typedef struct pair {
    uint64_t key, value[2];
} pair;

static int compare_pairs(const void *a, const void *b) {
    const pair *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return memcmp(x->value, y->value, sizeof x->value);
}

/* Sorted, so that those that are there can be compared whatever their order is. */
static pair *pairs_of(wf_type type, size_t count, const void *keys, const void *values, uint32_t value_bytes) {
    pair *pairs = calloc(count + 1, sizeof *pairs);
    if (pairs == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        pairs[i].key = number_bits(type, keys, i);
        if (value_bytes != 0)
            memcpy(&pairs[i].value, (const char *)values + i * value_bytes, value_bytes);
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    return pairs;
}

void check_sort(session *s, const wf_sort_spec *spec, size_t count, const void *keys, const void *got,
                const void *values, const void *got_values) {
    for (size_t i = 1; i < count; i++) {
        const uint64_t before = rank_of(spec->type, got, i - 1), after = rank_of(spec->type, got, i);
        if (spec->descending != 0 ? before < after : before > after)
            session_fails(s, "sorted keys %zu and %zu stand in the wrong order", i - 1, i);
    }
    pair *were = pairs_of(spec->type, count, keys, values, spec->value_bytes);
    pair *are = pairs_of(spec->type, count, got, got_values, spec->value_bytes);
    if (memcmp(were, are, count * sizeof *were) != 0)
        session_fails(s, "sorting has changed keys, or parted them from their values");
    free(were);
    free(are);
}
