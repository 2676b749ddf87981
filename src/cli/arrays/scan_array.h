#ifndef WAVEFOLD_CLI_ARRAYS_SCAN_ARRAY_H
#define WAVEFOLD_CLI_ARRAYS_SCAN_ARRAY_H

#include "array_answer.h"

/* Scans the rows of a prepared array into its output: in pieces, with the bits of one scan, where the rows lie one
 * behind the other. Prints the reason and returns false on failure. */
bool scan_array(array_answer *a, const wf_scan_spec *spec);

#endif
