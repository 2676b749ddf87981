/* The check words of a message. C, C++ and device code. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_CHECK_H
#define WAVEFOLD_MESSAGE_MESSAGE_CHECK_H

#include "exact/round_sum.h"

/* Word 0: the number of ranks that wrote, and the sum of their requests. Word 1: the sum of the requests' squares. If
 * requests differ, their mean square differs from the square of their mean: then the check fails on every rank. */
WF_EXACT_FUNCTION uint64_t wf_message_check_word(int i, uint32_t request) {
    return i == 0 ? UINT64_C(1) << 40 | request : (uint64_t)request * request;
}
WF_EXACT_FUNCTION bool wf_message_check_holds(const uint64_t *message, uint64_t ranks, uint32_t request) {
    return message[0] == ranks * wf_message_check_word(0, request) &&
           message[1] == ranks * wf_message_check_word(1, request);
}

#endif
