/* The wrapped module's table in a test's hands: its calls are counted, and one of them is made to fail. And the time of
 * the whole process, which a test may tell. */
#ifndef WAVEFOLD_TESTS_FAILING_BACKEND_H
#define WAVEFOLD_TESTS_FAILING_BACKEND_H

#include <stdbool.h>

#include "backend.h"

/* What the library calls; the module must be loaded. What is changed in it before watch_backend stays behind the
 * counting. */
wf_backend *backend_table(void);
void watch_backend(void);
/* As before watch_backend; what was changed before stays. */
void leave_backend(void);

/* The number-th call from now on fails, counted from 1; 0: none. */
void fail_backend_at(unsigned long number, wf_status status);
/* Ends that: the function that failed, or NULL. */
const char *end_failing_backend(void);
/* Allocations that were not given back since watch_backend. */
long live_allocations(void);

/* CLOCK_MONOTONIC of the whole process, in nanoseconds, from now on: it stands, but for what each look at it takes. */
void stop_clock(unsigned long long at, unsigned long long look);
void advance_clock(double seconds);
/* It runs again. */
void release_clock(void);

#endif
