// wf_reduce's kernels of floats of 16 bits.
#include "kernels.hpp"

template WF_REDUCE_LAUNCHES(wf::f16);
template WF_REDUCE_LAUNCHES(wf::bf16);
