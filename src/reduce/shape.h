/* The shape of a reduction's launch. */
#ifndef WAVEFOLD_REDUCE_SHAPE_H
#define WAVEFOLD_REDUCE_SHAPE_H

#include "plan.h"

/* For count elements. in: where the kernels read them; NULL: at aligned addresses. */
wf_launch_shape wf_reduce_shape(const wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count);

#endif
