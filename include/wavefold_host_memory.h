/* Arrays of the caller's own on the CPU: for bindings of other languages, whose arrays are not from wf_malloc.
 *
 * What wavefold.h says of every function holds here, too. */
#ifndef WAVEFOLD_HOST_MEMORY_H
#define WAVEFOLD_HOST_MEMORY_H

#include "wavefold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From now on scans and sorts of this context take any memory of the process, not blocks of wf_malloc alone, as
 * reductions do. An array that begins in a block must still end in it.
 *   fails:    WF_UNSUPPORTED: a GPU, or emulated kernels, which need device memory */
WF_API wf_status wf_context_take_host_memory(wf_context *context);

#ifdef __cplusplus
}
#endif
#endif
