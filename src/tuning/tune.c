/* wf_tune: measures the fastest launch shape for each size of an array. measure_threads.c is its part for the CPU. */
#include "cancellation.h"
#include "check.h"
#include "context_tuning.h"
#include "default_environment.h"
#include "launch.h"
#include "measure_threads.h"
#include "median.h"
#include "reduce/plan.h"
#include "reduce/stream_workspace.h"
#include "status.h"
#include "wavefold_tune.h"
#include "wf_context.h"
#include "whole_numbers.h"

#include <stdlib.h>
#include <string.h>

#define KI UINT64_C(1024)
#define LEAST_BYTES (4 * KI)
#define MOST_BYTES (256 * KI * KI)
#define POOL_BYTES (2 * MOST_BYTES)

enum {
    SIZES = 17, /* LEAST_BYTES to MOST_BYTES by powers of two */
    LEAST_TILE = 64,
    MOST_TILE = 1024,
    MOST_LOADS = 16,
    MOST_TILES_PER_PROCESSOR = 8,
    MOST_THREADS_PER_PROCESSOR = 2048, /* the most resident threads of current devices */
    MOST_CANDIDATES = 2 + 5 * 5 * 4,
    ROUNDS = 9,
    LEAST_ROUNDS = 3, /* for a median */
    MOST_LAUNCHES = 1024
};
_Static_assert(LEAST_BYTES << (SIZES - 1) == MOST_BYTES, "SIZES must be their number");
_Static_assert(SIZES + WF_MOST_BUILTIN_ROWS <= WF_MOST_LAUNCH_ROWS, "rows measured and rows kept must fit");

static const double queued_seconds = 200e-6; /* of one measurement: much longer than the timer's overhead */
static const double warm_seconds = 50e-3;    /* until a device has raised its clocks */
static const double size_seconds = 1.0;      /* limit for one size on a slow device */
static const double worth = 0.98;            /* of the built-in shape's time; a smaller gain is noise */

/* The reductions of a measurement walk through the pool, so that caches do not hold an array that is reduced again. */
typedef struct bench {
    wf_context *context;
    wf_reduce_plan plan;
    void *workspace;
    char *pool;
    uint64_t pool_bytes;
    uint64_t next; /* offset of the next array in the pool */
    char *result;  /* device memory after the pool */
} bench;

typedef struct candidate {
    wf_launch_row row;
    wf_launch_shape shape;
    double seconds[ROUNDS];
} candidate;

/* ---- One measurement ------------------------------------------------------------------------------------------- */

static wf_launch_shape shape_of(const bench *b, const wf_launch_row *row, uint64_t bytes) {
    const wf_launch_row alone = {UINT64_MAX, row->tile_size, row->loads, row->tiles_per_processor};
    const wf_launch_needs needs = {
        .element_bytes = b->plan.element_bytes, .value_bytes = b->plan.value_bytes, .largest_tile = UINT32_MAX};
    return wf_shape_for(&alone, &b->context->info, bytes / b->plan.element_bytes, &needs);
}

static wf_status queue_launches(bench *b, wf_launch_shape shape, uint64_t bytes, uint32_t launches) {
    const uint64_t count = bytes / b->plan.element_bytes;
    const wf_queue queue = {.context = b->context};
    for (uint32_t l = 0; l < launches; l++) {
        if (b->next + bytes > b->pool_bytes)
            b->next = 0;
        const wf_reduce_request request = wf_reduce_request_of(b->context, &b->plan, shape, b->workspace,
                                                               b->pool + b->next, 0, count, count, b->result);
        b->next += bytes;
        const wf_status status = wf_launch(&queue, WF_ALGORITHM_REDUCE, &request);
        if (status != WF_OK)
            return status;
    }
    return WF_OK;
}

/* The time of one launch in a queue of `launches`. A queue takes a new launch every microsecond or two. For small
 * arrays this hides differences between shapes, as it does in programs; then the built-in shape stays. */
static wf_status measure(bench *b, wf_launch_shape shape, uint64_t bytes, uint32_t launches, double *seconds) {
    const wf_backend *backend = b->context->backend;
    wf_status status = backend->timer_start(b->context->device);
    if (status != WF_OK)
        return wf_backend_fail(b->context, status, "starting the timer");
    status = queue_launches(b, shape, bytes, launches);
    if (status != WF_OK)
        return status;
    status = backend->timer_stop(b->context->device, seconds);
    if (status != WF_OK)
        return wf_backend_fail(b->context, status, "tuning");
    *seconds /= launches;
    return WF_OK;
}

static wf_status warm_up(bench *b, wf_launch_shape shape, uint64_t bytes) {
    const double until = wf_now() + warm_seconds;
    wf_status status;
    double seconds;
    do
        status = measure(b, shape, bytes, 1, &seconds);
    while (status == WF_OK && wf_now() < until);
    return status;
}

/* Finds a number of launches that takes queued_seconds. */
static wf_status count_launches(bench *b, wf_launch_shape shape, uint64_t bytes, uint32_t *launches) {
    double seconds = 0;
    const wf_status status = measure(b, shape, bytes, 4, &seconds);
    const double wanted = seconds > 0 ? queued_seconds / seconds + 1 : (double)MOST_LAUNCHES;
    if (status == WF_OK)
        *launches = wanted < (double)MOST_LAUNCHES ? (uint32_t)wanted : MOST_LAUNCHES;
    return status;
}

/* ---- One size -------------------------------------------------------------------------------------------------- */

/* Adds the row, unless an earlier candidate has the same shape. */
static void add_candidate(const bench *b, uint64_t bytes, const wf_launch_row *row, candidate *all, size_t *count) {
    const wf_launch_shape shape = shape_of(b, row, bytes);
    for (size_t c = 0; c < *count; c++)
        if (all[c].shape.tiles == shape.tiles && all[c].shape.tile_size == shape.tile_size)
            return;
    all[*count] = (candidate){.row = *row, .shape = shape};
    (*count)++;
}

/* The built-in row comes first, then the row of the previous size: of rows with equal shapes the first is kept, so that
 * neighbouring rows of the table become one. */
static size_t list_candidates(const bench *b, uint64_t bytes, const wf_launch_row *builtin, const wf_launch_row *before,
                              candidate all[MOST_CANDIDATES]) {
    const wf_device_info *device = &b->context->info;
    size_t count = 0;
    add_candidate(b, bytes, builtin, all, &count);
    add_candidate(b, bytes, before, all, &count);
    for (uint32_t tile = LEAST_TILE; tile <= MOST_TILE; tile *= 2)
        for (uint32_t loads = 1; loads <= MOST_LOADS; loads *= 2)
            for (uint32_t tiles = 1; tiles <= MOST_TILES_PER_PROCESSOR; tiles *= 2) {
                const wf_launch_row row = {bytes, tile, loads, tiles};
                if (tile % device->wave_width == 0 && tile <= device->max_tile_size &&
                    tile * tiles <= MOST_THREADS_PER_PROCESSOR)
                    add_candidate(b, bytes, &row, all, &count);
            }
    return count;
}

/* Measures all candidates in turn, round by round, so that changes on the device affect them equally. *rounds becomes
 * the number of complete rounds before the deadline. */
static wf_status run_rounds(bench *b, uint64_t bytes, uint32_t launches, double deadline, candidate *all, size_t count,
                            size_t *rounds) {
    for (*rounds = 0; *rounds < ROUNDS; (*rounds)++)
        for (size_t c = 0; c < count; c++) {
            if (wf_now() > deadline)
                return WF_OK;
            const wf_status status = measure(b, all[c].shape, bytes, launches, &all[c].seconds[*rounds]);
            if (status != WF_OK)
                return status;
        }
    return WF_OK;
}

/* The index of the fastest candidate; 0 if none is faster than all[0] by the factor `worth`. */
static size_t fastest(const candidate *all, size_t count, size_t rounds) {
    if (rounds < LEAST_ROUNDS)
        return 0;
    double least = worth * wf_median(all[0].seconds, rounds);
    size_t found = 0;
    for (size_t c = 1; c < count; c++) {
        const double seconds = wf_median(all[c].seconds, rounds);
        if (seconds < least) {
            least = seconds;
            found = c;
        }
    }
    return found;
}

/* Chooses the row for arrays of `bytes` bytes. The fastest of many candidates is partly luck, so it must win a second
 * comparison with the built-in row alone. */
static wf_status choose_row(bench *b, uint64_t bytes, const wf_launch_row *builtin, const wf_launch_row *before,
                            wf_launch_row *chosen) {
    candidate all[MOST_CANDIDATES], two[2];
    const size_t count = list_candidates(b, bytes, builtin, before, all);
    const double deadline = wf_now() + size_seconds;
    uint32_t launches;
    size_t rounds = 0, best = 0;
    wf_status status = count_launches(b, all[0].shape, bytes, &launches);
    if (status == WF_OK)
        status = run_rounds(b, bytes, launches, deadline - size_seconds / 4, all, count, &rounds);
    if (status == WF_OK)
        best = fastest(all, count, rounds);
    if (best != 0) {
        two[0] = all[0];
        two[1] = all[best];
        status = run_rounds(b, bytes, launches, deadline, two, 2, &rounds);
        if (status == WF_OK && fastest(two, 2, rounds) == 0)
            best = 0;
    }
    *chosen = all[best].row;
    chosen->bytes = bytes;
    return status;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

/* Appends a row; extends the last row instead if both have the same shape. */
static void append_row(wf_launch_table *table, wf_launch_row row) {
    wf_launch_row *last = table->count != 0 ? &table->rows[table->count - 1] : NULL;
    if (last != NULL && last->tile_size == row.tile_size && last->loads == row.loads &&
        last->tiles_per_processor == row.tiles_per_processor)
        last->bytes = row.bytes;
    else
        table->rows[table->count++] = row;
}

static wf_status measure_table(bench *b, uint64_t most, wf_tune_progress *progress, void *user,
                               wf_launch_table *table) {
    const wf_launch_table builtin = wf_builtin_launch_table(&b->context->info);
    const uint32_t steps = (uint32_t)(wf_log2(most / LEAST_BYTES) + 1);
    wf_launch_row row = *wf_launch_row_for(builtin.rows, LEAST_BYTES);
    wf_status status = warm_up(b, shape_of(b, &row, LEAST_BYTES), LEAST_BYTES);
    *table = (wf_launch_table){.count = 0};
    for (size_t r = 0; builtin.rows[r].bytes < LEAST_BYTES; r++)
        append_row(table, builtin.rows[r]);
    for (uint32_t s = 0; s < steps && status == WF_OK; s++) {
        const uint64_t bytes = LEAST_BYTES << s;
        const wf_launch_row before = row;
        if (progress != NULL)
            progress(user, bytes, s, steps);
        status = choose_row(b, bytes, wf_launch_row_for(builtin.rows, bytes), &before, &row);
        /* The largest array fills the device, so its row also serves larger arrays, up to the end of the built-in
         * row. */
        if (bytes == MOST_BYTES)
            row.bytes = wf_launch_row_for(builtin.rows, bytes)->bytes;
        append_row(table, row);
    }
    for (size_t r = 0; r < builtin.count; r++)
        if (builtin.rows[r].bytes > row.bytes)
            append_row(table, builtin.rows[r]);
    return status;
}

/* ---- The whole measurement -------------------------------------------------------------------------------------- */

/* Allocates up to wanted bytes, and less if memory is short. */
static wf_status allocate_pool(bench *b, uint64_t wanted) {
    const wf_context *context = b->context;
    enum { RESULT = 256 };
    wf_device_info now;
    void *memory;
    wf_status status = context->backend->device_info(context->ordinal, &now);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "querying the device");
    uint64_t bytes = wf_smaller(wanted, now.memory_free_bytes / 2);
    bytes -= bytes % LEAST_BYTES;
    do {
        if (bytes < 2 * LEAST_BYTES)
            return wf_fail(WF_OUT_OF_MEMORY,
                           "%s has %llu bytes of memory free, too few to tune with: stop programs that use it",
                           context->info.id, (unsigned long long)now.memory_free_bytes);
        status = context->backend->allocate(context->device, (size_t)bytes + RESULT, &memory);
        if (status == WF_OUT_OF_MEMORY)
            bytes = bytes / 2 - bytes / 2 % LEAST_BYTES;
    } while (status == WF_OUT_OF_MEMORY);
    if (status != WF_OK)
        return wf_backend_fail(context, status, "allocating memory to tune with");
    b->pool = memory;
    b->pool_bytes = bytes;
    b->result = b->pool + bytes;
    status = context->backend->clear(context->device, NULL, memory, (size_t)bytes + RESULT);
    return status == WF_OK ? WF_OK : wf_backend_fail(context, status, "clearing memory to tune with");
}

static void release_pool(const bench *b) {
    if (b->pool == NULL)
        return;
    (void)b->context->backend->finish(b->context->device); /* after a failure, launches may still use the pool */
    b->context->backend->release(b->context->device, b->pool);
}

static wf_status measure_launches(wf_context *context, uint64_t most, wf_tune_progress *progress, void *user,
                                  wf_launch_table *table) {
    most = most != 0 ? most : MOST_BYTES;
    bench b = {.context = context};
    const wf_reduce_spec measured = {.type = WF_F32, .op = WF_SUM, .accuracy = WF_ACCURACY_FAST};
    wf_status status = wf_reduce_plan_of(&measured, &b.plan);
    if (status == WF_OK)
        status = wf_stream_workspace_of(context, NULL, &b.workspace, NULL);
    /* Room for MOST_LAUNCHES of the largest array is enough for any measurement. */
    if (status == WF_OK)
        status = allocate_pool(&b, wf_smaller(POOL_BYTES, 1024 * most));
    if (status == WF_OK)
        status = measure_table(&b, UINT64_C(1) << wf_log2(wf_smaller(most, b.pool_bytes / 2)), progress, user, table);
    release_pool(&b);
    return status;
}

static wf_status check(const wf_context *context, const wf_tune_spec *spec) {
    const wf_status status = wf_check_context(context);
    if (status != WF_OK)
        return status;
    if (spec->most_bytes != 0 && (spec->most_bytes < LEAST_BYTES || spec->most_bytes > MOST_BYTES))
        return wf_fail(WF_INVALID_ARGUMENT, "'most_bytes' is %llu: it must be from %llu to %llu, or 0 for the most",
                       (unsigned long long)spec->most_bytes, (unsigned long long)LEAST_BYTES,
                       (unsigned long long)MOST_BYTES);
    return spec->dry_run ? WF_OK : wf_tuning_check_folder(context);
}

__attribute__((noinline)) static wf_status tune(wf_context *context, const wf_tune_spec *spec,
                                                wf_tune_progress *progress, void *user) {
    wf_tuned_table measured;
    const wf_status status = wf_folds_on_cpu(context)
                                 ? wf_measure_threads(context, spec->most_bytes, progress, user, &measured.threads)
                                 : measure_launches(context, spec->most_bytes, progress, user, &measured.launches);
    return status == WF_OK ? wf_tuning_replace(context, &measured, !spec->dry_run) : status;
}

wf_status wf_tune(wf_context *context, const wf_tune_spec *spec, wf_tune_progress *progress, void *user) {
    static const wf_tune_spec everything = {.most_bytes = 0};
    if (spec == NULL)
        spec = &everything;
    const wf_status status = check(context, spec);
    if (status != WF_OK)
        return status;
    const int before = wf_disable_cancellation(); /* a cancelled thread would leak the pool */
    const fenv_t modes = wf_enter_default_environment();
    const wf_status tuned = tune(context, spec, progress, user);
    fesetenv(&modes);
    wf_restore_cancellation(before);
    return tuned;
}
