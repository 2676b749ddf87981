// wf_reduce's kernels of unsigned integers.
#include "kernels.hpp"

template WF_REDUCE_LAUNCHES(uint8_t);
template WF_REDUCE_LAUNCHES(uint16_t);
template WF_REDUCE_LAUNCHES(uint32_t);
template WF_REDUCE_LAUNCHES(uint64_t);
