#ifndef WAVEFOLD_CLI_INPUT_HOST_MEMORY_H
#define WAVEFOLD_CLI_INPUT_HOST_MEMORY_H

#include <stdint.h>

/* Bytes that are available on the host; UINT64_MAX if that cannot be known. */
uint64_t memory_of_host(void);

#endif
