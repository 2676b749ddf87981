/* What the C tests ask of every call. To be included behind cmocka.h. */
#ifndef WAVEFOLD_TESTS_REQUIRE_H
#define WAVEFOLD_TESTS_REQUIRE_H

#include <wavefold.h>

#include <string.h>

static inline void require(wf_status status) {
    if (status != WF_OK)
        fail_msg("%s: %s", wf_status_name(status), wf_last_error());
}

/* The call must fail with this status, and say this. */
static inline void refuses(wf_status got, wf_status expected, const char *says) {
    assert_string_equal(wf_status_name(got), wf_status_name(expected));
    if (strstr(wf_last_error(), says) == NULL)
        fail_msg("'%s' does not say '%s'", wf_last_error(), says);
}

#endif
