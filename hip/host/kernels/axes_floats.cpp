// Sums and products of floats along axes.
#include "kernels.hpp"

template WF_AXES_LAUNCHES_OF_FLOATS(float);
template WF_AXES_LAUNCHES_OF_FLOATS(double);
template WF_AXES_LAUNCHES_OF_FLOATS(wf::f16);
template WF_AXES_LAUNCHES_OF_FLOATS(wf::bf16);
