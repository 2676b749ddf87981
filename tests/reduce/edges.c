/* Folds read their array and nothing beside it: it begins behind a page that cannot be read, or ends before one. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "reduce_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Registers, blocks of them, chunks and parts of them; what is looked for is the last element. */
static const size_t lengths[] = {1, 2, 7, 16, 31, 64, 65, 100, 128, 257, 512, 601, 1024, 2048, 4107, 8192};
enum { MOST = 8192, LARGEST_ELEMENT = 32 };

static void fold_between(char *begin, char *end, const wf_reduce_spec *spec, const wf_reduction_info *info, size_t n) {
    const size_t numbers = n * info->element_bytes / wf_type_size(spec->type);
    for (int at_end = 0; at_end < 2; at_end++)
        for (int last = 3; last <= 7; last += 4) {
            char *const values = at_end ? end - n * info->element_bytes : begin;
            for (size_t i = 0; i < numbers; i++)
                put_number(spec->type, values, i, 5);
            put_number(spec->type, values, numbers - 1, last);
            uint64_t result[4] = {0};
            require(wf_reduce(context, spec, values, n, result, bytes_of_result(spec)));
            if ((spec->op == WF_ARGMIN && last == 3) || (spec->op == WF_ARGMAX && last == 7))
                assert_true(result[1] == n - 1);
            wf_description described;
            if (spec->op == WF_SUM)
                require(wf_describe(context, &(wf_describe_spec){.type = spec->type, .nan = spec->nan}, values, n,
                                    &described));
        }
}

void test_nothing_beside(void **state) {
    (void)state;
    if (strncmp(device, "host", 4) != 0)
        skip(); /* a GPU may not reach these pages */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = (MOST * LARGEST_ELEMENT + page - 1) / page * page;
    char *const pages = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    char *const begin = pages + page, *const end = begin + bytes;
    assert_int_equal(mprotect(begin, bytes, PROT_READ | PROT_WRITE), 0);
    const size_t several = strcmp(device, "host") == 0 ? 1 : 5; /* kernels take longer */
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (int op = 0; op < WF_OP_COUNT; op++)
            for (int nan = WF_NAN_PROPAGATE; nan <= WF_NAN_IGNORE; nan++)
                for (int accuracy = WF_ACCURACY_BEST; accuracy <= WF_ACCURACY_FAST; accuracy++) {
                    const wf_reduce_spec spec = {
                        .type = (wf_type)type, .op = (wf_op)op, .nan = (wf_nan)nan, .accuracy = (wf_accuracy)accuracy};
                    wf_reduction_info info;
                    if (wf_reduction_get_info(&spec, &info) == WF_OK)
                        for (size_t l = 0; l < COUNT(lengths); l += several)
                            fold_between(begin, end, &spec, &info, lengths[l]);
                }
    munmap(pages, bytes + 2 * page);
}
