#ifndef WAVEFOLD_CLI_ARRAYS_EQUAL_BITS_H
#define WAVEFOLD_CLI_ARRAYS_EQUAL_BITS_H

#include "wavefold.h"

/* Gives numbers that compare equal the same bits: -0 becomes +0. Every NaN becomes the quiet one without sign and
 * payload. Integers stay. numbers: aligned to the type. */
void give_equal_bits(wf_type type, void *numbers, size_t count);

#endif
