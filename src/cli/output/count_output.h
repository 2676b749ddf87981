/* What count prints of distinct values, and writes as .npy and as JSON. */
#ifndef WAVEFOLD_CLI_OUTPUT_COUNT_OUTPUT_H
#define WAVEFOLD_CLI_OUTPUT_COUNT_OUTPUT_H

#include "cli/arrays/array_answer.h"
#include "cli/arrays/value_counts.h"

typedef struct count_request {
    bool by_count; /* else by value */
    uint64_t top;  /* 0: all */
} count_request;

/* Each prints the reason and returns false on failure. */
/* Checks early that the file can hold values of the type. */
bool count_can_write(const array_answer *a);
/* order: where each value is found; NULL: in the order of the counts. */
bool count_write(array_answer *a, const value_counts *counts, const uint64_t *order, const count_request *request);

#endif
