/* The common path of wf_scan, wf_sort and their _async: launches that leave the result on the device. */
#ifndef WAVEFOLD_CALL_H
#define WAVEFOLD_CALL_H

#include "launch.h"

/* A call whose arguments have been checked. */
typedef struct wf_call {
    const char *doing;                                           /* "scanning", for messages */
    size_t count;                                                /* elements; 0: nothing is launched */
    wf_status (*queue)(const wf_queue *queue, const void *plan); /* makes the launches */
    const void *plan;
} wf_call;

/* Launches on the context's own queue, and waits. */
wf_status wf_call_and_wait(wf_context *context, const wf_call *call);
/* Launches on the caller's stream. */
wf_status wf_call_async(wf_context *context, const wf_call *call, void *stream);

#endif
