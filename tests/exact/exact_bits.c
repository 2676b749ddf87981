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
#include "hard_floats.h"
#include "result_bytes.h"
#include "state_hash.h"

#include <wavefold.h>
#include <wavefold_sum.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};

/* ---- Sums ---- */

static void require(wf_status status) {
    if (status != WF_OK) {
        fprintf(stderr, "exact_bits: %s\n", wf_last_error());
        exit(1);
    }
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
    const wf_reduce_spec spec = {.type = type, .op = WF_SUM, .accuracy = WF_ACCURACY_EXACT};
    found sum = {.bits = 0};
    wf_sum_state_init(&sum.state);
    require(wf_sum_state_accumulate(context, &spec, in, count, &sum.state));
    require(wf_reduce(context, &spec, in, count, &sum.bits, bytes_of_result(&spec)));
    return sum;
}

static found in_parts(wf_context *context, const unsigned char *in, wf_type type, size_t count) {
    const wf_reduce_spec spec = {.type = type, .op = WF_SUM};
    const size_t cuts[] = {0, count / 3, count / 3 + count / 2, count};
    found sum = {.bits = 0};
    wf_sum_state_init(&sum.state);
    for (size_t part = COUNT(cuts) - 1; part-- > 0;) {
        wf_sum_state state;
        wf_sum_state_init(&state);
        require(wf_sum_state_accumulate(context, &spec, in + cuts[part] * wf_type_size(type),
                                        cuts[part + 1] - cuts[part], &state));
        require(wf_sum_state_merge(&sum.state, &state));
    }
    require(wf_sum_state_normalise(&sum.state));
    require(wf_sum_state_round(&sum.state, WF_SUM, type, &sum.bits, wf_type_size(type)));
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
    unsigned char *there = NULL, *const host = malloc((HARD_MOST + 1) * 8);
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
        require(wf_malloc(context, (void **)&there, (HARD_MOST + 1) * 8));
    }
    printf("%s\n", device.name);
    int failed = 0;
    for (size_t of = 0; of < HARD_INPUTS; of++)
        for (size_t t = 0; t < COUNT(types); t++) {
            const size_t size = wf_type_size(types[t]), count = hard_count(of);
            for (size_t i = 0; i < count; i++)
                hard_put(of, types[t], i, host + i * size);
            found sum;
            if (context == NULL)
                sum = counted(host, types[t], count);
            else {
                require(wf_copy_to_device(context, there, host, count * size));
                sum = whole(context, there, types[t], count);
                const found parts = in_parts(context, there, types[t], count);
                for (size_t i = 0; i < count; i++)
                    hard_put(of, types[t], count - 1 - i, host + i * size);
                require(wf_copy_to_device(context, there + size, host, count * size));
                const found reversed = whole(context, there + size, types[t], count);
                if (!same(&sum, &parts) || !same(&sum, &reversed)) {
                    fprintf(stderr, "exact_bits: %s of %s: %s: other bits in %s\n", device.name, wf_type_name(types[t]),
                            hard_name(of), same(&sum, &parts) ? "reverse" : "parts");
                    failed = 1;
                }
            }
            uint64_t hash;
            require(hash_of_state(&sum.state, &hash));
            printf("%s\t%s\t%0*llx\t%016llx\n", wf_type_name(types[t]), hard_name(of), (int)(2 * size),
                   (unsigned long long)sum.bits, (unsigned long long)hash);
        }
    wf_free(context, there);
    wf_context_destroy(context);
    free(host);
    return failed;
}
