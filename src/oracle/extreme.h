/* The least or the largest element with its lowest index, and the index of the first NaN. */
#ifndef WAVEFOLD_ORACLE_EXTREME_H
#define WAVEFOLD_ORACLE_EXTREME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element, widened by widen.h. */
typedef union wide {
    double number;
    uint64_t bits;
} wide;

typedef struct extreme {
    bool want_least;
    bool any, any_nan;
    wide found;
    uint64_t index, nan_index;
    uint64_t count; /* elements so far */
} extreme;

/* IEEE 754-2019's order: -0 is less than +0. */
void extreme_add_floats(extreme *of, const double *numbers, size_t count);
void extreme_add_integers(extreme *of, bool has_sign, const uint64_t *numbers, size_t count);
/* next: the elements that follow those of `of`. */
void extreme_merge_floats(extreme *of, const extreme *next);
void extreme_merge_integers(extreme *of, bool has_sign, const extreme *next);

#endif
