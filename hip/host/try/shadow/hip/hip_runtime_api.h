/* HIP's runtime for a user's file. */
#include "hip_runtime.h"
