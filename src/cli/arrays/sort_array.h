#ifndef WAVEFOLD_CLI_ARRAYS_SORT_ARRAY_H
#define WAVEFOLD_CLI_ARRAYS_SORT_ARRAY_H

#include "array_answer.h"

/* Bytes of a position in a row, on the device: 4 or 8. */
uint32_t sort_position_bytes(const row_layout *layout);

/* Sorts each row of a prepared array, or its positions, into the output. spec: value_bytes is 0, or that of positions.
 * Prints the reason and returns false on failure. */
bool sort_array(array_answer *a, const wf_sort_spec *spec);

#endif
