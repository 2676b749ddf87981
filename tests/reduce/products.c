/* Products of floats in which one partial product overflows and another is 0. */
#include "reduce_tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numbers.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What is put among elements of which some hundred overflow. */
typedef struct put {
    double value;
    size_t at_eighth; /* of the array */
} put;

typedef struct row {
    const char *name;
    put puts[3];
    size_t count;
    bool is_nan, is_negative;
} row;

static const row rows[] = {
    {"+0 at the end", {{0.0, 7}}, 1, false, false},
    {"-0 at the end", {{-0.0, 7}}, 1, false, true},
    {"+0 in front", {{0.0, 0}}, 1, false, false},
    {"-0 and a negative number", {{-0.0, 6}, {-3, 2}}, 2, false, false},
    {"both zeros", {{0.0, 5}, {-0.0, 1}}, 2, false, true},
    {"a zero and infinity", {{0.0, 7}, {INFINITY, 3}}, 2, true, false},
    {"a zero and -infinity", {{-0.0, 7}, {-INFINITY, 3}}, 2, true, false},
    {"a zero and NaN", {{0.0, 7}, {NAN, 3}}, 2, true, false},
    {"a zero and negative NaN", {{0.0, 7}, {-NAN, 3}}, 2, true, false},
};

static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

static void check_row(const row *of, wf_type type, wf_accumulator accumulator, size_t count, char *values) {
    for (size_t i = 0; i < count; i++)
        number_put_float(type, values, i, 30000);
    for (size_t k = 0; k < of->count; k++)
        number_put_float(type, values, of->puts[k].at_eighth * count / 8, of->puts[k].value);
    const wf_reduce_spec spec = {.type = type, .op = WF_PRODUCT, .accumulator = accumulator};
    wf_reduction_info info;
    require(wf_reduction_get_info(&spec, &info));
    unsigned char product[9];
    memset(product, 0xee, sizeof product);
    require(wf_reduce(context, &spec, values, count, product, bytes_of_result(&spec)));
    const double got = number_float(info.result_type, product, 0);
    const bool is_right = of->is_nan ? isnan(got) : got == 0 && (signbit(got) != 0) == of->is_negative;
    if (!is_right || product[info.result_bytes] != 0xee)
        fail_msg("%s, %zu of %s: %g", of->name, count, wf_type_name(type), got);
}

void test_zero_products(void **state) {
    (void)state;
    static const size_t counts[] = {1000, 100003};
    char *const values = malloc(100003 * sizeof(double));
    assert_non_null(values);
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t c = 0; c < COUNT(counts); c++)
            for (size_t r = 0; r < COUNT(rows); r++) {
                check_row(&rows[r], types[t], WF_ACCUMULATE_DEFAULT, counts[c], values);
                check_row(&rows[r], types[t], WF_ACCUMULATE_F64, counts[c], values);
            }
    free(values);
}
