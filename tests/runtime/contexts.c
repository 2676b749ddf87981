/* Failures while devices are looked for and contexts are made, and callers that are cancelled. */
#define _GNU_SOURCE
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "require.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wavefold_ladder.h>

void every_call_of_a_context(void **unused) {
    (void)unused;
    running = NULL;
    assert_int_equal(wf_device_count(), 3); /* found now, with no fault */
    for (size_t kind = 0; kind < KINDS - 1; kind++)
        for (unsigned long k = 1;; k++) {
            wf_context *context = NULL;
            set_fault(k, NULL, &kinds[kind]);
            const wf_status status = wf_context_create(&context, device);
            const unsigned long failures = standin->failures;
            if (status != WF_OK) {
                tried++;
                assert_null(context);
                check_failure(status, &kinds[kind]);
            }
            wf_context_destroy(context); /* in which the call may be that fails */
            clear_fault();
            bench none = {.context = NULL};
            const unsigned long all = standin->failures;
            end_bench(&none);
            if (failures == 0 && all == 0)
                break;
        }
}

enum { TOLD = 0, NOTHING_FAILED = 2 };

/* In a process of its own, for that is done once. The host's two are always there, and what is missing is told. */
static int look_for_devices(void) {
    const size_t count = wf_device_count();
    wf_backend_info backend;
    size_t found = 0;
    for (size_t i = 0; i < wf_backend_count() && count == 2; i++)
        if (wf_backend_get_info(i, &backend) == WF_OK && strcmp(backend.name, device) == 0)
            found = backend.status == WF_OK && names(backend.detail, standin->failed);
    for (size_t i = 0; i < count && count == 3; i++) {
        wf_device_info info = {.id = "as it was"};
        if (wf_device_get_info(i, &info) == WF_OK)
            found++;
        else if (!names(wf_last_error(), standin->failed) || strcmp(info.id, "as it was") != 0)
            return 1;
    }
    if (standin->failures == 0)
        return found == 3 ? NOTHING_FAILED : 1;
    const bool is_untold = found == 3 && is_only_asking(standin->failed);
    return count == 2 ? (found == 1 ? TOLD : 1) : found == 2 || is_untold ? TOLD : 1;
}

void every_call_of_the_first(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < KINDS - 1; kind++)
        for (unsigned long k = 1;; k++) {
            const pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0) {
                set_fault(k, NULL, &kinds[kind]);
                _exit(look_for_devices());
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFEXITED(status));
            if (WEXITSTATUS(status) == NOTHING_FAILED)
                break;
            tried++;
            assert_int_equal(WEXITSTATUS(status), TOLD);
        }
}

static void *look_while_cancelled(void *unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    if (wf_device_count() != 3)
        _exit(1);
    pthread_testcancel();
    return NULL;
}

/* What is found once is found to the end, whoever looks for it. */
void cancelled_in_the_first(void **unused) {
    (void)unused;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        pthread_t thread;
        void *ended = NULL;
        if (pthread_create(&thread, NULL, look_while_cancelled, NULL) == 0)
            (void)pthread_join(thread, &ended);
        _exit(ended == PTHREAD_CANCELED && wf_device_count() == 3 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

typedef struct cancelled_work {
    bench b;
    size_t done;
} cancelled_work;

static void *run_while_cancelled(void *of) {
    cancelled_work *const work = of;
    wf_context *context;
    pthread_cancel(pthread_self());
    for (size_t i = 0; i < operation_count; i++)
        work->done += operations[i].run(&work->b) == WF_OK;
    for (size_t i = 0; i < wf_rung_count(); i++) {
        const operation rung = {"a rung", run_rung, 0, 0, (int)i};
        running = &rung;
        work->done += run_rung(&work->b) == WF_OK;
    }
    if (wf_context_create(&context, device) == WF_OK) {
        wf_context_destroy(context);
        work->done++;
    }
    pthread_testcancel();
    return NULL;
}

/* Not in the runtime, where a thread would keep what that and the library have. */
void cancelled_in_a_call(void **unused) {
    (void)unused;
    static cancelled_work work;
    pthread_t thread;
    void *ended;
    make_bench(&work.b, device);
    prepare(&work.b);
    assert_int_equal(pthread_create(&thread, NULL, run_while_cancelled, &work), 0);
    assert_int_equal(pthread_join(thread, &ended), 0);
    running = NULL;
    assert_int_equal(work.done, operation_count + wf_rung_count() + 1);
    assert_ptr_equal(ended, PTHREAD_CANCELED);
    end_bench(&work.b);
}
