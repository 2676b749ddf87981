// The ladder's reductions and scans of i32.
#include "kernels.hpp"

template WF_LADDER_LAUNCHES(int32_t);
template WF_LOOK_BACK_LAUNCHES(int32_t);
