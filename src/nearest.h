#ifndef WAVEFOLD_NEAREST_H
#define WAVEFOLD_NEAREST_H

#include <stddef.h>

/* "Did you mean": the library and the program both compile this in.
 *
 * The name that word was most likely meant to be, or NULL if none is near. */
const char *wf_nearest_name(const char *word, const char *const *names, size_t count);

#endif
