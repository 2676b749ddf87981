/* The blocks of wf_malloc, and checks of arrays against them. */
#ifndef WAVEFOLD_DEVICE_MEMORY_H
#define WAVEFOLD_DEVICE_MEMORY_H

#include "wavefold.h"

/* WF_INVALID_ARGUMENT if the array begins in a block and runs past its end; on the host device also if it is in no
 * block, so that errors show which a GPU would report. GPUs accept other memory, since their vendor's runtime may have
 * allocated it. name is the parameter, for the message. 0 bytes are always accepted. */
wf_status wf_check_device_memory(const wf_context *context, const char *name, const void *array, size_t bytes);
/* Releases all blocks. */
void wf_device_memory_destroy(wf_context *context);

#endif
