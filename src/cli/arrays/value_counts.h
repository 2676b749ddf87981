/* Distinct values of an array, by rising value, and how often each occurs. */
#ifndef WAVEFOLD_CLI_ARRAYS_VALUE_COUNTS_H
#define WAVEFOLD_CLI_ARRAYS_VALUE_COUNTS_H

#include "oracle/value.h"

typedef struct value_counts {
    wf_type type;
    uint64_t distinct, capacity;
    unsigned char *values; /* of the type */
    uint64_t *counts;
} value_counts;

/* Each returns false without memory; free with value_counts_free in any case. */
/* Adds keys in the order of wf_sort, behind those that were added before: equal ones have the same bits. */
bool value_counts_add(value_counts *counts, const void *keys, size_t count);
/* Adds the counts of more. */
bool value_counts_merge(value_counts *counts, const value_counts *more);
void value_counts_free(value_counts *counts);

#endif
