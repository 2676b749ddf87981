// The ladder's reductions and scans of i64.
#include "kernels.hpp"

template WF_LADDER_LAUNCHES(int64_t);
template WF_LOOK_BACK_LAUNCHES(int64_t);
