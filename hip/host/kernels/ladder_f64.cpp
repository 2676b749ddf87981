// The ladder's reductions and scans of f64.
#include "kernels.hpp"

template WF_LADDER_LAUNCHES(double);
template WF_SCAN_LAUNCHES(double);
