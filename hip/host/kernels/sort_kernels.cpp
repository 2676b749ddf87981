// The kernels of sorting networks.
#include "kernels.hpp"

template WF_SORT_LAUNCHES(uint32_t);
template WF_SORT_LAUNCHES(uint64_t);
