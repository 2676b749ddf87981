// The kernels that sort.
#include "kernels.hpp"

template WF_SORT_LAUNCHES;
