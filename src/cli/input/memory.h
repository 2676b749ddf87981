/* Whether an input fits on the host and on the device. */
#ifndef WAVEFOLD_CLI_INPUT_MEMORY_H
#define WAVEFOLD_CLI_INPUT_MEMORY_H

#include "input.h"

/* The input passes through host memory in pieces of this many bytes. */
enum { STAGE_BYTES = 1 << 24 };

/* Whether the data, and result_bytes per element, fit on the device and on the host. Prints both sizes and the remedy
 * and returns false if not. */
bool memory_suffices(const wf_device_info *device, const input *data, size_t result_bytes);

#endif
