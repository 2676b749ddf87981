/* Numbers of every element type, one at a time: what the tests know of the types, apart from the library. */
#ifndef WAVEFOLD_TESTS_NUMBERS_H
#define WAVEFOLD_TESTS_NUMBERS_H

#include <wavefold.h>

#include <stdbool.h>

bool number_is_float(wf_type type);
/* Bits of significand of a float type. */
int number_precision(wf_type type);
/* The smallest positive number of a float type. */
double number_smallest(wf_type type);

/* Number i of an array. Integers are widened to 64 bits with their sign, floats exactly. */
uint64_t number_integer(wf_type type, const void *array, size_t i);
double number_float(wf_type type, const void *array, size_t i);
long double number_value(wf_type type, const void *array, size_t i);
bool number_is_nan(wf_type type, const void *array, size_t i);
/* The bits as they are, in the low ones of 64. */
uint64_t number_bits(wf_type type, const void *array, size_t i);
/* Whether number i comes before number j; -0 comes before +0. No NaN. */
bool number_less(wf_type type, const void *array, size_t i, size_t j);

/* Cut to the type's bits. */
void number_put_integer(wf_type type, void *array, size_t i, uint64_t value);
/* Rounded to the type, half away from zero for f16 and bf16. */
void number_put_float(wf_type type, void *array, size_t i, double value);

/* The bits of the largest number of the type (+infinity), or of the least. */
uint64_t number_extreme(wf_type type, bool largest);

#endif
