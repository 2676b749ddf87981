#ifndef WAVEFOLD_NEAREST_H
#define WAVEFOLD_NEAREST_H

#include <stddef.h>

/* "Did you mean": the name most similar to word, or NULL if none is similar. The library and the programs
 * compile it. */
const char *wf_nearest_name(const char *word, const char *const *names, size_t count);

#endif
