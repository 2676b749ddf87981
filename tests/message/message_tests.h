/* The tests of test_message that are in other files than the one with its list. */
#ifndef WAVEFOLD_TESTS_MESSAGE_TESTS_H
#define WAVEFOLD_TESTS_MESSAGE_TESTS_H

/* fields.c */
void test_many_fields(void **state);
void test_mixed_fields(void **state);
void test_numbers_of_fields(void **state);
void test_alignment_of_results(void **state);
void test_sizes(void **state);
void test_requests(void **state);

/* joins.c */
void test_long_mean(void **state);
void test_wide_mean(void **state);
void test_pieces(void **state);
void test_mean_of_equals(void **state);
void test_large_means(void **state);
void test_large_counts(void **state);
void test_one_part(void **state);
void test_means_that_lack(void **state);
void test_nothing_but_nan(void **state);
void test_lowest_index(void **state);

/* refused.c */
void test_bad_messages(void **state);
void test_nothing_is_half_done(void **state);
void test_failures(void **state);

/* states.c */
void test_states(void **state);
void test_joined_states(void **state);
void test_ties(void **state);

#endif
