// The kernels of radix sorts.
#include "kernels.hpp"

template WF_RADIX_LAUNCHES(uint8_t);
template WF_RADIX_LAUNCHES(uint16_t);
template WF_RADIX_LAUNCHES(uint32_t);
template WF_RADIX_LAUNCHES(uint64_t);
