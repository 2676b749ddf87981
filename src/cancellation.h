/* Defers pthread cancellation between the two calls, so that a cancelled thread releases its locks and slots first.
 * Reading a file, waiting for a lock, and waiting in a vendor's runtime are cancellation points. */
#ifndef WAVEFOLD_CANCELLATION_H
#define WAVEFOLD_CANCELLATION_H

#include <pthread.h>

/* Returns the state for wf_restore_cancellation. */
static inline int wf_disable_cancellation(void) {
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void wf_restore_cancellation(int before) {
    pthread_setcancelstate(before, NULL);
}

#endif
