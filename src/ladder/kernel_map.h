/* The kernels that are the ladder's own. */
#ifndef WAVEFOLD_LADDER_KERNEL_MAP_H
#define WAVEFOLD_LADDER_KERNEL_MAP_H

#include "ladder_map.h"

/* The reductions, or sorts, that a kernel is built for. */
enum {
    WF_FOLDS_CORE = 1,    /* sum, min and max of f32, f64, i32 and i64, in their own type, propagating NaN */
    WF_FOLDS_ORDERED = 3, /* these, and the ordered operators */
    WF_FOLDS_WIDE = 5,    /* all of wf_reduce_spec's table but the ordered operators */
    WF_FOLDS_ALL = 7,     /* all of it */
    WF_FOLDS_EXACT = 32,  /* sums of floats that are rounded once */
    WF_FOLDS_KEYS = 8,    /* sorts of 4 or 8 bytes, alone or with values of 4 bytes */
    WF_FOLDS_RECORDS = 24 /* and with values of 8 bytes */
};

/* X(name, shape, function, loads, folds): the kernels. The shape says which fields of wf_ladder_request a kernel takes
 * besides type, op and head, and its template parameters besides type and operator:
 *   NONE      no kernel
 *   IN_PLACE  data, data_count, tail, first, stride, window
 *   TILED     source, result
 *   WAVES     source, result; wave width, loads
 *   UNROLLED  source, result; wave width, tile size
 *   TICKET    source, partials, result, ticket; wave width, loads
 *   SCAN      source, result, partials, span, exclusive
 *   PREFIXES  source, result, span */
#define WF_LADDER_KERNEL_OF(X, kernel, suffix, family, shape, loads, folds, ...)                                       \
    X(kernel##suffix, shape, kernel, loads, folds)
#define WF_LADDER_KERNEL_MAP(X)                                                                                        \
    WF_LADDER(WF_LADDER_KERNEL_OF, X)                                                                                  \
    X(add_prefixes, PREFIXES, add_prefixes, 1, ORDERED) /* of hillis_steele and blelloch */

typedef enum wf_ladder_kernel {
#define WF_LADDER_KERNEL_ENUM(name, shape, function, loads, folds) WF_KERNEL_##name,
    WF_LADDER_KERNEL_MAP(WF_LADDER_KERNEL_ENUM)
#undef WF_LADDER_KERNEL_ENUM
        WF_KERNEL_COUNT
} wf_ladder_kernel;

#endif
