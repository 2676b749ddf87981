/* One thread's sequence of calls: what it has, and what it knows of that. */
#ifndef WAVEFOLD_TESTS_FUZZ_API_API_SESSION_H
#define WAVEFOLD_TESTS_FUZZ_API_API_SESSION_H

#include "wavefold_message.h"

#include "big_sum.h"

#include <stdbool.h>
#include <stdint.h>

enum { BLOCKS = 6, STATES = 3, LOGGED = 48, LOG_LINE = 200 };

/* Memory from wf_malloc, and what must be in it. */
typedef struct block {
    unsigned char *there, *shadow;
    size_t bytes;
} block;

/* A state of a sum, and the tests' own sum of the same terms. */
typedef struct summed {
    wf_sum_state state;
    big_sum terms;
} summed;

typedef struct session {
    const char *device;
    uint64_t seed;
    unsigned thread;
    uint64_t step, random;
    size_t most_elements; /* of a large array */
    bool is_guest;        /* the context is another session's: only reductions and descriptions may be called */
    bool is_shared;       /* others use the context meanwhile, so it stays */
    bool scans;           /* the device has kernels that scan */
    bool is_host;         /* no streams, and device memory is the host's */
    wf_context *context;
    block blocks[BLOCKS];
    summed sums[STATES];
    void *streams[3]; /* the first is NULL: the context's own */
    size_t stream_count;
    char log[LOGGED][LOG_LINE];
    uint64_t refused, answered; /* calls that were to fail, and that gave a value, which was checked */
} session;

/* ---- Random choices: the same for the same seed, thread and step, whatever came before ---- */
uint64_t pick(session *s, uint64_t below);
bool pick_rarely(session *s); /* one of 24 */
uint64_t pick_bits(session *s);

/* ---- What is said of a call, for who reads of a failure ---- */
__attribute__((format(printf, 2, 3))) void say(session *s, const char *format, ...);
/* Prints the session's last calls and how to run them again, and ends the program. */
_Noreturn __attribute__((format(printf, 2, 3))) void session_fails(const session *s, const char *format, ...);

/* ---- Statuses ---- */
enum { MAY_SUCCEED = 1, MAY_BE_INVALID = 2, MAY_BE_UNSUPPORTED = 4, MAY_LACK_MEMORY = 8, MAY_LACK_DEVICE = 16 };
/* The call must have given one of these, and a sentence if it failed; whether it succeeded. */
bool gave(session *s, wf_status status, unsigned allowed);

/* ---- The session ---- */
void session_open(session *s);
void session_close(session *s);
void session_begin(session *s);
void session_step(session *s); /* one call, checked; now and then a few that belong together */

#endif
