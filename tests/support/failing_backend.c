#define _GNU_SOURCE
#include "failing_backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- Calls ---- */

static wf_backend behind;
static unsigned long left; /* 0: none fails */
static wf_status fails_with;
static const char *failed;
static long live;

wf_backend *backend_table(void) {
    char path[512];
    snprintf(path, sizeof path, "%s/libwavefold-host.so", getenv("WAVEFOLD_BACKEND_PATH"));
    void *module = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    wf_backend *(*table)(void) = NULL;
    if (module != NULL)
        *(void **)&table = dlsym(module, "wrapped_table");
    if (table == NULL) {
        fprintf(stderr, "%s is not loaded, or is no wrapped module\n", path);
        abort();
    }
    dlclose(module); /* the library keeps it */
    return table();
}

static bool fails(const char *call) {
    if (left == 0 || --left != 0)
        return false;
    failed = call;
    return true;
}

/* X(name, parameters, arguments) */
#define CALLS(X)                                                                                                       \
    X(device_info, (uint32_t ordinal, wf_device_info * info), (ordinal, info))                                         \
    X(copy, (void *device, void *to, const void *from, size_t bytes, wf_direction direction),                          \
      (device, to, from, bytes, direction))                                                                            \
    X(launch, (void *device, void *stream, wf_algorithm algorithm, const void *request),                               \
      (device, stream, algorithm, request))                                                                            \
    X(clear, (void *device, void *stream, void *memory, size_t bytes), (device, stream, memory, bytes))                \
    X(read, (void *device, const void *from, size_t bytes), (device, from, bytes))                                     \
    X(finish, (void *device), (device))                                                                                \
    X(timer_start, (void *device), (device))                                                                           \
    X(timer_stop, (void *device, double *seconds), (device, seconds))

#define FAILING(name, parameters, arguments)                                                                           \
    static wf_status failing_##name parameters {                                                                       \
        return fails(#name) ? fails_with : behind.name arguments;                                                      \
    }
CALLS(FAILING)
#undef FAILING

static wf_status failing_allocate(void *device, size_t bytes, void **memory) {
    if (fails("allocate"))
        return fails_with;
    const wf_status status = behind.allocate(device, bytes, memory);
    live += status == WF_OK;
    return status;
}

static void counted_release(void *device, void *memory) {
    live--;
    behind.release(device, memory);
}

void watch_backend(void) {
    wf_backend *table = backend_table();
    behind = *table;
    live = 0;
    left = 0;
#define WATCH(name, parameters, arguments) table->name = failing_##name;
    CALLS(WATCH)
#undef WATCH
    table->allocate = failing_allocate;
    table->release = counted_release;
}

void leave_backend(void) {
    *backend_table() = behind;
}

void fail_backend_at(unsigned long number, wf_status status) {
    left = number;
    fails_with = status;
    failed = NULL;
}

const char *end_failing_backend(void) {
    left = 0;
    return failed;
}

long live_allocations(void) {
    return live;
}

/* ---- Time ---- */

static bool is_stopped;
static unsigned long long nanoseconds, nanoseconds_of_look;

/* A program that defines it has it called by every library. */
int clock_gettime(clockid_t which, struct timespec *time) {
    if (!is_stopped || which != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, which, time);
    *time =
        (struct timespec){.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
    nanoseconds += nanoseconds_of_look;
    return 0;
}

void stop_clock(unsigned long long at, unsigned long long look) {
    nanoseconds = at;
    nanoseconds_of_look = look;
    is_stopped = true;
}

void advance_clock(double seconds) {
    nanoseconds += (unsigned long long)(1e9 * seconds + 0.5);
}

void release_clock(void) {
    is_stopped = false;
}
