/* The two 16-bit floats, which C has no types for. */
#ifndef WAVEFOLD_ORACLE_HALF_H
#define WAVEFOLD_ORACLE_HALF_H

#include <stdint.h>

/* Exact. */
double f16_value(uint16_t bits);
double bf16_value(uint16_t bits);

/* The nearest, ties to even; infinity beyond the range. */
uint16_t f16_bits(double x);
uint16_t bf16_bits(double x);

#endif
