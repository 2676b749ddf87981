// wf_reduce's kernels of signed integers.
#include "kernels.hpp"

template WF_REDUCE_LAUNCHES(int8_t);
template WF_REDUCE_LAUNCHES(int16_t);
template WF_REDUCE_LAUNCHES(int32_t);
template WF_REDUCE_LAUNCHES(int64_t);
