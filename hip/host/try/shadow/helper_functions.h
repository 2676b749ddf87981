/* Names of the helpers of NVIDIA's samples, for a user's file. */
#include "helper_string.h"
#include "helper_timer.h"
