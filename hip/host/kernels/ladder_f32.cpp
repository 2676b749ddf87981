// The ladder's reductions and scans of f32.
#include "kernels.hpp"

template WF_LADDER_LAUNCHES(float);
template WF_LOOK_BACK_LAUNCHES(float);
