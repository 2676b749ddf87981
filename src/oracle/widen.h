/* Exact conversion of arrays: floats to double, integers to 64 bits. */
#ifndef WAVEFOLD_ORACLE_WIDEN_H
#define WAVEFOLD_ORACLE_WIDEN_H

#include "wavefold.h"

#include <stddef.h>

void widen_floats(wf_type type, const void *elements, size_t count, double *wide);
/* Signed integers are sign-extended. */
void widen_integers(wf_type type, const void *elements, size_t count, uint64_t *wide);

#endif
