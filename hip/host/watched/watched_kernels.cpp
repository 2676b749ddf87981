// The kernels of the watched device: f32, i32 and i64, and u32 for wf_reduce. These few types show what a kernel does,
// and compile fast.
#include "../kernels/kernels.hpp"

#include "../../axes/launch_pairs.hpp"

template WF_LADDER_LAUNCHES(float);
template WF_LOOK_BACK_LAUNCHES(float);
template WF_LADDER_LAUNCHES(int32_t);
template WF_LOOK_BACK_LAUNCHES(int32_t);
template WF_LADDER_LAUNCHES(int64_t);
template WF_LOOK_BACK_LAUNCHES(int64_t);
template WF_SCAN_LAUNCHES;
template WF_REDUCE_LAUNCHES(float);
template WF_REDUCE_LAUNCHES(int32_t);
template WF_REDUCE_LAUNCHES(int64_t);
template WF_REDUCE_LAUNCHES(uint32_t);
template WF_SORT_LAUNCHES(uint32_t);
template WF_SORT_LAUNCHES(uint64_t);
template WF_RADIX_LAUNCHES(uint8_t);
template WF_RADIX_LAUNCHES(uint16_t);
template WF_RADIX_LAUNCHES(uint32_t);
template WF_RADIX_LAUNCHES(uint64_t);
template WF_AXES_LAUNCHES_OF_BITS(uint32_t);
template WF_AXES_LAUNCHES_OF_BITS(uint64_t);
template WF_AXES_LAUNCHES_OF_FLOATS(float);
template WF_AXES_LAUNCHES_OF_PAIRS;
