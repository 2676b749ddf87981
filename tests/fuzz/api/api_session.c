#define _GNU_SOURCE
#include "api_session.h"

#include "gpu_streams.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wavefold_sum.h>

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t pick_bits(session *s) {
    return s->random = mix(s->random);
}

uint64_t pick(session *s, uint64_t below) {
    return pick_bits(s) % below;
}

bool pick_rarely(session *s) {
    return pick(s, 24) == 0;
}

void session_begin(session *s) {
    s->random = mix(s->seed ^ mix(s->thread ^ mix(s->step)));
}

void say(session *s, const char *format, ...) {
    char *line = s->log[s->step % LOGGED];
    const size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, LOG_LINE - used, format, arguments);
    va_end(arguments);
}

void session_fails(const session *s, const char *format, ...) {
    flockfile(stdout); /* other threads may fail, too: one at a time */
    printf("api_fuzz: ");
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\nthe last calls of thread %u, seed %" PRIu64 ", up to step %" PRIu64 ":\n", s->thread, s->seed, s->step);
    for (uint64_t i = s->step < LOGGED ? 0 : s->step - LOGGED + 1; i <= s->step; i++)
        printf("%10" PRIu64 "  %s\n", i, s->log[i % LOGGED]);
    fflush(stdout);
    _Exit(1);
}

bool gave(session *s, wf_status status, unsigned allowed) {
    const unsigned got = status == WF_OK                    ? MAY_SUCCEED
                         : status == WF_INVALID_ARGUMENT    ? MAY_BE_INVALID
                         : status == WF_UNSUPPORTED         ? MAY_BE_UNSUPPORTED
                         : status == WF_OUT_OF_MEMORY       ? MAY_LACK_MEMORY
                         : status == WF_NO_DEVICE           ? MAY_LACK_DEVICE
                         : status == WF_BACKEND_UNAVAILABLE ? MAY_LACK_DEVICE
                                                            : 0;
    if ((got & allowed) == 0)
        session_fails(s, "%s (%s), where of 1 success, 2 invalid, 4 unsupported, 8 memory, 16 device %u was expected",
                      wf_status_name(status), status != WF_OK ? wf_last_error() : "", allowed);
    if (status != WF_OK && *wf_last_error() == '\0')
        session_fails(s, "%s, and no sentence about it", wf_status_name(status));
    s->refused += status != WF_OK;
    return status == WF_OK;
}

void session_open(session *s) {
    gave(s, wf_context_create(&s->context, s->device), MAY_SUCCEED);
    s->stream_count = 1;
    for (; !s->is_host && s->stream_count < 3; s->stream_count++)
        s->streams[s->stream_count] = gpu_stream_make();
    for (int i = 0; i < STATES; i++) {
        wf_sum_state_init(&s->sums[i].state);
        s->sums[i].terms = (big_sum){.count = 0};
    }
}

void session_close(session *s) {
    for (size_t i = 1; i < s->stream_count; i++) {
        wf_context_forget_stream(s->context, s->streams[i]);
        gpu_stream_destroy(s->streams[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
        if (pick(s, 2) == 0) /* what is left, the context frees */
            wf_free(s->context, s->blocks[i].there);
        free(s->blocks[i].shadow);
        s->blocks[i] = (block){.bytes = 0};
    }
    wf_context_destroy(s->context);
    s->context = NULL;
}
