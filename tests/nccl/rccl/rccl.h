/* RCCL's header as far as src/nccl calls it, where RCCL is not: its names are NCCL's, its streams HIP's. So that what is
 * built for RCCL compiles, here too. */
#include <hip/hip_runtime_api.h>

#define STANDIN_STREAM hipStream_t
#include "../standin_nccl.h"
