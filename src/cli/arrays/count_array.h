#ifndef WAVEFOLD_CLI_ARRAYS_COUNT_ARRAY_H
#define WAVEFOLD_CLI_ARRAYS_COUNT_ARRAY_H

#include "array_answer.h"
#include "value_counts.h"

/* Each prints the reason and returns false on failure. */
/* Counts the values of an array whose device is open: -0 and +0 are one value, 0, and all NaN are one. Free counts in
 * any case. */
bool count_array(array_answer *a, value_counts *counts);
/* Writes to order, which has room for all, where values are by falling count; values of one count rise. */
bool count_order(array_answer *a, const value_counts *counts, uint64_t *order);

#endif
