/* Lines of a program's output that name a failure, and lines that only look so. */
#include "cli/try/own_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const failures[] = {"Test FAILED",
                                       "3 mismatches",
                                       "result is incorrect",
                                       "failed: 0.5 of all",
                                       "mismatch: 0 != 5",
                                       "mismatch (0,0): 3 vs 4",
                                       "mismatch at 0",
                                       "INCORRECT (0 vs 5)",
                                       "MISMATCH 0 1 2",
                                       "WRONG",
                                       "Results do not match",
                                       "Results don't match!",
                                       "Test did not pass",
                                       "NOT OK",
                                       "[FAILED] 0 of them",
                                       "sum: PASSED, max: FAILED",
                                       "2 tests failed, 3 passed",
                                       "\xe2\x9d\x8c FAILED",
                                       "\t FAIL: expected 10 got 0\r"};
static const char *const others[] = {"",
                                     "PASSED",
                                     "max error: 0.25",
                                     "0 mismatches",
                                     "no failure",
                                     "0 tests failed",
                                     "0 of 1000 failed",
                                     "5 passed, 0 failed",
                                     "None of the tests failed",
                                     "failed: 0",
                                     "passed: 5, failed: 0",
                                     "Failed tests: 0",
                                     "failed: 0.00%",
                                     "mismatches found: 0",
                                     "Max mismatch = 0.0000",
                                     "Checking for mismatch: OK",
                                     "failed: false",
                                     "fail-fast enabled",
                                     "failover unfailing"};

static void test_failures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        char output[128];
        snprintf(output, sizeof output, "sum 5\n\n%s\nFAILED\n", failures[i]);
        char *found = own_failure(output);
        if (found == NULL || strncmp(found, "line 3 is '", 11) != 0)
            print_message("%s: %s\n", failures[i], found != NULL ? found : "not found");
        assert_true(found != NULL && strncmp(found, "line 3 is '", 11) == 0);
        assert_null(strpbrk(found, "\t\r\n"));
        free(found);
    }
}

static void test_others(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *found = own_failure(others[i]);
        if (found != NULL)
            print_message("%s\n", found);
        assert_null(found);
    }
}

static void test_long_lines_are_cut(void **state) {
    (void)state;
    char output[300];
    memset(output, 'x', sizeof output);
    memcpy(output, "FAILED ", 7);
    output[299] = '\0';
    char *found = own_failure(output);
    assert_int_equal(strlen(found), strlen("line 1 is '...'") + 60);
    free(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures), cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_long_lines_are_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
