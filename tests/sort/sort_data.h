/* Keys for tests of sorts, the order that wavefold.h states, and arrays in device memory between margins. */
#ifndef WAVEFOLD_TEST_SORT_DATA_H
#define WAVEFOLD_TEST_SORT_DATA_H

#include "data.h"

#include <wavefold.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

void *memory_of(size_t bytes);

/* The bits of key i. */
uint64_t key_at(wf_type type, const void *keys, size_t i);
void put_key(wf_type type, void *keys, size_t i, uint64_t bits);

/* The order of the bits of two keys, as of qsort. Floats are compared as floats; NaN too have an order. */
int compare_keys(wf_type type, uint64_t a, uint64_t b);

enum { RANDOM_BITS, ORDINARY, ALL_EQUAL, SORTED, REVERSED, FEW, SPECIAL, KINDS };
/* The caller frees them. */
void *make_keys(wf_type type, unsigned kind, size_t count, uint64_t seed);

/* What a sort compares. */
typedef struct sort_order {
    wf_type type;
    bool descending;
    uint32_t begin_bit, end_bit; /* both 0: all bits */
} sort_order;
/* The positions of the keys in stable order; the caller frees them. */
uint64_t *stable_positions(const sort_order *order, const void *keys, size_t count);

/* Fails unless the keys are those at these positions before. */
void check_keys(const sort_order *order, const void *in, const void *got, size_t count);
/* Fails unless key i stood at position positions[i] before, and every position occurs once. */
void check_positions(wf_type type, const void *in, const void *got, const uint64_t *positions, size_t count);

/* Device memory between margins, which must stay as they are. offset: of the array from an aligned address. */
typedef struct guarded {
    unsigned char *memory;
    size_t begin, bytes;
} guarded;
guarded guard(wf_context *context, size_t offset, size_t bytes);
void *inside(const guarded *memory);
/* Frees it; the caller frees the copy that it returns. */
void *release(wf_context *context, guarded *memory);

#endif
