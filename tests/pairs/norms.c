/* Euclidean norms: of floats of up to 32 bits the same bits as the rounded root of the exact sum of squares, of f64
 * within 2 units in the last place of long doubles. */
#include "numbers.h"
#include "pairs_tests.h"

#include <wavefold_sum.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void round_to(wf_type type, double number, void *result) {
    wf_sum_state state;
    wf_sum_state_init(&state);
    require(wf_sum_state_accumulate(host, &(wf_reduce_spec){.type = WF_F64}, &number, 1, &state));
    require(wf_sum_state_round(&state, WF_SUM, type, result, wf_type_size(type)));
}

static void expected_norm(wf_type type, const void *x, size_t count, void *result) {
    double *const squares = malloc((count + 1) * sizeof *squares), sum;
    for (size_t i = 0; i < count; i++)
        squares[i] = number_float(type, x, i) * number_float(type, x, i);
    require(wf_reduce(host, &(wf_reduce_spec){.type = WF_F64}, squares, count, &sum, sizeof sum));
    round_to(type, sqrt(sum), result);
    free(squares);
}

static void check_f64(const double *x, size_t count, double got) {
    long double sum = 0;
    bool has_nan = false, has_infinity = false;
    for (size_t i = 0; i < count; i++) {
        has_nan |= isnan(x[i]) != 0;
        has_infinity |= isinf(x[i]) != 0;
        sum += (long double)x[i] * (long double)x[i];
    }
    if (has_nan) {
        assert_true(isnan(got));
        return;
    }
    const double wanted = has_infinity ? (double)INFINITY : (double)sqrtl(sum);
    const double unit = isinf(wanted) ? 0 : nextafter(wanted, (double)INFINITY) - wanted;
    if (got != wanted && !(fabs(got - wanted) <= 2 * unit))
        fail_msg("the norm of %zu numbers is %.17g, not %.17g", count, got, wanted);
    assert_false(signbit(got));
}

/* The number of bytes by which x lies behind an aligned address follows the count. */
static void check_norm(wf_type type, const void *x, size_t count) {
    const size_t bytes = wf_type_size(type), past = count % 3 * bytes;
    char *there, got[8], wanted[8];
    require(wf_malloc(context, (void **)&there, 64 + count * bytes));
    require(wf_copy_to_device(context, there + 16 + past, x, count * bytes));
    if (count % 2 == 0)
        require(wf_nrm2(context, type, there + 16 + past, count, there, bytes));
    else
        require(wf_nrm2_async(context, type, there + 16 + past, count, there, bytes, NULL));
    require(wf_copy_to_host(context, got, there, bytes));
    require(wf_free(context, there));
    if (type == WF_F64) {
        double number;
        memcpy(&number, got, sizeof number);
        check_f64(x, count, number);
        return;
    }
    expected_norm(type, x, count, wanted);
    if (memcmp(got, wanted, bytes) != 0)
        fail_msg("the norm of %zu numbers of %s is %.9g, not %.9g", count, wf_type_name(type),
                 number_float(type, got, 0), number_float(type, wanted, 0));
}

void test_norms(void **state) {
    (void)state;
    static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};
    static const size_t more[] = {4097, 70001, 300007};
    uint64_t seed = 5;
    for (size_t t = 0; t < COUNT(types); t++)
        for (size_t k = 0; k < COUNT(edge_counts) + COUNT(more); k++)
            for (int data = TAME; data <= WIDE; data++) {
                const size_t count = k < COUNT(edge_counts) ? (size_t)edge_counts[k] : more[k - COUNT(edge_counts)];
                if (count > 100000 && (size_t)data != t % 3 && shares > 1)
                    continue;
                void *const x = malloc((count + 1) * sizeof(double));
                fill_numbers(types[t], x, count, (pair_data)data, &seed);
                check_norm(types[t], x, count);
                free(x);
            }
}

/* Norms of f64 whose squares overflow or underflow. */
void test_norms_of_huge_and_tiny_numbers(void **state) {
    (void)state;
    static const double scales[] = {0x1p1023, 0x1p1000, 0x1p600, 0x1p-400, 0x1p-600, 0x1p-1000, 0x1p-1022, 0x1p-1060};
    uint64_t seed = 7;
    for (size_t s = 0; s < COUNT(scales); s++)
        for (size_t count = 1; count < 300; count += count / 2 + 1) {
            double x[300];
            for (size_t i = 0; i < count; i++)
                x[i] = ((double)(next_random(&seed) >> 11) * 0x1p-53 - 0.5) * scales[s] / 16;
            check_norm(WF_F64, x, count);
        }
    const double nan = (double)NAN, infinity = (double)INFINITY;
    const double specials[][3] = {
        {-0.0, -0.0, -0.0},         {infinity, 1e308, -1e308},  {-infinity, infinity, 0},
        {nan, infinity, 1},         {infinity, -infinity, nan}, {nan, 0, 1e-320},
        {0x1p-1074, 0, 0},          {0x1p-1074, 0x1p1023, 0},   {0x1p1023, 0x1p1023, 0x1p1023},
        {1.5e308, 1.5e308, 1.5e308}};
    for (size_t i = 0; i < COUNT(specials); i++) {
        check_norm(WF_F64, specials[i], 3);
        float narrow[3];
        for (size_t k = 0; k < 3; k++)
            narrow[k] = (float)(specials[i][k] > 1e300 && !isinf(specials[i][k]) ? 3e38 : specials[i][k]);
        check_norm(WF_F32, narrow, 3);
    }
}

void test_refused_norms(void **state) {
    (void)state;
    double *there;
    require(wf_malloc(context, (void **)&there, 100));
    refuses(wf_nrm2(NULL, WF_F64, there, 3, there + 4, 8), WF_INVALID_ARGUMENT, "'context'");
    refuses(wf_nrm2(context, WF_F64, NULL, 3, there + 4, 8), WF_INVALID_ARGUMENT, "'x'");
    refuses(wf_nrm2(context, WF_F64, there, 3, NULL, 8), WF_INVALID_ARGUMENT, "'result'");
    refuses(wf_nrm2(context, WF_F64, there, 3, there + 4, 4), WF_INVALID_ARGUMENT, "'result_bytes' is 4");
    refuses(wf_nrm2(context, WF_I32, there, 3, there + 4, 4), WF_UNSUPPORTED, "a norm of i32 does not exist");
    refuses(wf_nrm2(context, WF_TYPE_COUNT, there, 3, there + 4, 4), WF_INVALID_ARGUMENT, "type");
    require(wf_free(context, there));
}
