/* Prints the exact sums of hard inputs as one device finds them: what results/exact-bits.md puts side by side.
 *
 * usage: exact_bits DEVICE
 *        DEVICE: what wf_context_create takes, or "counted": the tests' own arithmetic, which counts bits one by one
 *
 * The first line is the device's name. Then for each type and input a line of four fields with tabs between them: type,
 * input, bits of the sum, FNV-1a of the state's bytes. A device must find the same in three ways, or it fails: the
 * array as it is; from its end to its start, off by an element; and as states of three parts, merged from the last.
 * Exit status 77: there is no such device here. */
#include "big_sum.h"

#include <wavefold.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST = (1 << 20) + 1 }; /* elements of an input */

/* ---- Inputs ---- */

/* A type's floats, as their bits. */
typedef struct floats {
    big_format format;
    int bias;
    uint64_t sign, infinity;
} floats;

static floats floats_of(wf_type type) {
    const big_format format = big_format_of(type);
    const int width = format.digits + format.exponent_bits;
    return (floats){.format = format,
                    .bias = (1 << (format.exponent_bits - 1)) - 1,
                    .sign = UINT64_C(1) << (width - 1),
                    .infinity = ((UINT64_C(1) << format.exponent_bits) - 1) << (format.digits - 1)};
}

/* 2^exponent, which the type has; subnormal, if need be. */
static uint64_t power(floats of, int exponent) {
    const int least = 1 - of.bias;
    return exponent >= least ? (uint64_t)(exponent + of.bias) << (of.format.digits - 1)
                             : UINT64_C(1) << (exponent - least + of.format.digits - 1);
}

static uint64_t random_bits(size_t i) { /* splitmix64 */
    uint64_t x = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t random_finite(floats of, size_t i) {
    const uint64_t bits = random_bits(i) & (of.sign | (of.sign - 1)), top = of.sign >> 1;
    return (bits & of.infinity) == of.infinity ? bits ^ top : bits;
}

/* Of every exponent but the 20 largest, so that 2^16 of them do not overflow. */
static uint64_t random_float(floats of, size_t i) {
    const uint64_t bits = random_finite(of, i), unit = UINT64_C(1) << (of.format.digits - 1);
    const uint64_t exponents = of.infinity / unit - 20;
    return (bits & ~of.infinity) | (bits & of.infinity) / unit % exponents * unit;
}

static uint64_t largest(floats of, size_t i) {
    return (of.infinity - 1) | (i == 2 ? of.sign : 0);
}
static uint64_t tie(floats of, size_t i) {
    return i == 0 ? power(of, 0) : power(of, -of.format.digits);
}
static uint64_t above_tie(floats of, size_t i) {
    return i < 2 ? tie(of, i) : 1;
}
static uint64_t edge(floats of, size_t i) {
    return i == 0 ? of.infinity - 1 : power(of, of.bias - of.format.digits);
}
static uint64_t below_edge(floats of, size_t i) {
    return i < 2 ? edge(of, i) : of.sign | 1;
}
/* x and -x far apart, and one between the halves that has no other. */
static uint64_t pairs(floats of, size_t i) {
    const size_t half = MOST / 2;
    return i < half ? random_finite(of, i) : i == half ? 3 : random_finite(of, MOST - 1 - i) ^ of.sign;
}
static uint64_t nearly_pairs(floats of, size_t i) {
    return i % 2 == 0 ? random_finite(of, i) : random_finite(of, i - 1) ^ of.sign ^ (random_bits(i) >> 63);
}
/* Tiny ones that come to one place of the huge one, each 2^-20 of it. */
static uint64_t huge_and_tiny(floats of, size_t i) {
    return i == MOST / 3 ? power(of, of.bias) : power(of, of.bias - of.format.digits + 1 - 20);
}
static uint64_t subnormals(floats of, size_t i) {
    return random_bits(i) & (of.sign | ((UINT64_C(1) << (of.format.digits - 1)) - 1));
}
static uint64_t minus_zeros(floats of, size_t i) {
    (void)i;
    return of.sign;
}
static uint64_t infinities(floats of, size_t i) {
    return i == 100 ? of.infinity : i == 900 ? of.infinity | of.sign : power(of, 0);
}
static uint64_t not_a_number(floats of, size_t i) {
    return i == 500 ? of.sign | of.infinity | 1 : power(of, 0);
}
/* 1 - 1/2 + 1/3 - ..., each rounded towards 0: near ln 2. */
static uint64_t harmonic(floats of, size_t i) {
    const double quotient = 1 / (double)(i + 1);
    uint64_t bits;
    memcpy(&bits, &quotient, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1023;
    const uint64_t fraction = (bits & ((UINT64_C(1) << 52) - 1)) >> (53 - of.format.digits);
    return (i % 2 != 0 ? of.sign : 0) | (power(of, exponent) + fraction);
}

static const struct {
    const char *name;
    size_t count;
    uint64_t (*element)(floats of, size_t i);
} inputs[] = {
    {"MAX, MAX, -MAX", 3, largest},
    {"1, half its last place", 2, tie},
    {"1, half its last place, the least float", 3, above_tie},
    {"MAX, half its last place", 2, edge},
    {"MAX, half its last place, minus the least float", 3, below_edge},
    {"2^19 pairs x, -x over all exponents, and 3 of the least float", MOST, pairs},
    {"the largest power of two among 2^20 tiny ones", MOST, huge_and_tiny},
    {"2^19 pairs x, -x but for the last place, over all exponents", MOST - 1, nearly_pairs},
    {"2^16 random floats of all exponents but the 20 largest", 1 << 16, random_float},
    {"2^16 random subnormals", 1 << 16, subnormals},
    {"1 - 1/2 + 1/3 - ... - 1/2^14", 1 << 14, harmonic},
    {"1000 times -0", 1000, minus_zeros},
    {"1000, of which one is infinity and one -infinity", 1000, infinities},
    {"1000, of which one is NaN, with a sign and a payload", 1000, not_a_number},
};

static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

/* ---- Sums ---- */

static void require(wf_status status) {
    if (status != WF_OK) {
        fprintf(stderr, "exact_bits: %s\n", wf_last_error());
        exit(1);
    }
}

static uint64_t hash_of(const wf_sum_state *state) {
    unsigned char bytes[WF_SUM_STATE_BYTES];
    require(wf_sum_state_write(state, bytes));
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof bytes; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

typedef struct found {
    wf_sum_state state;
    uint64_t bits;
} found;

static found counted(const unsigned char *in, wf_type type, size_t count) {
    static big_sum sum;
    memset(&sum, 0, sizeof sum);
    const size_t size = wf_type_size(type);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, in + i * size, size);
        big_sum_add(&sum, type, BIG_ELEMENT, bits);
    }
    big_sum_finish(&sum);
    return (found){.state = big_sum_state(&sum), .bits = big_sum_rounded(&sum, false, type)};
}

static found whole(wf_context *context, const unsigned char *in, wf_type type, size_t count) {
    const wf_reduce_spec what = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_EXACT};
    found sum = {.bits = 0};
    wf_sum_state_init(&sum.state);
    require(wf_sum_state_accumulate(context, &what, in, count, &sum.state));
    require(wf_reduce(context, &what, in, count, &sum.bits));
    return sum;
}

static found in_parts(wf_context *context, const unsigned char *in, wf_type type, size_t count) {
    const wf_reduce_spec what = {.type = type, .op = WF_SUM};
    const size_t cuts[] = {0, count / 3, count / 3 + count / 2, count};
    found sum = {.bits = 0};
    wf_sum_state_init(&sum.state);
    for (size_t part = COUNT(cuts) - 1; part-- > 0;) {
        wf_sum_state state;
        wf_sum_state_init(&state);
        require(wf_sum_state_accumulate(context, &what, in + cuts[part] * wf_type_size(type),
                                        cuts[part + 1] - cuts[part], &state));
        require(wf_sum_state_merge(&sum.state, &state));
    }
    require(wf_sum_state_normalise(&sum.state));
    require(wf_sum_state_round(&sum.state, WF_SUM, type, &sum.bits));
    return sum;
}

static bool same(const found *a, const found *b) {
    return a->bits == b->bits && memcmp(&a->state, &b->state, sizeof a->state) == 0;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: exact_bits DEVICE|counted\n");
        return 2;
    }
    wf_context *context = NULL;
    wf_device_info device = {.name = "counted"};
    unsigned char *there = NULL, *const host = malloc((MOST + 1) * 8);
    if (host == NULL)
        return 1;
    if (strcmp(argv[1], "counted") != 0) {
        const wf_status created = wf_context_create(&context, argv[1]);
        if (created != WF_OK) {
            fprintf(stderr, "exact_bits: %s\n", wf_last_error());
            free(host);
            return created == WF_NO_DEVICE || created == WF_BACKEND_UNAVAILABLE || created == WF_UNSUPPORTED ? 77 : 1;
        }
        require(wf_context_get_device(context, &device));
        require(wf_malloc(context, (void **)&there, (MOST + 1) * 8));
    }
    printf("%s\n", device.name);
    int failed = 0;
    for (size_t of = 0; of < COUNT(inputs); of++)
        for (size_t t = 0; t < COUNT(types); t++) {
            const size_t size = wf_type_size(types[t]), count = inputs[of].count;
            const floats format = floats_of(types[t]);
            for (size_t i = 0; i < count; i++) {
                const uint64_t bits = inputs[of].element(format, i);
                memcpy(host + i * size, &bits, size);
            }
            found sum;
            if (context == NULL)
                sum = counted(host, types[t], count);
            else {
                require(wf_copy_to_device(context, there, host, count * size));
                sum = whole(context, there, types[t], count);
                const found parts = in_parts(context, there, types[t], count);
                for (size_t i = 0; i < count; i++) {
                    const uint64_t bits = inputs[of].element(format, count - 1 - i);
                    memcpy(host + i * size, &bits, size);
                }
                require(wf_copy_to_device(context, there + size, host, count * size));
                const found reversed = whole(context, there + size, types[t], count);
                if (!same(&sum, &parts) || !same(&sum, &reversed)) {
                    fprintf(stderr, "exact_bits: %s of %s: %s: other bits in %s\n", device.name, wf_type_name(types[t]),
                            inputs[of].name, same(&sum, &parts) ? "reverse" : "parts");
                    failed = 1;
                }
            }
            printf("%s\t%s\t%0*llx\t%016llx\n", wf_type_name(types[t]), inputs[of].name, (int)(2 * size),
                   (unsigned long long)sum.bits, (unsigned long long)hash_of(&sum.state));
        }
    wf_free(context, there);
    wf_context_destroy(context);
    free(host);
    return failed;
}
