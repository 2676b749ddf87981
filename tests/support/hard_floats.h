/* Floats that are hard to add up: the inputs of results/exact-bits.md and results/rank-bits.md. */
#ifndef WAVEFOLD_TESTS_HARD_FLOATS_H
#define WAVEFOLD_TESTS_HARD_FLOATS_H

#include <wavefold.h>

enum { HARD_INPUTS = 14, HARD_MOST = (1 << 20) + 1 }; /* the most elements of an input */

const char *hard_name(size_t input);
size_t hard_count(size_t input);
/* Writes element i of the input, a float of the type, to at: any address. */
void hard_put(size_t input, wf_type type, size_t i, void *at);

#endif
