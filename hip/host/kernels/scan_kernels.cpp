// The kernels that scan.
#include "kernels.hpp"

template WF_SCAN_LAUNCHES;
