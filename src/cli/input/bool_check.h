#ifndef WAVEFOLD_CLI_INPUT_BOOL_CHECK_H
#define WAVEFOLD_CLI_INPUT_BOOL_CHECK_H

#include "input.h"

/* For an array of bool: prints the reason and returns false if a byte of elements first to first + count - 1 is neither
 * 0 nor 1, since NumPy reads such a byte as true and a sum of bytes would not. True for other inputs. */
bool input_check_bools(const input *in, uint64_t first, uint64_t count);

#endif
