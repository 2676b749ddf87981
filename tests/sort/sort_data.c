#include "sort_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

void *memory_of(size_t bytes) {
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    return memory;
}

/* ---- Keys: their bits, and their order -------------------------------------------------------------------------- */

uint64_t key_at(wf_type type, const void *keys, size_t i) {
    switch (wf_type_size(type)) {
    case 1:
        return ((const uint8_t *)keys)[i];
    case 2:
        return ((const uint16_t *)keys)[i];
    case 4:
        return ((const uint32_t *)keys)[i];
    default:
        return ((const uint64_t *)keys)[i];
    }
}

void put_key(wf_type type, void *keys, size_t i, uint64_t bits) {
    switch (wf_type_size(type)) {
    case 1:
        ((uint8_t *)keys)[i] = (uint8_t)bits;
        break;
    case 2:
        ((uint16_t *)keys)[i] = (uint16_t)bits;
        break;
    case 4:
        ((uint32_t *)keys)[i] = (uint32_t)bits;
        break;
    default:
        ((uint64_t *)keys)[i] = bits;
    }
}

static unsigned mantissa_bits(wf_type type) {
    return type == WF_F64 ? 52 : type == WF_F32 ? 23 : type == WF_F16 ? 10 : 7;
}

static bool is_float(wf_type type) {
    return type == WF_F64 || type == WF_F32 || type == WF_F16 || type == WF_BF16;
}

static bool is_signed(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}

static uint64_t sign_of(wf_type type) {
    return UINT64_C(1) << (8 * wf_type_size(type) - 1);
}

static double as_float(wf_type type, uint64_t bits) {
    const uint32_t half = type == WF_BF16 ? (uint32_t)bits << 16 : (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &half, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    if (type != WF_F16)
        return type == WF_F64 ? wide : (double)narrow;
    const int exponent = (int)(bits >> 10 & 31), mantissa = (int)(bits & 1023);
    const double magnitude = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                             : exponent != 0 ? ldexp(1024 + mantissa, exponent - 25)
                                             : ldexp(mantissa, -24);
    return copysign(magnitude, (bits & 0x8000) != 0 ? -1 : 1);
}

/* NaN without a sign by their mantissas, then those with one, from the largest mantissa on. */
static int compare_nans(wf_type type, uint64_t a, uint64_t b) {
    const uint64_t sign = sign_of(type);
    if ((a & sign) != (b & sign))
        return (a & sign) != 0 ? 1 : -1;
    const int by_mantissa = (a > b) - (a < b);
    return (a & sign) != 0 ? -by_mantissa : by_mantissa;
}

int compare_keys(wf_type type, uint64_t a, uint64_t b) {
    if (is_float(type)) {
        const double x = as_float(type, a), y = as_float(type, b);
        if (isnan(x) && isnan(y))
            return compare_nans(type, a, b);
        if (isnan(x) || isnan(y))
            return !!isnan(x) - !!isnan(y);
        return x != y ? (x > y) - (x < y) : !!signbit(y) - !!signbit(x);
    }
    if (is_signed(type)) {
        const uint64_t sign = sign_of(type);
        const int64_t x = (int64_t)((a ^ sign) - sign), y = (int64_t)((b ^ sign) - sign);
        return (x > y) - (x < y);
    }
    return (a > b) - (a < b);
}

/* ---- Stable order ----------------------------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t key;
    size_t position;
} entry;

static sort_order qsort_order; /* qsort passes nothing on */

/* Of integers, of which only some bits are compared: these as an unsigned number. */
static uint64_t bits_of_range(uint64_t key) {
    const uint32_t bits = qsort_order.end_bit - qsort_order.begin_bit;
    const uint64_t ordered = is_signed(qsort_order.type) ? key ^ sign_of(qsort_order.type) : key;
    return ordered >> qsort_order.begin_bit & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
}

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    const int order = qsort_order.end_bit == 0 ? compare_keys(qsort_order.type, x->key, y->key)
                                               : compare_keys(WF_U64, bits_of_range(x->key), bits_of_range(y->key));
    if (order != 0)
        return qsort_order.descending ? -order : order;
    return (x->position > y->position) - (x->position < y->position);
}

uint64_t *stable_positions(const sort_order *order, const void *keys, size_t count) {
    entry *entries = memory_of(count * sizeof *entries);
    uint64_t *positions = memory_of(count * sizeof *positions);
    for (size_t i = 0; i < count; i++)
        entries[i] = (entry){key_at(order->type, keys, i), i};
    qsort_order = *order;
    if (count != 0)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++)
        positions[i] = entries[i].position;
    free(entries);
    return positions;
}

/* ---- Data ------------------------------------------------------------------------------------------------------- */

/* Bits of NaN, infinities, zeros, subnormals and their neighbours; among integers they are ordinary. */
static uint64_t special(wf_type type, uint64_t random) {
    const uint64_t sign = random >> 32 & 1 ? sign_of(type) : 0;
    const unsigned mantissa = is_float(type) ? mantissa_bits(type) : 3;
    const uint64_t one = UINT64_C(1) << mantissa, infinity = sign_of(type) - one;
    const uint64_t magnitudes[] = {infinity + one / 2,
                                   infinity + 1,
                                   infinity + one - 1,
                                   infinity + one / 2 + (random >> 8) % (one / 2),
                                   infinity,
                                   infinity - 1,
                                   0,
                                   1,
                                   one - 1,
                                   one,
                                   infinity / 2 / one * one};
    return magnitudes[random % COUNT(magnitudes)] | sign;
}

static uint64_t ordinary(wf_type type, uint64_t random) {
    const double uniform = (double)(int64_t)random * 0x1p-63; /* in [-1, 1] */
    const float narrow = (float)uniform;
    uint32_t half;
    uint64_t bits;
    memcpy(&half, &narrow, sizeof half);
    memcpy(&bits, &uniform, sizeof bits);
    return type == WF_F64 ? bits : type == WF_F32 ? half : type == WF_BF16 ? half >> 16 : random >> 40;
}

void *make_keys(wf_type type, unsigned kind, size_t count, uint64_t seed) {
    void *keys = memory_of(count * wf_type_size(type));
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = data_hash(seed ^ (i * 2 + 1));
        uint64_t bits = random;
        if (kind == ORDINARY)
            bits = ordinary(type, random);
        else if (kind == ALL_EQUAL)
            bits = data_hash(seed);
        else if (kind == FEW)
            bits = data_hash(seed + random % 5);
        else if (kind == SPECIAL)
            bits = special(type, random);
        put_key(type, keys, i, bits);
    }
    if (kind != SORTED && kind != REVERSED)
        return keys;
    const sort_order order = {.type = type, .descending = kind == REVERSED};
    uint64_t *positions = stable_positions(&order, keys, count);
    void *sorted = memory_of(count * wf_type_size(type));
    for (size_t i = 0; i < count; i++)
        put_key(type, sorted, i, key_at(type, keys, (size_t)positions[i]));
    free(positions);
    free(keys);
    return sorted;
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

void check_keys(const sort_order *order, const void *in, const void *got, size_t count) {
    uint64_t *positions = stable_positions(order, in, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t want = key_at(order->type, in, (size_t)positions[i]), have = key_at(order->type, got, i);
        if (want != have)
            fail_msg("key %zu of %zu has bits %#llx, not %#llx", i, count, (unsigned long long)have,
                     (unsigned long long)want);
    }
    free(positions);
}

void check_positions(wf_type type, const void *in, const void *got, const uint64_t *positions, size_t count) {
    unsigned char *seen = memory_of(count);
    memset(seen, 0, count);
    for (size_t i = 0; i < count; i++) {
        if (positions[i] >= count || seen[positions[i]]++)
            fail_msg("key %zu of %zu should have stood at %llu: there is none, or another", i, count,
                     (unsigned long long)positions[i]);
        if (key_at(type, got, i) != key_at(type, in, (size_t)positions[i]))
            fail_msg("key %zu of %zu is not the one that stood at %llu", i, count, (unsigned long long)positions[i]);
    }
    free(seen);
}

/* ---- Device memory ---------------------------------------------------------------------------------------------- */

enum { MARGIN = 64, MARGIN_BYTE = 0x5c };

guarded guard(wf_context *context, size_t offset, size_t bytes) {
    guarded made = {.begin = MARGIN + offset, .bytes = bytes};
    const size_t all = made.begin + bytes + MARGIN;
    unsigned char *filled = memory_of(all);
    memset(filled, MARGIN_BYTE, all);
    require(wf_malloc(context, (void **)&made.memory, all));
    require(wf_copy_to_device(context, made.memory, filled, all));
    free(filled);
    return made;
}

void *inside(const guarded *memory) {
    return memory->memory + memory->begin;
}

void *release(wf_context *context, guarded *memory) {
    const size_t all = memory->begin + memory->bytes + MARGIN;
    unsigned char *held = memory_of(all);
    require(wf_copy_to_host(context, held, memory->memory, all));
    wf_free(context, memory->memory);
    for (size_t i = 0; i < all; i++)
        if ((i < memory->begin || i >= memory->begin + memory->bytes) && held[i] != MARGIN_BYTE)
            fail_msg("a byte beside the result has changed: %zu, of bytes %zu to %zu", i, memory->begin,
                     memory->begin + memory->bytes);
    memmove(held, held + memory->begin, memory->bytes);
    return held;
}
