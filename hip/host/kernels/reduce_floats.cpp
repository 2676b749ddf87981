// wf_reduce's kernels of floats of 32 and 64 bits.
#include "kernels.hpp"

template WF_REDUCE_LAUNCHES(float);
template WF_REDUCE_LAUNCHES(double);
