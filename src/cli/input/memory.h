/* Whether an input has room on the host and on the device. */
#ifndef WAVEFOLD_CLI_INPUT_MEMORY_H
#define WAVEFOLD_CLI_INPUT_MEMORY_H

#include "input.h"

/* The input passes through host memory in pieces of this many bytes. */
enum { STAGE_BYTES = 1 << 24 };

/* Whether the data fit, and result_bytes for each element, on the device and on the host; false, with both sizes and
 * the remedy printed. */
bool memory_suffices(const wf_device_info *device, const input *data, size_t result_bytes);

#endif
