#ifndef WAVEFOLD_CLI_NEAREST_H
#define WAVEFOLD_CLI_NEAREST_H

#include <stddef.h>

/* The name that word was most likely meant to be, or NULL if none is near. */
const char *nearest_name(const char *word, const char *const *names, size_t count);

#endif
