// The ladder's reductions and scans of f64.
#include "kernels.hpp"

template WF_LADDER_LAUNCHES(double);
template WF_LOOK_BACK_LAUNCHES(double);
