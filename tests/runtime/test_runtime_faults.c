/* Every call of the vendor's runtime is made to fail once, with each class of error, in every function of the library
 * that makes one: test_runtime_faults amd|nvidia. The module is the real one; WAVEFOLD_STANDIN is the runtime that it
 * finds, and launching_module.c runs the kernels.
 *
 * Whatever fails: the status is right, the sentence names the call, the result is as it was, nothing is used after it
 * was given back, nothing is left when the context is destroyed, and the context goes on; but for errors that stay, of
 * which the next call tells. What the host device gives for the same is what is right. */
#define _GNU_SOURCE
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"

#include <dlfcn.h>
#include <stdio.h>
#include <wavefold_ladder.h>
#include <wavefold_tune.h>

const char *device;
standin_runtime *standin;
standin_reset_function *reset;
int (*stream_create)(void **stream), (*stream_destroy)(void *stream);
const operation *running;

static void every_call_of_a_function(void **unused) {
    (void)unused;
    for (size_t i = 0; i < operation_count; i++)
        fail_every_call(&operations[i], true);
}

static void every_call_of_a_rung(void **unused) {
    (void)unused;
    for (size_t i = 0; i < wf_rung_count(); i++) {
        wf_rung_info info;
        require(wf_rung_get_info(i, &info));
        const bool reduces = info.kind == WF_RUNG_REDUCES;
        const size_t pairs = info.kind == WF_RUNG_SORTS_PAIRS ? 2 : 1;
        const operation spec = {info.name, run_rung, reduces ? 4 : 0, reduces ? 0 : 4 * COUNT * pairs, (int)i};
        fail_every_call(&spec, false);
    }
}

static void tuning(void **unused) {
    (void)unused;
    const wf_tune_spec spec = {.most_bytes = 4096, .dry_run = 1};
    void (*const launch)(void) = standin->launch;
    bench b;
    running = NULL;
    make_bench(&b, device);
    standin->launch = NULL; /* nobody looks at the results */
    standin->calls = 0;
    require(wf_tune(b.context, &spec, NULL, NULL));
    const unsigned long calls = standin->calls;
    for (unsigned long i = 0; i < 12; i++) {
        wf_tuning_info before, after;
        require(wf_context_get_tuning(b.context, &before));
        const struct kind *const kind = &kinds[i % 3];
        set_fault(i < 6 ? i + 1 : calls * (i - 5) / 16, NULL, kind);
        const wf_status status = wf_tune(b.context, &spec, NULL, NULL);
        clear_fault();
        if (standin->failures == 0 && i >= 6) /* how many calls there are depends on time */
            continue;
        assert_int_equal(standin->failures, 1);
        tried++;
        if (status == WF_OK) /* there was room for a smaller pool */
            continue;
        check_failure(status, kind);
        require(wf_context_get_tuning(b.context, &after));
        assert_memory_equal(&before, &after, sizeof before);
    }
    standin->launch = launch;
    end_bench(&b);
}

static int start_anew(void **unused) {
    (void)unused;
    reset();
    return 0;
}

int main(int count, char **arguments) {
    void *const runtime = dlopen(getenv("WAVEFOLD_STANDIN"), RTLD_NOW | RTLD_GLOBAL);
    if (count != 2 || runtime == NULL) {
        fprintf(stderr, "test_runtime_faults amd|nvidia, and WAVEFOLD_STANDIN: %s\n", count != 2 ? "" : dlerror());
        return 1;
    }
    device = arguments[1];
    standin_state_function *state;
    *(void **)&state = dlsym(runtime, STANDIN_STATE);
    *(void **)&reset = dlsym(runtime, STANDIN_RESET);
    *(void **)&stream_create = dlsym(runtime, strcmp(device, "amd") == 0 ? "hipStreamCreate" : "cudaStreamCreate");
    *(void **)&stream_destroy = dlsym(runtime, strcmp(device, "amd") == 0 ? "hipStreamDestroy" : "cudaStreamDestroy");
    standin = state();
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_call_of_the_first, start_anew), /* before this process looks for devices */
        cmocka_unit_test_setup(cancelled_in_the_first, start_anew),
        cmocka_unit_test_setup(every_call_of_a_context, start_anew),
        cmocka_unit_test_setup(every_call_of_a_function, start_anew),
        cmocka_unit_test_setup(every_call_of_a_rung, start_anew),
        cmocka_unit_test_setup(cancelled_in_a_call, start_anew),
        cmocka_unit_test_setup(tuning, start_anew),
        cmocka_unit_test_setup(every_allocation, start_anew),
        cmocka_unit_test_setup(destroyed_streams, start_anew),
        cmocka_unit_test_setup(other_devices, start_anew),
        cmocka_unit_test_setup(device_of_the_program, start_anew),
        cmocka_unit_test_setup(errors_of_the_program, start_anew),
        cmocka_unit_test_setup(queries_of_the_program, start_anew),
        cmocka_unit_test_setup(polled_memory, start_anew),
        cmocka_unit_test_setup(early_starts, start_anew),
        cmocka_unit_test_setup(failing_captures, start_anew),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%lu calls were made to fail\n", tried);
    return failed;
}
