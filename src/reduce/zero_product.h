/* Products of finite floats that contain a zero. */
#ifndef WAVEFOLD_REDUCE_ZERO_PRODUCT_H
#define WAVEFOLD_REDUCE_ZERO_PRODUCT_H

#include "plan.h"

/* True for products of floats: one partial product can overflow and another be 0, and their product is then NaN. */
bool wf_may_lose_a_zero(const wf_reduce_plan *plan);

/* As wf_run_plan. If the product is NaN, three more reductions inspect the elements: if all are finite and one is 0,
 * the result is 0 with the sign of the real product. */
wf_status wf_reduce_product(wf_context *context, const wf_reduce_plan *plan, const void *in, size_t count,
                            void *result);

#endif
