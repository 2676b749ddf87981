// Kernels along axes of two arrays.
#include "kernels.hpp"

#include "../../axes/launch_pairs.hpp"

template WF_AXES_LAUNCHES_OF_PAIRS;
