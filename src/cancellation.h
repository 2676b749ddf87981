/* A thread that is cancelled between the two goes on, and ends at the next call of the system's that looks for that. To
 * read a file, to wait for a lock, and whatever vendors' runtimes wait by may be such calls: a thread that ended there
 * would keep what it has, and half of what it had begun. */
#ifndef WAVEFOLD_CANCELLATION_H
#define WAVEFOLD_CANCELLATION_H

#include <pthread.h>

/* What it returns is to be given to wf_cancel_as. */
static inline int wf_cancel_later(void) {
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void wf_cancel_as(int before) {
    pthread_setcancelstate(before, NULL);
}

#endif
