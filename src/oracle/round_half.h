#ifndef WAVEFOLD_ORACLE_ROUND_HALF_H
#define WAVEFOLD_ORACLE_ROUND_HALF_H

#include "algebra.h"

/* Rounds x to a 16-bit float: to nearest, ties to even; infinity beyond the range. src/half.h converts back. */
uint16_t half_bits(wf_type type, double x);

#endif
