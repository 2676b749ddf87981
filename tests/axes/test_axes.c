/* wf_reduce_axes and wf_describe_axes: every result is what wf_reduce or wf_describe gives for the same elements,
 * gathered.
 *
 *   test_axes DEVICE [PATTERN [SHARES SHARE]]   one in SHARES of the reductions, from number SHARE on */
#include "axes_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"

size_t shares = 1, share = 0;
wf_context *context, *host;

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "test_axes DEVICE [PATTERN [SHARES SHARE]]\n");
        return 2;
    }
    if (wf_context_create(&context, argv[1]) != WF_OK || wf_context_create(&host, "host") != WF_OK) {
        fprintf(stderr, "test_axes: %s\n", wf_last_error());
        return 1;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (argc > 4) {
        shares = strtoul(argv[3], NULL, 10);
        share = strtoul(argv[4], NULL, 10);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_and_columns),
                                       cmocka_unit_test(test_random_shapes),
                                       cmocka_unit_test(test_long_results),
                                       cmocka_unit_test(test_sums_that_need_digits),
                                       cmocka_unit_test(test_means_of_large_terms),
                                       cmocka_unit_test(test_descriptions_of_rows_and_columns),
                                       cmocka_unit_test(test_descriptions_of_random_shapes),
                                       cmocka_unit_test(test_long_descriptions),
                                       cmocka_unit_test(test_variances),
                                       cmocka_unit_test(test_refused_descriptions),
                                       cmocka_unit_test(test_lanes_that_disagree),
                                       cmocka_unit_test(test_threads_that_share_a_context),
                                       cmocka_unit_test(test_huge_counts),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_empty)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    wf_context_destroy(host);
    return failed;
}
