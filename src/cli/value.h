#ifndef WAVEFOLD_CLI_VALUE_H
#define WAVEFOLD_CLI_VALUE_H

#include "wavefold.h"

#include <stdbool.h>

/* One element of any type, as wf_rung_run writes it. */
typedef union value {
    float f32;
    double f64;
    int32_t i32;
    int64_t i64;
} value;

bool type_is_float(wf_type type);
double value_to_double(wf_type type, value v);
bool value_is_nan(wf_type type, value v);
bool value_same_bits(wf_type type, value a, value b);
/* How many representable values lie from a to b; the infinities are the neighbours of the largest numbers, and the two
 * zeros are one. Floats that are no NaN only. */
uint64_t value_ulps(wf_type type, value a, value b);

enum { VALUE_TEXT = 40 };
/* With as many digits as are needed to read the same value again. */
void value_format(wf_type type, value v, char text[VALUE_TEXT]);
/* Shorter where that is long: 12 digits. */
void value_format_short(wf_type type, value v, char text[VALUE_TEXT]);
/* C's hexadecimal floating point, or the bits of an integer. */
void value_format_hex(wf_type type, value v, char text[VALUE_TEXT]);

#endif
