/* Reductions of two arrays: every result is what the elements of its row give one by one, or gathered.
 *
 *   test_pairs DEVICE [PATTERN [SHARES SHARE]]   one in SHARES of the reductions, from number SHARE on */
#include "pairs_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

size_t shares = 1, share = 0;
wf_context *context, *host;

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "test_pairs DEVICE [PATTERN [SHARES SHARE]]\n");
        return 2;
    }
    if (wf_context_create(&context, argv[1]) != WF_OK || wf_context_create(&host, "host") != WF_OK) {
        fprintf(stderr, "test_pairs: %s\n", wf_last_error());
        return 1;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (argc > 4) {
        shares = strtoul(argv[3], NULL, 10);
        share = strtoul(argv[4], NULL, 10);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),      cmocka_unit_test(test_long_weights),
        cmocka_unit_test(test_dot),          cmocka_unit_test(test_refused_weights),
        cmocka_unit_test(test_masks),        cmocka_unit_test(test_long_masks),
        cmocka_unit_test(test_masked_means), cmocka_unit_test(test_refused_masks),
        cmocka_unit_test(test_norms),        cmocka_unit_test(test_norms_of_huge_and_tiny_numbers),
        cmocka_unit_test(test_refused_norms)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wf_context_destroy(context);
    wf_context_destroy(host);
    return failed;
}
