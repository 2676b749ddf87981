#define _GNU_SOURCE
#include "measure_threads.h"

#include "launch.h"
#include "median.h"
#include "reduce/plan.h"
#include "reduce/sequential.h"
#include "status.h"
#include "wavefold_tune.h"
#include "wf_context.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define KI UINT64_C(1024)
#define LEAST_BYTES (16 * KI)
#define MOST_BYTES (16 * KI * KI)

enum {
    SIZES = 21,  /* LEAST_BYTES to MOST_BYTES: powers of two, and the midpoints between them */
    LEVELS = 16, /* numbers of threads: powers of two, and all CPUs */
    SHARES = 30, /* candidates: WF_LEAST_SHARE to twice MOST_BYTES, in the same steps */
    ROUNDS = WF_MOST_ROUNDS,
    MOST_FOLDS = 4096
};

static const double measured_seconds = 150e-6; /* the least time of one measurement with awake helpers */
static const long asleep_nanoseconds = 300000; /* longer than helpers poll before they sleep */
/* The least gain of a smaller share, summed over all sizes; for the first share, the least gain of each size. */
static const double worth = 0.02;

/* Helper threads poll for work shortly after a reduction (awake), then sleep. */
typedef enum helpers { AWAKE, ASLEEP, BOTH_HELPERS } helpers;

typedef struct bench {
    wf_context *context;
    wf_reduce_plan plan;
    void *array;
    uint32_t threads[LEVELS]; /* 1, 2, 4, ... all */
    size_t levels, sizes;
    double seconds[BOTH_HELPERS][LEVELS][SIZES];
} bench;

/* 1, 1.5, 2, 3, 4, ... times the least. */
static uint64_t step_of(uint64_t least, size_t step) {
    const uint64_t power = least << step / 2;
    return step % 2 == 0 ? power : power + power / 2;
}

static uint64_t bytes_of(size_t size) {
    return step_of(LEAST_BYTES, size);
}

/* ---- One measurement ------------------------------------------------------------------------------------------- */

/* A table that gives an array of `bytes` bytes exactly `threads` threads. */
static wf_thread_table shares_for(uint64_t bytes, uint32_t threads) {
    const uint64_t none = UINT64_MAX;
    return threads == 1 ? (wf_thread_table){.awake_bytes = none, .asleep_bytes = none}
                        : (wf_thread_table){.awake_bytes = bytes / threads, .asleep_bytes = bytes / (threads - 1)};
}

/* Measures the time of `folds` reductions. */
static wf_status measure(const bench *b, uint64_t bytes, uint32_t threads, uint32_t folds, double *seconds) {
    const wf_backend *backend = b->context->backend;
    wf_result result;
    const wf_reduce_request request =
        wf_reduce_request_on_cpu(&b->plan, b->array, bytes / b->plan.element_bytes, &result);
    wf_status status = backend->timer_start(b->context->device);
    for (uint32_t f = 0; f < folds && status == WF_OK; f++)
        status = backend->reduce(b->context->device, &request, shares_for(bytes, threads));
    if (status == WF_OK)
        status = backend->timer_stop(b->context->device, seconds);
    return status == WF_OK ? WF_OK : wf_backend_fail(b->context, status, "tuning");
}

/* Brings the helpers into the state `which`, then measures. */
static wf_status measure_with(const bench *b, helpers which, uint64_t bytes, uint32_t threads, uint32_t folds,
                              double *seconds) {
    if (which == AWAKE) {
        const wf_status status = measure(b, bytes, threads, 1, seconds);
        return status == WF_OK ? measure(b, bytes, threads, folds, seconds) : status;
    }
    const struct timespec pause = {.tv_nsec = asleep_nanoseconds};
    nanosleep(&pause, NULL); /* if a signal ends it early, the median discards the measurement */
    return measure(b, bytes, threads, 1, seconds);
}

/* Finds a number of reductions that takes measured_seconds. Three measurements in a row must confirm it, since one may
 * be slow by chance or because it woke helpers. */
static wf_status count_folds(const bench *b, uint64_t bytes, uint32_t threads, uint32_t *folds) {
    wf_status status = WF_OK;
    int long_enough = 0;
    for (*folds = 1; *folds < MOST_FOLDS && long_enough < 3 && status == WF_OK;) {
        double seconds = 0;
        status = measure(b, bytes, threads, *folds, &seconds);
        if (seconds >= measured_seconds) {
            long_enough++;
        } else {
            long_enough = 0;
            *folds *= 2;
        }
    }
    return status;
}

/* Measures all levels in turn, so that changes on the machine affect them equally. */
static wf_status measure_size(bench *b, helpers which, size_t size) {
    const uint64_t bytes = bytes_of(size);
    double seconds[LEVELS][ROUNDS];
    uint32_t folds;
    wf_status status = count_folds(b, bytes, b->threads[b->levels - 1], &folds);
    for (size_t r = 0; r < ROUNDS && status == WF_OK; r++)
        for (size_t level = 0; level < b->levels && status == WF_OK; level++)
            status = measure_with(b, which, bytes, b->threads[level], folds, &seconds[level][r]);
    for (size_t level = 0; level < b->levels && status == WF_OK; level++)
        b->seconds[which][level][size] = wf_median(seconds[level], ROUNDS);
    return status;
}

static wf_status measure_sizes(bench *b, wf_tune_progress *progress, void *user) {
    wf_status status = WF_OK;
    for (size_t size = 0; size < b->sizes && status == WF_OK; size++) {
        if (progress != NULL)
            progress(user, bytes_of(size), (uint32_t)size, (uint32_t)b->sizes);
        status = measure_size(b, AWAKE, size);
        if (status == WF_OK)
            status = measure_size(b, ASLEEP, size);
    }
    return status;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

/* The highest level with no more threads than an array of `bytes` gets by this share. */
static size_t level_for(const bench *b, helpers which, uint64_t bytes, uint64_t share) {
    const uint64_t threads = which == AWAKE ? bytes / share : 1 + bytes / share;
    size_t level = b->levels - 1;
    while (level > 0 && b->threads[level] > threads)
        level--;
    return level;
}

/* The sum, over all sizes, of the logarithm of the time with this share. Differences of costs are relative gains. */
static double cost(const bench *b, helpers which, uint64_t share) {
    double sum = 0;
    for (size_t size = 0; size < b->sizes; size++)
        sum += log(b->seconds[which][level_for(b, which, bytes_of(size), share)][size]);
    return sum;
}

/* The share with the least cost, the largest one of equals; 0 if no size gains from helpers. */
static uint64_t choose_share(const bench *b, helpers which) {
    const uint64_t none = 2 * bytes_of(b->sizes - 1);
    uint64_t chosen = 0;
    double least = cost(b, which, none);
    for (size_t step = SHARES; step-- > 0;) {
        const uint64_t share = step_of(WF_LEAST_SHARE, step);
        const double found = cost(b, which, share);
        const double gain = chosen == 0 ? worth * (double)b->sizes : worth;
        if (share < none && found + gain < least) {
            least = found;
            chosen = share;
        }
    }
    return chosen;
}

/* A share below the built-in one is kept only if arrays of up to the built-in share were measured. If no size gained
 * from helpers, the share is twice the largest size measured, or the built-in one if that is larger. */
static uint64_t share_to_keep(const bench *b, uint64_t chosen, uint64_t builtin) {
    const uint64_t longest = bytes_of(b->sizes - 1), none = 2 * longest;
    if (chosen == 0)
        return builtin > none ? builtin : none;
    return chosen < builtin && longest < builtin ? builtin : chosen;
}

/* Fails if no size gained from awake helpers although large arrays were measured: then other load, such as another
 * program, kept the helpers from running, and the measurement is useless. */
static wf_status choose_table(const bench *b, wf_thread_table *table) {
    const wf_thread_table builtin = WF_BUILTIN_THREAD_TABLE;
    const uint64_t none = 2 * bytes_of(b->sizes - 1);
    const uint64_t awake = choose_share(b, AWAKE), asleep = choose_share(b, ASLEEP);
    if (awake == 0 && none > MOST_BYTES / 4)
        return wf_fail(WF_UNSUPPORTED,
                       "threads made no reduction of up to %llu bytes on %s faster, so no table was kept: stop other "
                       "programs, and tune in a process that does nothing else",
                       (unsigned long long)(none / 2), b->context->info.id);
    table->awake_bytes = share_to_keep(b, awake, builtin.awake_bytes);
    table->asleep_bytes = share_to_keep(b, asleep, builtin.asleep_bytes);
    return WF_OK;
}

/* ---- The whole measurement -------------------------------------------------------------------------------------- */

uint32_t wf_allowed_cpus(void) {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? (uint32_t)CPU_COUNT(&allowed) : 0;
}

/* Launchers and taskset limit a process to some CPUs; its table would not suit other processes. */
static wf_status check_cpus(const wf_context *context) {
    const wf_device_info *device = &context->info;
    const uint32_t allowed = wf_allowed_cpus();
    if (device->multiprocessors < 2)
        return wf_fail(WF_UNSUPPORTED, "%s has one CPU: there is nothing to tune", device->id);
    if (allowed != 0 && allowed < device->multiprocessors)
        return wf_fail(WF_UNSUPPORTED,
                       "this process may run on %u of %u CPUs, but the table is for all: start it without taskset or "
                       "other limits",
                       allowed, device->multiprocessors);
    if (context->cpus != 0 && context->cpus < device->multiprocessors)
        return wf_fail(WF_UNSUPPORTED,
                       "the context was created while this process could run on %u of %u CPUs, and has threads for no "
                       "more: create a new one",
                       context->cpus, device->multiprocessors);
    return WF_OK;
}

static wf_status check_sizes(const wf_context *context, uint64_t most) {
    if (most == 0 || most >= LEAST_BYTES)
        return WF_OK;
    return wf_fail(WF_INVALID_ARGUMENT, "'most_bytes' is %llu: on %s it must be at least %llu, or 0",
                   (unsigned long long)most, context->info.id, (unsigned long long)LEAST_BYTES);
}

static void list_levels_and_sizes(bench *b, uint64_t most) {
    const uint32_t cpus = b->context->info.multiprocessors;
    uint64_t threads = 1;
    for (; threads < cpus && b->levels < LEVELS - 1; threads *= 2)
        b->threads[b->levels++] = (uint32_t)threads;
    b->threads[b->levels++] = cpus;
    while (b->sizes < SIZES && bytes_of(b->sizes) <= (most != 0 ? most : MOST_BYTES))
        b->sizes++;
}

/* Allocates the array and sets it to zeros. */
static wf_status allocate_array(bench *b) {
    const wf_context *context = b->context;
    const size_t bytes = (size_t)bytes_of(b->sizes - 1);
    wf_status status = context->backend->allocate(context->device, bytes, &b->array);
    if (status == WF_OK)
        status = context->backend->clear(context->device, NULL, b->array, bytes);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "allocating memory to tune with");
}

wf_status wf_measure_threads(wf_context *context, uint64_t most, wf_tune_progress *progress, void *user,
                             wf_thread_table *table) {
    _Static_assert(LEAST_BYTES << SIZES / 2 == MOST_BYTES, "SIZES must be their number");
    _Static_assert((uint64_t)WF_LEAST_SHARE << SHARES / 2 == 2 * MOST_BYTES, "SHARES must be their number");
    const wf_reduce_spec measured = {.type = WF_F32, .op = WF_SUM, .accuracy = WF_ACCURACY_FAST};
    wf_status status = check_cpus(context);
    if (status == WF_OK)
        status = check_sizes(context, most);
    if (status != WF_OK)
        return status;
    bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        return wf_fail(WF_OUT_OF_MEMORY, "no host memory to tune with");
    b->context = context;
    list_levels_and_sizes(b, most);
    status = wf_reduce_plan_of(&measured, &b->plan);
    if (status == WF_OK)
        status = allocate_array(b);
    if (status == WF_OK)
        status = measure_sizes(b, progress, user);
    if (status == WF_OK)
        status = choose_table(b, table);
    if (b->array != NULL)
        context->backend->release(context->device, b->array);
    free(b);
    return status;
}
