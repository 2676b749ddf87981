/* The result for no elements, for kernels. */
#ifndef WAVEFOLD_AXES_RESULT_OF_NONE_H
#define WAVEFOLD_AXES_RESULT_OF_NONE_H

#include "reduce/plan.h"
#include "request.h"

void wf_put_axes_result_of_none(const wf_reduce_plan *plan, wf_axes_request *request);

#endif
