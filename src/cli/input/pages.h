#ifndef WAVEFOLD_CLI_INPUT_PAGES_H
#define WAVEFOLD_CLI_INPUT_PAGES_H

#include <stdint.h>

/* Memory in whole pages, aligned as a mapped file is: so the same elements give the same bits in both. munmap frees it.
 * Grows or shrinks `pages` from one size in bytes to another, each more than 0; NULL and 0 make new ones. NULL if there
 * is no memory, and then the old pages stay. */
void *pages_resize(void *pages, uint64_t from, uint64_t to);

#endif
