/* A device that is all made up, for wf_tune to measure: what it measures is noted. */
#ifndef WAVEFOLD_TESTS_PRETENDED_DEVICE_H
#define WAVEFOLD_TESTS_PRETENDED_DEVICE_H

#include <wavefold.h>
#include <wavefold_tune.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A measurement: the launches between two marks. */
typedef struct measured {
    uint64_t bytes;
    uint32_t launches, tiles, tile_size;
} measured;

/* Nothing runs: a launch takes the seconds that the test says, of the clock, too. */
extern struct pretended {
    wf_device_info device;
    double (*seconds_of)(const measured *what, size_t round); /* of one launch */
    size_t largest;                                           /* allocation that there is memory for */
    measured log[8000];
    size_t logged;
    uint64_t allocated[8], cleared;
    size_t allocations;
    char *pool;
    const char *next;          /* where the array of the next launch starts, or the pool does */
    unsigned long nanoseconds; /* of the second, when all was done */
    bool is_wrong;             /* a launch that reads or writes where it should not */
} pretended;

enum { RESULT = 256 }; /* bytes behind the pool */

extern unsigned long fail_at;   /* the call of the backend's that fails while wf_tune runs; 0: none */
extern const char *failed_call; /* which that was */

double always_30us(const measured *what, size_t round);

/* A context of a device of four multiprocessors, which wf_tune is then called with. */
wf_context *pretend(const char *backend, uint32_t wave_width, uint32_t max_tile_size,
                    double (*seconds_of)(const measured *, size_t));
wf_status tune_pretended(wf_context *context, const wf_tune_spec *spec);
/* After each test. */
int end_pretending(void **state);

#endif
