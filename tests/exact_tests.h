/* The tests of test_exact that are in other files than the one with its list, and the device that all run on. */
#ifndef WAVEFOLD_TESTS_EXACT_TESTS_H
#define WAVEFOLD_TESTS_EXACT_TESTS_H

#include <wavefold.h>

extern wf_context *context;

/* exact_states.c */
void test_broken_states(void **state);
void test_bounds_of_states(void **state);
void test_bytes_of_states(void **state);
void test_added_states(void **state);
void test_headroom(void **state);
void test_means_of_many(void **state);

#endif
