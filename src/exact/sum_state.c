/* States of exact sums: merging, rounding, writing and reading. src/reduce/reduce.c accumulates them. */
#include "sum_state.h"
#include "check.h"
#include "status.h"
#include "wavefold_sum.h"

#include <string.h>

enum {
    MOST_MERGED = INT32_MAX, /* 2^31 - 1 normalised states keep limbs below 2^63 */
    FIRST_LIMB = 7           /* its position in a state's numbers */
};

/* Accepts sums of normalised states of this version. Any other state would not be rounded correctly. */
wf_status wf_sum_state_check(const char *name, const wf_sum_state *state) {
    if (state == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", name);
    const int flaw = wf_flaw_of_state(state);
    const int64_t *const numbers = (const int64_t *)(const void *)state;
    if (flaw == 1)
        return wf_fail(WF_INVALID_ARGUMENT,
                       "'%s' is no state of a sum: it counts %lld states, not 1 to %d; start with "
                       "wf_sum_state_init",
                       name, (long long)state->merged, MOST_MERGED);
    if (flaw == 0)
        return wf_fail(
            WF_INVALID_ARGUMENT,
            "'%s' is no state of a sum that this version of the library knows: the version times %lld states is "
            "%lld, but the library reads version %d",
            name, (long long)state->merged, (long long)state->version, WF_SUM_STATE_VERSION);
    if (flaw >= FIRST_LIMB)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' is no state of a sum: limb %d is %lld, out of range for %lld states",
                       name, flaw - FIRST_LIMB, (long long)numbers[flaw], (long long)state->merged);
    if (flaw >= 0)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' is no state of a sum: it counts %lld terms of %lld", name,
                       (long long)numbers[flaw], (long long)state->count);
    if (wf_state_overflows(state))
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' is no state of a sum: its limbs exceed every sum of doubles", name);
    return WF_OK;
}

void wf_sum_state_init(wf_sum_state *state) {
    if (state != NULL)
        wf_start_state(state);
}

wf_status wf_sum_state_normalise(wf_sum_state *state) {
    const wf_status status = wf_sum_state_check("state", state);
    if (status == WF_OK)
        wf_normalise_state(state);
    return status;
}

wf_status wf_sum_state_merge(wf_sum_state *state, const wf_sum_state *other) {
    wf_status status = wf_sum_state_check("state", state);
    if (status == WF_OK)
        status = wf_sum_state_check("other", other);
    if (status != WF_OK)
        return status;
    if (state->count > INT64_MAX - other->count)
        return wf_fail(WF_INVALID_ARGUMENT, "%lld and %lld terms are too many for one state: it holds up to 2^63 - 1",
                       (long long)state->count, (long long)other->count);
    wf_sum_state merged = *state, added = *other;
    if (merged.merged > MOST_MERGED - added.merged) {
        wf_normalise_state(&added);
        wf_normalise_state(&merged);
    }
    wf_add_state(&merged, &added);
    /* Two forged states may each pass the check although their sum does not. */
    if (wf_flaw_of_state(&merged) >= 0 || wf_state_overflows(&merged))
        return wf_fail(WF_INVALID_ARGUMENT, "the merged state is no state of a sum: its limbs exceed every sum of "
                                            "doubles");
    *state = merged;
    return WF_OK;
}

wf_status wf_sum_state_round(const wf_sum_state *state, wf_op op, wf_type type, void *result, size_t result_bytes) {
    const wf_status status = wf_sum_state_check("state", state);
    if (status != WF_OK)
        return status;
    if (result == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'result' must not be NULL");
    if (op != WF_SUM && op != WF_MEAN)
        return wf_fail(WF_INVALID_ARGUMENT, "a state of a sum can be rounded to its sum or its mean (WF_SUM, WF_MEAN)");
    if (wf_type_name(type) == NULL || !wf_type_is_float(type))
        return wf_fail(WF_INVALID_ARGUMENT, "a sum is rounded into f16, bf16, f32 or f64");
    const wf_status fits = wf_check_result_bytes(result_bytes, wf_type_size(type), wf_type_name(type));
    if (fits != WF_OK)
        return fits;
    wf_sum_state normalised = *state;
    wf_normalise_state(&normalised);
    const uint64_t bits = wf_round_state(&normalised, op == WF_MEAN, type);
    memcpy(result, &bits, wf_type_size(type)); /* the low bytes: the library supports only little-endian machines */
    return WF_OK;
}

wf_status wf_sum_state_write(const wf_sum_state *state, unsigned char *bytes) {
    const wf_status status = wf_sum_state_check("state", state);
    if (status != WF_OK)
        return status;
    if (bytes == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'bytes' must not be NULL");
    union {
        wf_sum_state state;
        uint64_t words[WF_SUM_STATE_BYTES / 8];
    } whole = {.state = *state};
    wf_normalise_state(&whole.state);
    for (size_t i = 0; i < WF_SUM_STATE_BYTES; i++)
        bytes[i] = (unsigned char)(whole.words[i / 8] >> 8 * (i % 8));
    return WF_OK;
}

wf_status wf_sum_state_read(wf_sum_state *state, const unsigned char *bytes) {
    if (state == NULL || bytes == NULL)
        return wf_fail(WF_INVALID_ARGUMENT, "'%s' must not be NULL", state == NULL ? "state" : "bytes");
    union {
        uint64_t words[WF_SUM_STATE_BYTES / 8];
        wf_sum_state state;
    } whole = {.words = {0}};
    for (size_t i = 0; i < WF_SUM_STATE_BYTES; i++)
        whole.words[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    const wf_status status = wf_sum_state_check("bytes", &whole.state);
    if (status == WF_OK)
        *state = whole.state;
    return status;
}
