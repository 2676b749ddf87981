// wf_reduce's kernels of signed integers.
#include "kernels.hpp"

template WF_REDUCE_LAUNCHES(int8_t, int32_t, int64_t);
template WF_REDUCE_LAUNCHES(int16_t, int32_t, int64_t);
template WF_REDUCE_LAUNCHES(int32_t, int32_t, int64_t);
template WF_REDUCE_LAUNCHES(int64_t, int32_t, int64_t);
