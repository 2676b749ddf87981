#ifndef WAVEFOLD_ORACLE_ROUND_HALF_H
#define WAVEFOLD_ORACLE_ROUND_HALF_H

#include "algebra.h"

/* x as one of the two 16-bit floats: the nearest, ties to even; infinity beyond the range. src/half.h has the way back. */
uint16_t half_bits(wf_type type, double x);

#endif
