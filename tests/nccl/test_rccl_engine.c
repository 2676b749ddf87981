/* What engine.h makes of HIP's runtime, of which this is a stand-in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine.h"

static hipError_t last_error;
static int stream, destroyed;

hipError_t hipStreamSynchronize(hipStream_t of) {
    if (of == (hipStream_t)(void *)&stream)
        return hipSuccess;
    last_error = hipErrorInvalidHandle;
    return last_error;
}

hipError_t hipGetLastError(void) {
    const hipError_t error = last_error;
    last_error = hipSuccess;
    return error;
}

const char *hipGetErrorString(hipError_t error) {
    return error == hipErrorInvalidHandle ? "invalid resource handle" : "another error";
}

/* An error that is told is gone; one that the program has left stays. */
static void test_waiting(void **state) {
    (void)state;
    assert_string_equal(wf_engine_synchronise(&destroyed), "invalid resource handle");
    assert_int_equal(last_error, hipSuccess);
    last_error = hipErrorOutOfMemory;
    assert_null(wf_engine_synchronise(&stream));
    assert_int_equal(last_error, hipErrorOutOfMemory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waiting)};
    return cmocka_run_group_tests_name("RCCL's engine", tests, NULL, NULL);
}
