/* One launch that writes or reads a part of a message between ranks: a tile of one wave for each entry. */
#ifndef WAVEFOLD_MESSAGE_REQUEST_H
#define WAVEFOLD_MESSAGE_REQUEST_H

#include "launch_head.h"
#include "message/message_part.h"

typedef struct wf_message_request {
    wf_launch_head head;
    uint32_t reads;              /* 0: it writes */
    const wf_message_part *part; /* read before the launch function returns */
} wf_message_request;

#endif
