/* What the parts of test_api share: the context, and the tests that test_api.c runs. */
#ifndef WAVEFOLD_TESTS_API_TESTS_H
#define WAVEFOLD_TESTS_API_TESTS_H

#include <wavefold.h>

#include <stdbool.h>

extern wf_context *context;

/* Of memory.c. */
void test_blocks(void **state);
void test_many_blocks(void **state);
void test_host_arrays(void **state);
void test_host_memory_taken(void **state);
void test_indexed_results(void **state);

/* Of structs.c. */
void test_result_bytes(void **state);
void test_reserved_fields(void **state);
void test_scan_specs(void **state);

/* Of rungs.c. */
bool reduces(size_t rung);
void test_rung_table(void **state);
void test_reductions(void **state);
void test_rung_supports(void **state);
void test_rung_misuse(void **state);
void test_empty_arrays(void **state);
void test_read_ceiling(void **state);
void test_reports(void **state);
void test_rungs_in_modes(void **state);

/* Of modes.c: the test that the argument names, with a context if it needs one. The exit status; -1: there is none
 * of that name. */
int run_alone(const char *argument);

/* Of launches.c: how many of its tests fail, on a context of host:32. */
int run_launch_tests(void);

#endif
