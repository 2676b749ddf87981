/* States of sums in messages: to the last word, carries that go far, and ties. */
#include "message_tests.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_sum.h>

#include "data.h"
#include "message_ranks.h"
#include "message_values.h"
#include "numbers.h"
#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What kernels write is what wf_sum_state_accumulate makes, to the last word. */
void test_states(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 64, 1000, 2999};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        for (size_t kind = 0; kind < KINDS && number_is_float((wf_type)type); kind++)
            for (size_t c = 0; c < COUNT(counts); c++) {
                const wf_reduce_spec spec = {.type = (wf_type)type, .op = c % 2 == 0 ? WF_SUM : WF_ASUM};
                char *values = make_values(&spec, 1, counts[c], kind, 5 + c);
                const wf_field fields[2] = {{.spec = spec, .in = values, .count = counts[c]},
                                            {.spec = spec, .in = values, .count = counts[c]}};
                wf_message_size size;
                require(wf_message_get_size(fields, 2, &size));
                uint64_t *message = host_words(size.sums);
                wf_sum_state want;
                wf_sum_state_init(&want);
                require(wf_sum_state_accumulate(context, &spec, values, counts[c], &want));
                for (int queued = 0; queued < 2; queued++) {
                    write_message(fields, 2, size.sums, queued != 0, message);
                    for (int f = 0; f < 2; f++)
                        if (memcmp(message + 2 + f * 75, &want, sizeof want) != 0)
                            fail_msg("the state of %s, data %zu, n %zu, field %d, %s", wf_type_name(spec.type), kind,
                                     counts[c], f, queued ? "queued" : "awaited");
                }
                free(message);
                free(values);
            }
}

/* A normalised state whose carries go far: limbs of all bits or none, in runs; sums of both signs. */
static wf_sum_state far_state(uint64_t seed) {
    wf_sum_state state;
    wf_sum_state_init(&state);
    state.count = 1 + (int64_t)(data_hash(seed) % 1000);
    state.others = 1;
    int64_t limb = 0;
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++) {
        const uint64_t h = data_hash(seed * 977 + (uint64_t)i);
        if (h % 7 == 0)
            limb = h % 3 == 0 ? (int64_t)(h >> 32) : h % 3 == 1 ? (int64_t)UINT32_MAX : 0;
        state.limb[i] = limb;
    }
    state.limb[WF_SUM_LIMBS - 1] = (int64_t)(data_hash(seed + 3) % 3) - 1;
    return state;
}

/* Also sums that end below, at, and above the middle between two numbers, and those that are 0. */
void test_joined_states(void **state) {
    (void)state;
    enum { ROUNDS = 300 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const size_t ranks = 1 + data_hash(round) % MOST_RANKS;
        const wf_reduce_spec spec = {.type = round % 3 == 0   ? WF_F16
                                             : round % 3 == 1 ? WF_F32
                                                              : WF_F64,
                                     .op = round % 5 == 0 ? WF_MEAN : WF_SUM};
        uint64_t got[8] = {0}, want = 0;
        const wf_field field = with_result_bytes((wf_field){.spec = spec, .result = got});
        wf_message_size size = {.sums = 77};
        uint32_t request;
        require(wf_message_get_request(&field, 1, &request));
        wf_sum_state all;
        wf_sum_state_init(&all);
        joined of = {host_words(size.sums), host_words(0)};
        for (size_t r = 0; r < ranks; r++) {
            wf_sum_state part = far_state(round * 8 + r);
            if (round % 4 == 1) /* of numbers near 1, of which few limbs are not 0 */
                for (int i = 0; i < WF_SUM_LIMBS; i++)
                    part.limb[i] = i < 31 || i > 34 ? 0 : part.limb[i];
            if (round % 4 == 2 && r == ranks - 1 && r > 0) { /* what the others come to, turned round: 0 in the end */
                require(wf_sum_state_normalise(&all));
                part.limb[0] = ((int64_t)1 << 32) - all.limb[0];
                int64_t carried = part.limb[0] >> 32;
                part.limb[0] &= UINT32_MAX;
                for (int i = 1; i < WF_SUM_LIMBS; i++) {
                    const int64_t turned = (i < WF_SUM_LIMBS - 1 ? (int64_t)UINT32_MAX : -1) - all.limb[i] + carried;
                    carried = i < WF_SUM_LIMBS - 1 ? turned >> 32 : 0;
                    part.limb[i] = i < WF_SUM_LIMBS - 1 ? turned & UINT32_MAX : turned;
                }
            }
            uint64_t words[77] = {UINT64_C(1) << 40 | request, (uint64_t)request * request};
            memcpy(words + 2, &part, sizeof part);
            for (size_t i = 0; i < size.sums; i++)
                of.message[i] += words[i];
            require(wf_sum_state_merge(&all, &part));
        }
        require(wf_sum_state_round(&all, spec.op, spec.type, &want, wf_type_size(spec.type)));
        for (int queued = 0; queued < 2; queued++) {
            memset(got, 0, sizeof got);
            read_results(&field, 1, ranks, queued != 0, &size, &of);
            if (got[0] != want)
                fail_msg("round %" PRIu64 ", %zu ranks, %s: %016" PRIx64 ", expected %016" PRIx64, round, ranks,
                         queued ? "queued" : "awaited", got[0], want);
        }
        free_joined(&of);
    }
}

/* Half of a number's last digit more than the number, and what lies far below that half, or nothing; and a number with
 * no half, whose lower words are all 0: around every power of two, by hand. */
void test_ties(void **state) {
    (void)state;
    static const int below[] = {0, 20, 75, 107, 139, 300, -13}; /* bits, from the half on; 0: nothing is there */
    const wf_reduce_spec spec = {.type = WF_F64};
    double got[8] = {0}; /* read_results copies 64 bytes */
    const wf_field field = with_result_bytes((wf_field){.spec = spec, .result = got});
    wf_message_size size = {.sums = 77};
    uint32_t request;
    require(wf_message_get_request(&field, 1, &request));
    for (int e = -1074; e < 1023; e += 7)
        for (size_t b = 0; b < COUNT(below); b++) {
            const double sign = (e + (int)b) % 2 == 0 ? 1 : -1, number = sign * ldexp(1, e);
            const bool has_half = e - 53 > -1074 && below[b] >= 0;
            const double half = has_half ? sign * ldexp(1, e - 53) : 0;
            const double rest = b != 0 ? sign * ldexp(1, e - 53 - below[b] < -1074 ? -1074 : e - 53 - below[b]) : 0;
            const double want = has_half && b != 0 ? number + 2 * half : number + rest; /* no sum here is rounded */
            const double values[2][3] = {{number, 0, 0}, {half, rest, 0}};
            joined of = {host_words(size.sums), host_words(0)};
            for (size_t r = 0; r < 2; r++) {
                uint64_t words[77] = {UINT64_C(1) << 40 | request, (uint64_t)request * request};
                wf_sum_state part;
                wf_sum_state_init(&part);
                require(wf_sum_state_accumulate(context, &spec, values[r], 3, &part));
                memcpy(words + 2, &part, sizeof part);
                for (size_t i = 0; i < size.sums; i++)
                    of.message[i] += words[i];
            }
            for (int queued = 0; queued < 2; queued++) {
                got[0] = 0;
                read_results(&field, 1, 2, queued != 0, &size, &of);
                if (got[0] != want)
                    fail_msg("%a and %a and %a, %s: %a, expected %a", number, half, rest, queued ? "queued" : "awaited",
                             got[0], want);
            }
            free_joined(&of);
        }
}
