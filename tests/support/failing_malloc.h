/* malloc and calloc of the whole process, made to fail on the calling thread. */
#ifndef WAVEFOLD_TESTS_FAILING_MALLOC_H
#define WAVEFOLD_TESTS_FAILING_MALLOC_H

#include <stdbool.h>

/* False under a sanitizer, whose own malloc it is. */
bool can_fail_malloc(void);

/* The number-th allocation from now on fails, counted from 1; 0: none. */
void fail_malloc_at(unsigned long number);
/* Ends that. True if one has failed. */
bool end_failing_malloc(void);
/* Allocations do not count between these two. */
void pause_failing_malloc(void);
void resume_failing_malloc(void);
/* How many blocks were allocated that free has not taken back, of all threads; 0 under a sanitizer. */
long blocks_held(void);

#endif
