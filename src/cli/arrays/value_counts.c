#include "value_counts.h"

#include "cli/input/host_memory.h"

#include <stdlib.h>
#include <string.h>

/* Allocation may promise more than is available. */
static bool make_room(value_counts *counts) {
    enum { LEAST = 1 << 10, UNCHECKED = 1 << 24 /* bytes */ };
    const size_t size = wf_type_size(counts->type), entry = size + sizeof(uint64_t);
    const uint64_t capacity = counts->capacity < LEAST ? LEAST : 2 * counts->capacity;
    if (capacity * entry > UNCHECKED && capacity * entry > memory_of_host())
        return false;
    unsigned char *values = realloc(counts->values, (size_t)capacity * size);
    if (values == NULL)
        return false;
    counts->values = values;
    uint64_t *numbers = realloc(counts->counts, (size_t)capacity * sizeof *numbers);
    if (numbers == NULL)
        return false;
    counts->counts = numbers;
    counts->capacity = capacity;
    return true;
}

static bool append(value_counts *counts, const void *key, uint64_t count) {
    const size_t size = wf_type_size(counts->type);
    if (counts->distinct == counts->capacity && !make_room(counts))
        return false;
    memcpy(counts->values + counts->distinct * size, key, size);
    counts->counts[counts->distinct++] = count;
    return true;
}

/* Keys that are equal to the first one. Inlined for each size, which makes memcmp one instruction. */
static inline size_t run_of_size(const unsigned char *keys, size_t count, size_t size) {
    size_t length = 1;
    while (length < count && memcmp(keys + length * size, keys, size) == 0)
        length++;
    return length;
}

static size_t run_of(const unsigned char *keys, size_t count, size_t size) {
    if (size == sizeof(uint64_t))
        return run_of_size(keys, count, sizeof(uint64_t));
    if (size == sizeof(uint32_t))
        return run_of_size(keys, count, sizeof(uint32_t));
    return size == sizeof(uint16_t) ? run_of_size(keys, count, sizeof(uint16_t)) : run_of_size(keys, count, 1);
}

bool value_counts_add(value_counts *counts, const void *keys, size_t count) {
    const size_t size = wf_type_size(counts->type);
    const unsigned char *at = keys;
    size_t left = count;
    if (count == 0)
        return true;
    if (counts->distinct != 0 && memcmp(counts->values + (counts->distinct - 1) * size, at, size) == 0) {
        const size_t run = run_of(at, left, size);
        counts->counts[counts->distinct - 1] += run;
        at += run * size;
        left -= run;
    }
    while (left != 0) {
        const size_t run = run_of(at, left, size);
        if (!append(counts, at, run))
            return false;
        at += run * size;
        left -= run;
    }
    return true;
}

/* Rises with the number; NaN, which has no sign here, is last. */
static uint64_t rank_of(wf_type type, const unsigned char *values, uint64_t i) {
    const uint64_t sign = UINT64_C(1) << (8 * wf_type_size(type) - 1);
    if (wf_type_is_float(type)) {
        uint64_t bits = 0;
        memcpy(&bits, values + i * wf_type_size(type), wf_type_size(type));
        return (bits & sign) != 0 ? (sign - 1) & ~bits : bits | sign;
    }
    const uint64_t bits = value_to_bits(type, value_at(type, values, (size_t)i));
    return wf_type_is_signed(type) ? bits ^ UINT64_C(1) << 63 : bits;
}

static bool append_from(value_counts *to, const value_counts *from, uint64_t i, uint64_t more) {
    return append(to, from->values + i * wf_type_size(from->type), from->counts[i] + more);
}

bool value_counts_merge(value_counts *counts, const value_counts *more) {
    value_counts merged = {.type = counts->type};
    uint64_t i = 0, k = 0;
    bool fits = true;
    while (fits && (i < counts->distinct || k < more->distinct)) {
        const bool has_both = i < counts->distinct && k < more->distinct;
        const uint64_t a = has_both ? rank_of(counts->type, counts->values, i) : 0;
        const uint64_t b = has_both ? rank_of(counts->type, more->values, k) : 0;
        if (has_both && a == b)
            fits = append_from(&merged, counts, i++, more->counts[k++]);
        else if (k == more->distinct || (has_both && a < b))
            fits = append_from(&merged, counts, i++, 0);
        else
            fits = append_from(&merged, more, k++, 0);
    }
    value_counts_free(counts);
    *counts = merged;
    return fits;
}

void value_counts_free(value_counts *counts) {
    free(counts->values);
    free(counts->counts);
    *counts = (value_counts){.type = counts->type};
}
