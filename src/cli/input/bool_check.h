#ifndef WAVEFOLD_CLI_INPUT_BOOL_CHECK_H
#define WAVEFOLD_CLI_INPUT_BOOL_CHECK_H

#include "input.h"

/* Of an array of bool, elements first to first + count - 1: false, with the reason printed, if a byte is neither 0 nor
 * 1. NumPy takes such a byte for true, and a sum of bytes would not. True for any other input. */
bool input_check_bools(const input *in, uint64_t first, uint64_t count);

#endif
