/* Floats that no order of numbers tells apart, and those that a CPU may take for zero: as the one element that counts,
 * wherever it stands. */
#include "reduce_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct float_format {
    wf_type type;
    unsigned bits, fraction_bits;
} float_format;
static const float_format formats[] = {{WF_F32, 32, 23}, {WF_F64, 64, 52}, {WF_F16, 16, 10}, {WF_BF16, 16, 7}};

/* IEEE 754's: without a sign, what grows with the number. */
static uint64_t bits_of(const float_format *format, const char *name) {
    const bool is_negative = name[0] == '-';
    const char *const number = name + is_negative;
    const uint64_t sign = (uint64_t)is_negative << (format->bits - 1);
    const uint64_t exponents = (((uint64_t)1 << (format->bits - 1)) - 1) >> format->fraction_bits;
    if (strcmp(number, "0") == 0)
        return sign;
    if (strcmp(number, "subnormal") == 0)
        return sign | 1;
    if (strcmp(number, "one") == 0)
        return sign | exponents / 2 << format->fraction_bits;
    if (strcmp(number, "infinity") == 0)
        return sign | exponents << format->fraction_bits;
    assert_string_equal(number, "nan");
    return sign | exponents << format->fraction_bits | (uint64_t)1 << (format->fraction_bits - 1) | 5;
}

static bool is_nan(const float_format *format, uint64_t bits) {
    return (bits & ~((uint64_t)1 << (format->bits - 1))) > bits_of(format, "infinity");
}

typedef struct one_among {
    const char *all, *one; /* the array is of the first, but for one element */
    bool is_least, is_most;
    wf_nan nan;
    const char *least, *most; /* of the array; null: that one */
} one_among;

static const one_among cases[] = {
    {"0", "-0", true, false, WF_NAN_PROPAGATE, NULL, "0"},
    {"-0", "0", false, true, WF_NAN_PROPAGATE, "-0", NULL},
    {"one", "-0", true, false, WF_NAN_PROPAGATE, NULL, "one"},
    {"one", "0", true, false, WF_NAN_PROPAGATE, NULL, "one"},
    {"-one", "0", false, true, WF_NAN_PROPAGATE, "-one", NULL},
    {"-one", "-0", false, true, WF_NAN_PROPAGATE, "-one", NULL},
    {"0", "subnormal", false, true, WF_NAN_PROPAGATE, "0", NULL},
    {"subnormal", "0", true, false, WF_NAN_PROPAGATE, NULL, "subnormal"},
    {"-0", "-subnormal", true, false, WF_NAN_PROPAGATE, NULL, "-0"},
    {"-subnormal", "-0", false, true, WF_NAN_PROPAGATE, "-subnormal", NULL},
    {"one", "nan", true, true, WF_NAN_PROPAGATE, NULL, NULL},
    {"-infinity", "-nan", true, true, WF_NAN_PROPAGATE, NULL, NULL},
    {"infinity", "nan", true, true, WF_NAN_PROPAGATE, NULL, NULL},
    {"one", "-nan", false, false, WF_NAN_IGNORE, "one", "one"},
    {"-0", "nan", false, false, WF_NAN_IGNORE, "-0", "-0"},
    {"nan", "-infinity", true, true, WF_NAN_IGNORE, NULL, NULL},
};

static void check_one(const float_format *format, const one_among *expected, const unsigned char *values, size_t n,
                      size_t at) {
    for (int least = 0; least < 2; least++)
        for (int place = 0; place < 2; place++) {
            const wf_reduce_spec spec = {.type = format->type,
                                         .op = place ? (least ? WF_ARGMIN : WF_ARGMAX) : (least ? WF_MIN : WF_MAX),
                                         .nan = expected->nan};
            uint64_t result[2] = {0, 0};
            require(wf_reduce(context, &spec, values, n, result, bytes_of_result(&spec)));
            const bool is_one = n == 1 || (least ? expected->is_least : expected->is_most);
            const char *const name = is_one ? expected->one : least ? expected->least : expected->most;
            const uint64_t bits = bits_of(format, name);
            const bool agrees = is_nan(format, bits) ? is_nan(format, result[0]) : result[0] == bits;
            const bool none = n == 1 && is_nan(format, bits) && expected->nan == WF_NAN_IGNORE;
            const uint64_t index = none ? UINT64_MAX : is_one ? at : (uint64_t)(at == 0);
            if (!agrees || (place && result[1] != index))
                fail_msg("%s of %s, n %zu, of %s but %s at %zu: expected %s at %llu, got %#llx at %llu",
                         wf_op_name(spec.op), wf_type_name(spec.type), n, expected->all, expected->one, at, name,
                         (unsigned long long)index, (unsigned long long)result[0], (unsigned long long)result[1]);
        }
}

static void check_everywhere(const float_format *format) {
    static const size_t lengths[] = {1, 17, 70, 300, 5000};
    const size_t bytes = format->bits / 8;
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (size_t c = 0; c < COUNT(cases); c++) {
            const size_t n = lengths[l], stride = n > 1000 ? 997 : n > 100 ? 13 : n > 20 ? 5 : 1;
            unsigned char *values = malloc(n * bytes); /* exactly so many, that sanitizers see what lies behind */
            assert_non_null(values);
            const uint64_t all = bits_of(format, cases[c].all), one = bits_of(format, cases[c].one);
            for (size_t i = 0; i < n; i++)
                memcpy(values + i * bytes, &all, bytes); /* the low bytes */
            for (size_t at = c % stride; at < n; at += stride) {
                memcpy(values + at * bytes, &one, bytes);
                check_one(format, &cases[c], values, n, at);
                memcpy(values + at * bytes, &all, bytes);
            }
            free(values);
        }
}

/* Also where the caller's subnormals are zero and its rounding is upwards. */
void test_extreme_floats(void **state) {
    (void)state;
    for (size_t f = 0; f < COUNT(formats); f++) {
        check_everywhere(&formats[f]);
#if defined(__x86_64__)
        const unsigned before = __builtin_ia32_stmxcsr(), flush_and_round_up = 0x8040 | 0x4000;
        __builtin_ia32_ldmxcsr(before | flush_and_round_up);
        check_everywhere(&formats[f]);
        const unsigned after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(before);
        assert_int_equal(after, before | flush_and_round_up);
#endif
    }
}
