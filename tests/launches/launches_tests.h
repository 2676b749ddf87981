/* The tests of test_launches that are in other files than the one with its list, and what all of them use. */
#ifndef WAVEFOLD_TESTS_LAUNCHES_TESTS_H
#define WAVEFOLD_TESTS_LAUNCHES_TESTS_H

#include "noting_gpu.h"

#include <wavefold.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define MIB ((size_t)1 << 20)

extern noting_gpu *gpu;
extern wf_context *context;
extern char streams[100];    /* each of them is one, by its address */
extern char *const far_away; /* an array of any length, which nobody reads */
extern double values[10];    /* which the device does not reach */

/* Of f32, of f64, and of maps of i32, which do not commute. */
extern const wf_reduce_spec fast, exact, wide, exact_wide, maps;

void forget_calls(void); /* what the GPU has been asked for until now */
void reopen(void);       /* the context, of which nothing may be left */
const wf_reduce_request *only_launch(void);

/* parts.c */
void test_parts(void **state);
void test_failing_parts(void **state);
void test_pieces(void **state);
void test_staging(void **state);

/* waits.c */
void test_streams(void **state);
void test_refused_streams(void **state);
void test_captures(void **state);
void test_slots(void **state);
void test_notices(void **state);
void test_waiting_with_nothing(void **state);
void test_turns(void **state);
void test_failing_beside(void **state);
void test_cancelled_in_launches(void **state);
void test_cancelled_in_wait(void **state);

/* failures.c */
void test_failures(void **state);
void test_failing_rungs(void **state);
void test_other_devices(void **state);
void test_no_context(void **state);
void test_host_memory(void **state);
void test_refused(void **state);

#endif
