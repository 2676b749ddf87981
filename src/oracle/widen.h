/* Elements of any type as numbers of one: floats as double, integers as 64 bits. Both are exact. */
#ifndef WAVEFOLD_ORACLE_WIDEN_H
#define WAVEFOLD_ORACLE_WIDEN_H

#include "wavefold.h"

#include <stddef.h>

void widen_floats(wf_type type, const void *elements, size_t count, double *wide);
/* With their sign, which is that of int64_t. */
void widen_integers(wf_type type, const void *elements, size_t count, uint64_t *wide);

#endif
