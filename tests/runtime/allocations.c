/* Every allocation of the library on the host is made to fail. */
#include "runtime_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "failing_malloc.h"
#include "require.h"

#include <wavefold_ladder.h>

static void (*run_kernel)(void);

/* The emulator's allocations are none of the library's on a GPU. */
static void run_kernel_with_memory(void) {
    pause_failing_malloc();
    run_kernel();
    resume_failing_malloc();
}

static bool fail_allocation(bench *b, const unsigned char *expected, unsigned long k) {
    prepare(b);
    fail_malloc_at(k);
    const wf_status status = running->run(b);
    if (!end_failing_malloc())
        return false;
    tried++;
    if (status == WF_OK) {
        collect(b);
        assert_memory_equal(b->result, expected, bytes_of(running));
    } else {
        refuses(status, WF_OUT_OF_MEMORY, "memory");
        check_untouched(b);
    }
    succeed(b, expected);
    return true;
}

void every_allocation(void **unused) {
    (void)unused;
    static unsigned char expected[sizeof((bench *)NULL)->result];
    static bench b;
    run_kernel = standin->launch;
    standin->launch = run_kernel_with_memory;
    for (size_t i = 0; i < operation_count + wf_rung_count(); i++) {
        operation rung = {"a rung", run_rung, 0, 0, (int)(i - operation_count)};
        if (rung.rung >= 0) {
            wf_rung_info info;
            require(wf_rung_get_info((size_t)rung.rung, &info));
            rung.result_bytes = info.kind == WF_RUNG_REDUCES ? 4 : 0;
            rung.out_bytes = info.kind == WF_RUNG_REDUCES ? 0 : 4 * COUNT;
        }
        expect(rung.rung >= 0 ? &rung : &operations[i], expected);
        running = rung.rung >= 0 ? &rung : &operations[i];
        make_bench(&b, device);
        for (unsigned long k = 1; fail_allocation(&b, expected, k);)
            k++;
        end_bench(&b);
    }
    for (unsigned long k = 1;; k++) {
        wf_context *context = NULL;
        fail_malloc_at(k);
        const wf_status status = wf_context_create(&context, device);
        if (!end_failing_malloc()) {
            assert_true(k > 1); /* it is this program's malloc that the library calls */
            break;
        }
        tried++;
        if (status != WF_OK)
            refuses(status, WF_OUT_OF_MEMORY, "memory");
        assert_true((status == WF_OK) == (context != NULL));
        bench made = {.context = context};
        end_bench(&made);
    }
    standin->launch = run_kernel;
}
