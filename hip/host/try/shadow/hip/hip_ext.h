/* HIP's extensions for a user's file. */
#include "hip_runtime.h"
