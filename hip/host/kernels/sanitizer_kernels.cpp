// What a build with sanitizers has of the kernels, so that it is compiled in seconds: those of f32, and sorts. The
// emulator's own code, which is what sanitizers are to see, is the same for all of them.
#include "kernels.hpp"

#include "../../axes/launch_pairs.hpp"

template WF_LADDER_LAUNCHES(float);
template WF_LOOK_BACK_LAUNCHES(float);
template WF_SCAN_LAUNCHES;
template WF_REDUCE_LAUNCHES(float);
template WF_SORT_LAUNCHES(uint32_t);
template WF_SORT_LAUNCHES(uint64_t);
template WF_RADIX_LAUNCHES(uint8_t);
template WF_RADIX_LAUNCHES(uint16_t);
template WF_RADIX_LAUNCHES(uint32_t);
template WF_RADIX_LAUNCHES(uint64_t);
template WF_AXES_LAUNCHES_OF_BITS(uint32_t);
template WF_AXES_LAUNCHES_OF_FLOATS(float);
template WF_AXES_LAUNCHES_OF_PAIRS;
