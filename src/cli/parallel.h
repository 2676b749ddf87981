/* Independent parts of work, on all cores. */
#ifndef WAVEFOLD_CLI_PARALLEL_H
#define WAVEFOLD_CLI_PARALLEL_H

#include <stddef.h>

typedef void parallel_part(void *shared, size_t part);
/* Parts 0 to parts - 1, in any order; returns when all are done. */
void parallel(size_t parts, parallel_part *work, void *shared);

#endif
