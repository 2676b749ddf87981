/* The parts of test_tuning: each runs its tests, and returns how many fail. */
#ifndef WAVEFOLD_TESTS_TUNING_TESTS_H
#define WAVEFOLD_TESTS_TUNING_TESTS_H

int run_pretended_tests(void);            /* of pretended.c */
int run_failing_files_tests(void);        /* of files.c */
int run_thread_tests(const char *change); /* of threads.c */

#endif
