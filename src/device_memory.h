/* The blocks that wf_malloc gave out, and which arrays lie in them. */
#ifndef WAVEFOLD_DEVICE_MEMORY_H
#define WAVEFOLD_DEVICE_MEMORY_H

#include "wavefold.h"

/* WF_INVALID_ARGUMENT if the array begins in a block and runs past its end, or if it must be a block's and is none's:
 * the host device would take any address, where a GPU fails. A GPU also takes memory of its vendor's runtime, which the
 * context does not know. name is the parameter's, for the message. No bytes are always accepted. */
wf_status wf_check_device_memory(const wf_context *context, const char *name, const void *array, size_t bytes);
/* Releases every block that is left. */
void wf_device_memory_destroy(wf_context *context);

#endif
