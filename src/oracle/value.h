#ifndef WAVEFOLD_ORACLE_VALUE_H
#define WAVEFOLD_ORACLE_VALUE_H

#include "algebra.h"

#include <stdbool.h>
#include <stddef.h>

/* A number of any type. */
typedef union value {
#define VALUE_MEMBER(ENUM, name, ctype) ctype name;
    WF_TYPE_MAP(VALUE_MEMBER)
#undef VALUE_MEMBER
} value;

/* Read and write number i of an array. */
value value_at(wf_type type, const void *numbers, size_t i);
void value_put(wf_type type, void *numbers, size_t i, value v);

/* Floats round to nearest. Integers take the low bits. */
value value_of_double(wf_type type, double x);
value value_of_bits(wf_type type, uint64_t bits);
/* Integers beyond 2^53 are rounded. */
double value_to_double(wf_type type, value v);
/* An integer, widened with its sign. */
uint64_t value_to_bits(wf_type type, value v);

bool value_is_nan(wf_type type, value v);
bool value_same_bits(wf_type type, value a, value b);
/* The number of steps between representable values from a to b, for floats other than NaN. The infinities are the
 * neighbours of the largest numbers, and both zeros count as one value. */
uint64_t value_ulps(wf_type type, value a, value b);

enum { VALUE_TEXT = 40 };
/* 17 digits: enough to read the same value again. */
void value_format(wf_type type, value v, char text[VALUE_TEXT]);
/* 12 digits, or the digits of the type if they are fewer. */
void value_format_short(wf_type type, value v, char text[VALUE_TEXT]);
/* 6 digits, or the digits of the type if they are fewer. */
void value_format_brief(wf_type type, value v, char text[VALUE_TEXT]);
/* The fewest digits from which the same value is read again, both directly and through a double. */
void value_format_shortest(wf_type type, value v, char text[VALUE_TEXT]);
/* C's hexadecimal floating point, or the bits of an integer. */
void value_format_hex(wf_type type, value v, char text[VALUE_TEXT]);

#endif
