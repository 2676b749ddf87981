#ifndef WAVEFOLD_CLI_INPUT_HOST_MEMORY_H
#define WAVEFOLD_CLI_INPUT_HOST_MEMORY_H

#include <stdint.h>

/* Bytes available on the host; UINT64_MAX if unknown. */
uint64_t memory_of_host(void);

#endif
