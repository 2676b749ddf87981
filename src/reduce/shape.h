/* Chooses the shape of a reduction's launch. */
#ifndef WAVEFOLD_REDUCE_SHAPE_H
#define WAVEFOLD_REDUCE_SHAPE_H

#include "plan.h"

/* in: the address at which kernels read the count elements; NULL: an aligned address. */
wf_launch_shape wf_reduce_shape(const wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count);

#endif
