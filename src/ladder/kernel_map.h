/* The ladder's own kernels. */
#ifndef WAVEFOLD_LADDER_KERNEL_MAP_H
#define WAVEFOLD_LADDER_KERNEL_MAP_H

#include "ladder_map.h"

/* Groups of reductions, or sorts, for which a kernel is built. */
enum {
    WF_FOLDS_CORE = 1,    /* sum, min and max of f32, f64, i32 and i64, in their own type, propagating NaN */
    WF_FOLDS_ORDERED = 3, /* CORE and the ordered operators */
    WF_FOLDS_WIDE = 5,    /* every reduction but the ordered operators */
    WF_FOLDS_ALL = 7,     /* every reduction */
    WF_FOLDS_EXACT = 32,  /* exact sums of floats */
    WF_FOLDS_KEYS = 8,    /* sorts of keys of 4 or 8 bytes, alone or with values of 4 bytes */
    WF_FOLDS_RECORDS = 24 /* KEYS, also with values of 8 bytes */
};

/* X(name, shape, function, loads, folds): the kernels. The shape names the fields of wf_ladder_request that a kernel
 * takes, in addition to head, type and op, and its template parameters, in addition to type and operator:
 *   NONE      no kernel
 *   IN_PLACE  data, data_count, tail, first, stride, window
 *   TILED     source, result
 *   WAVES     source, result; wave width, loads
 *   UNROLLED  source, result; wave width, tile size
 *   TICKET    source, partials, result, ticket; wave width, loads
 *   SCAN      source, result, partials, span, exclusive
 *   PREFIXES  source, result, span
 *   ROWS      source, result, row_length
 *   ROW_WAVES source, result, row_length; wave width
 *   COLUMNS   source, result, row_length, bands; wave width
 *   SEGMENTS  source, ends, result, partials, partial_count, first, span; wave width */
#define WF_LADDER_KERNEL_OF(X, kernel, suffix, family, shape, loads, folds, ...)                                       \
    X(kernel##suffix, shape, kernel, loads, folds)
#define WF_LADDER_KERNEL_MAP(X)                                                                                        \
    WF_LADDER(WF_LADDER_KERNEL_OF, X)                                                                                  \
    X(add_prefixes, PREFIXES, add_prefixes, 1, ORDERED) /* used by hillis_steele and blelloch */                       \
    X(join_segments, SEGMENTS, join_segments, 1, CORE)  /* used by segments */

typedef enum wf_ladder_kernel {
#define WF_LADDER_KERNEL_ENUM(name, shape, function, loads, folds) WF_KERNEL_##name,
    WF_LADDER_KERNEL_MAP(WF_LADDER_KERNEL_ENUM)
#undef WF_LADDER_KERNEL_ENUM
        WF_KERNEL_COUNT
} wf_ladder_kernel;

#endif
