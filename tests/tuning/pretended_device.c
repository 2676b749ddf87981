#define _GNU_SOURCE
#include "pretended_device.h"

#include "reduce/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>
#include <wavefold_tune.h>

#include "failing_backend.h"
#include "require.h"
#include "result_bytes.h"
#include "table_files.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct pretended pretended;

/* How often the shape was measured before, for arrays of as many bytes. A measurement of 4 launches is the one that
 * says how many a measurement takes. */
static size_t round_of(const measured *spec) {
    size_t before = 0;
    for (size_t i = 0; i + 1 < pretended.logged; i++) {
        const measured *other = &pretended.log[i];
        before += other->bytes == spec->bytes && other->tiles == spec->tiles && other->tile_size == spec->tile_size &&
                  other->launches == spec->launches;
    }
    return before;
}

static wf_status start_measurement(void *device) {
    (void)device;
    assert_true(pretended.logged < COUNT(pretended.log));
    pretended.log[pretended.logged++] = (measured){.launches = 0};
    return WF_OK;
}

/* Each array stands behind the one before, until the pool ends. */
static bool reads_next(const wf_reduce_request *launch) {
    const uint64_t bytes = 4 * launch->source_count,
                   pool_bytes = pretended.allocated[pretended.allocations - 1] - RESULT;
    const char *const end = pretended.pool + pool_bytes;
    if ((uint64_t)(end - pretended.next) < bytes)
        pretended.next = pretended.pool;
    const bool is_next = launch->source == pretended.next;
    pretended.next += bytes;
    return is_next && launch->result == end;
}

static wf_status note_launch(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    (void)device, (void)stream;
    const wf_reduce_request *launch = request;
    measured *now = &pretended.log[pretended.logged - 1];
    const uint64_t bytes = 4 * launch->source_count;
    pretended.is_wrong |= algorithm != WF_ALGORITHM_REDUCE || launch->kind != WF_REDUCE_VALUES ||
                          launch->type != WF_F32 || !reads_next(launch);
    pretended.is_wrong |= launch->is_first == 0 || launch->is_last == 0;
    pretended.is_wrong |= now->launches != 0 && (now->bytes != bytes || now->tile_size != launch->head.tile_size ||
                                                 now->tiles != launch->head.tiles);
    *now = (measured){bytes, now->launches + 1, launch->head.tiles, launch->head.tile_size};
    return WF_OK;
}

static wf_status stop_measurement(void *device, double *seconds) {
    (void)device;
    const measured *now = &pretended.log[pretended.logged - 1];
    *seconds = now->launches * pretended.seconds_of(now, round_of(now));
    advance_clock(*seconds);
    return WF_OK;
}

static wf_status say_device(uint32_t ordinal, wf_device_info *info) {
    (void)ordinal;
    *info = pretended.device;
    return WF_OK;
}

/* Addresses without memory: nobody touches it. */
static wf_status allocate_pretended(void *device, size_t bytes, void **memory) {
    (void)device;
    assert_true(pretended.allocations < COUNT(pretended.allocated));
    pretended.allocated[pretended.allocations++] = bytes;
    if (bytes > pretended.largest)
        return WF_OUT_OF_MEMORY;
    *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(*memory != MAP_FAILED);
    pretended.pool = *memory;
    pretended.next = pretended.pool;
    return WF_OK;
}

static void release_pretended(void *device, void *memory) {
    (void)device;
    if (memory != NULL)
        munmap(memory, pretended.allocated[pretended.allocations - 1]);
}

static wf_status note_cleared(void *device, void *stream, void *memory, size_t bytes) {
    (void)device, (void)stream;
    pretended.cleared = memory == pretended.pool ? bytes : 0;
    return WF_OK;
}

static wf_status launch_nothing(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    (void)device, (void)stream, (void)algorithm, (void)request;
    return WF_OK;
}

double always_30us(const measured *spec, size_t round) {
    (void)spec, (void)round;
    return 30e-6;
}

static wf_backend real_table; /* before a test changed it */

wf_context *pretend(const char *backend, uint32_t wave_width, uint32_t max_tile_size,
                    double (*seconds_of)(const measured *, size_t)) {
    wf_context *context;
    require(wf_context_create(&context, DEVICE)); /* the module is loaded */
    wf_device_info info;
    require(wf_context_get_device(context, &info));
    wf_context_destroy(context);
    if (real_table.abi == 0)
        real_table = *backend_table();
    pretended = (struct pretended){.device = info, .seconds_of = seconds_of, .largest = SIZE_MAX};
    pretended.device.multiprocessors = 4;
    pretended.device.wave_width = wave_width;
    pretended.device.max_tile_size = max_tile_size;
    pretended.device.memory_free_bytes = UINT64_C(1) << 40;
    strcpy(pretended.device.backend, backend);
    pretended.device.capability_major = strcmp(backend, "nvidia") == 0 ? 9 : 0;
    backend_table()->device_info = say_device;
    require(wf_context_create(&context, DEVICE));
    /* What sums need of memory, the context has from now on. */
    wf_backend *table = backend_table();
    wf_status (*const launch)(void *, void *, wf_algorithm, const void *) = table->launch;
    table->launch = launch_nothing;
    static float sum;
    require(wf_reduce_async(context, &(wf_reduce_spec){.type = WF_F32}, &sum, 1, &sum,
                            bytes_of_result(&(wf_reduce_spec){.type = WF_F32}), NULL));
    table->launch = launch;
    return context;
}

unsigned long fail_at;
const char *failed_call;

wf_status tune_pretended(wf_context *context, const wf_tune_spec *spec) {
    wf_backend *table = backend_table();
    const wf_backend before = *table;
    table->timer_start = start_measurement;
    table->timer_stop = stop_measurement;
    table->launch = note_launch;
    table->allocate = allocate_pretended;
    table->release = release_pretended;
    table->clear = note_cleared;
    watch_backend();
    fail_backend_at(fail_at, WF_DEVICE_ERROR);
    stop_clock(0, 0);
    pretended.logged = pretended.allocations = 0;
    const wf_status status = wf_tune(context, spec, NULL, NULL);
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    pretended.nanoseconds = (unsigned long)end.tv_nsec;
    release_clock();
    failed_call = end_failing_backend();
    *table = before;
    assert_false(pretended.is_wrong);
    assert_int_equal(live_allocations(), 0);
    return status;
}

int end_pretending(void **state) {
    (void)state;
    release_clock();
    if (real_table.abi != 0)
        *backend_table() = real_table;
    return 0;
}
