/* A state of an exact sum in 64 bits, as golden/exact.txt and results/exact-bits.md have it. */
#ifndef WAVEFOLD_TESTS_STATE_HASH_H
#define WAVEFOLD_TESTS_STATE_HASH_H

#include <wavefold.h>
#include <wavefold_sum.h>

/* FNV-1a of the bytes that wf_sum_state_write makes. */
static inline wf_status hash_of_state(const wf_sum_state *state, uint64_t *hash) {
    unsigned char bytes[WF_SUM_STATE_BYTES];
    const wf_status status = wf_sum_state_write(state, bytes);
    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; status == WF_OK && i < sizeof bytes; i++)
        *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return status;
}

#endif
