// Kernels along axes of elements by their bits: integers, and extremes of floats.
#include "kernels.hpp"

template WF_AXES_LAUNCHES_OF_BITS(uint8_t);
template WF_AXES_LAUNCHES_OF_BITS(uint16_t);
template WF_AXES_LAUNCHES_OF_BITS(uint32_t);
template WF_AXES_LAUNCHES_OF_BITS(uint64_t);
