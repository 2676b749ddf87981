/* States of exact sums, as bytes and as files. What is accepted is written, read, merged and rounded without another
 * word, and rounds as the tests' own big integers round it. */
#include "cli/state_file.h"
#include "fuzz_input.h"
#include "oracle/exact_sum.h"

#include <math.h>
#include <unistd.h>
#include <wavefold_sum.h>

/* The same terms for the oracle: limb k is a multiple of 2^(32 k - 1074). False if a limb is beyond any double. */
static bool put_terms(const wf_sum_state *state, exact_sum *sum) {
    *sum = (exact_sum){.any_term = state->count != 0, .any_other_than_minus_zero = state->others != 0};
    sum->infinite[0] = state->positive_infinities != 0;
    sum->infinite[1] = state->negative_infinities != 0;
    sum->nan = state->nans != 0;
    for (int k = 0; k < WF_SUM_LIMBS; k++) {
        const int64_t limb = state->limb[k];
        const double parts[2] = {ldexp((double)(limb % 65536), 32 * k - 1074),
                                 ldexp((double)(limb / 65536), 32 * k - 1074 + 16)};
        if (!isfinite(parts[0]) || !isfinite(parts[1]))
            return false;
        for (int i = 0; i < 2; i++)
            if (parts[i] != 0)
                exact_sum_add(sum, &parts[i], 1);
    }
    return true;
}

static void check_rounding(const wf_sum_state *state) {
    exact_sum sum;
    double got_f64;
    float got_f32;
    must(wf_sum_state_round(state, WF_SUM, WF_F64, &got_f64, wf_type_size(WF_F64)) == WF_OK);
    must(wf_sum_state_round(state, WF_SUM, WF_F32, &got_f32, wf_type_size(WF_F32)) == WF_OK);
    if (!put_terms(state, &sum))
        return;
    const double wanted_f64 = exact_sum_f64(&sum);
    const float wanted_f32 = exact_sum_f32(&sum);
    must(isnan(wanted_f64) ? isnan(got_f64) : memcmp(&wanted_f64, &got_f64, sizeof got_f64) == 0);
    must(isnan(wanted_f32) ? isnan(got_f32) : memcmp(&wanted_f32, &got_f32, sizeof got_f32) == 0);
}

/* Each rounding of a and b is the same. */
static void check_same(const wf_sum_state *a, const wf_sum_state *b) {
    static const wf_type types[] = {WF_F16, WF_BF16, WF_F32, WF_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int mean = 0; mean < 2; mean++) {
            uint8_t of_a[8] = {0}, of_b[8] = {0};
            must(wf_sum_state_round(a, mean != 0 ? WF_MEAN : WF_SUM, types[t], of_a, wf_type_size(types[t])) == WF_OK);
            must(wf_sum_state_round(b, mean != 0 ? WF_MEAN : WF_SUM, types[t], of_b, wf_type_size(types[t])) == WF_OK);
            must(memcmp(of_a, of_b, sizeof of_a) == 0);
        }
}

static void check_state(const wf_sum_state *state) {
    uint8_t bytes[WF_SUM_STATE_BYTES], again[WF_SUM_STATE_BYTES];
    wf_sum_state normal = *state, read;
    must(wf_sum_state_normalise(&normal) == WF_OK);
    must(wf_sum_state_write(state, bytes) == WF_OK);
    must(wf_sum_state_read(&read, bytes) == WF_OK);
    must(memcmp(&read, &normal, sizeof read) == 0);
    must(wf_sum_state_write(&normal, again) == WF_OK && memcmp(bytes, again, sizeof bytes) == 0);
    check_same(state, &normal);
    check_rounding(state);
}

static void check_merge(const wf_sum_state *a, const wf_sum_state *b) {
    wf_sum_state one = *a, other = *b;
    const wf_status status = wf_sum_state_merge(&one, b);
    must(wf_sum_state_merge(&other, a) == status);
    if (status == WF_OK) {
        check_state(&one);
        check_same(&one, &other);
    } else {
        must(status == WF_INVALID_ARGUMENT && memcmp(&one, a, sizeof one) == 0);
        must(*wf_last_error() != '\0');
    }
}

static void check_file(const uint8_t *bytes, size_t size, bool is_state) {
    char path[FUZZ_PATH];
    const int descriptor = memory_file(bytes, size, path);
    wf_sum_state state, untouched;
    wf_op op = WF_OP_COUNT;
    memset(&state, 0x5a, sizeof state);
    untouched = state;
    fuzz_forget_message();
    const bool read = state_file_read(path, &state, &op);
    must(read == is_state && read == (*fuzz_message() == '\0'));
    must(read || (memcmp(&state, &untouched, sizeof state) == 0 && op == WF_OP_COUNT));
    must(!read || (op == WF_OP_COUNT) == (size == WF_SUM_STATE_BYTES));
    close(descriptor);
}

static bool names_operator(const uint8_t *name) {
    static const char names[][9] = {"sum\0\0\0\0", "asum\0\0\0", "sumsq\0\0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (memcmp(name, names[i], 8) == 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    uint8_t *file = take_block(&in, size);
    wf_sum_state states[2];
    int read = 0;
    for (size_t at = 0; read < 2 && at + WF_SUM_STATE_BYTES <= size; at += WF_SUM_STATE_BYTES)
        if (wf_sum_state_read(&states[read], file + at) == WF_OK)
            read++;
    const bool is_named = size == WF_SUM_STATE_BYTES + 8 && names_operator(file + WF_SUM_STATE_BYTES);
    check_file(file, size, read == 1 && (size == WF_SUM_STATE_BYTES || is_named));
    for (int i = 0; i < read; i++) {
        check_state(&states[i]);
        check_merge(&states[i], &states[0]);
    }
    free(file);
    return 0;
}
