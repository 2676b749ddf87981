/* The host backend with one thing changed, as the environment's WAVEFOLD_WRAP says:
 *   small-grid  launches of 3 tiles at the most, larger ones are refused, so that every rung must cut its launches into
 *               pieces
 *   late-tiles  look_back's tiles start in their order, but the first half of a launch goes on only when the second
 *               half is done; and a tile folds the others' elements before it asks what they have told (of exclusive
 *               scans: when it has asked once), which is one unit of several so far
 *   no-prefixes look_back's first half of a launch tells what its tiles fold to, but not what comes before them, so
 *               that the second half must look back to the start, over more tiles than a wave is wide
 *   no-counts   like no-native; of a radix sort's passes the first half of the tiles take back what they have
 *               published, so that the second half must count these tiles' digits
 *   no-native   wf_reduce and wf_describe launch kernels, as on a GPU; what they must leave as zeros is looked at
 *   fast-f64    the same, on a large GPU, and waves of 32 lanes are fast in f64, as those of some of NVIDIA's are; of
 *               exact sums and descriptions two tiles come as one, whose threads take twice what is in flight
 *   few-tiles   the same, of 3 tiles at the most: arrays of 400 KB, of 2 bytes 200, are long then, of which exact sums
 *               and descriptions have kernels of their own
 *   few-tiles-in-parts  the same in three launches, as below
 *   no-shared   the same as no-native, on a large GPU that shares no memory with the host, whose own it cannot read;
 *               wf_describe's tiles, of integers, have 128 threads at the most
 *   in-parts    the same as no-native, and each fold comes in three launches, as those of arrays do that are too large
 *               for one
 *   timed-even  like no-native, and between the timer's marks nothing is run: every launch is said to take 10 us
 *   timed-512   the same, but 9 us in tiles of 512
 *   timed-fails the same as timed-even, but the device fails after 100 launches
 *   timed-threads    the CPU's own fold, of four CPUs: it is not run, and said to take a time by the number of threads
 *   timed-useless-threads  the same, but it takes as long with any number
 *   failing-threads  the same, but it fails after 100 folds
 *   fault       kernels get a result of no elements, so that they write outside
 *   failing     like no-native, with one device, of which those calls fail that a test names (wrapped_fail)
 *   no-devices  the module has none
 * WAVEFOLD_WRAPPED names the real module. */
#define _GNU_SOURCE
#include "algebra.h"
#include "backend.h"
#include "ladder/request.h"
#include "look_back/request.h"
#include "reduce/request.h"
#include "sort/request.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static wf_backend wrapped, real;

enum { SMALL_GRID = 3 };

static wf_status device_info_of_small_grid(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = real.device_info(ordinal, info);
    if (status == WF_OK)
        info->max_tiles = SMALL_GRID;
    return status;
}

static wf_status launch_in_small_grid(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const wf_launch_head *head = request;
    return head->tiles <= SMALL_GRID ? real.launch(device, stream, algorithm, request) : WF_DEVICE_ERROR;
}

/* Elements of a tile of look_back, and how far before the array the first tile starts: hip/look_back/wave_rows.hpp cuts
 * the array. */
typedef struct cut {
    size_t element, span, shift;
} cut;

static cut cut_of(const wf_look_back_request *launch) {
    const size_t number = launch->type == WF_F32 || launch->type == WF_I32 ? 4 : 8;
    const size_t numbers = launch->op == WF_MATMUL ? 4 : launch->op == WF_AFFINE ? 2 : 1;
    const size_t element = number * numbers, pack = 16, packs_of_wave = 256;
    const size_t past = (uintptr_t)launch->source % pack;
    const size_t wave = packs_of_wave * pack / (element >= pack ? 2 : 1) / element;
    return (cut){element, wave * (launch->head.tile_size / launch->head.wave_width),
                 element < pack && past % element == 0 ? past / element : 0};
}

/* What a tile tells: units of one word, or of two, of which the first one has the status (hip/tile_status.hpp). */
typedef struct told {
    size_t units, in_unit;
} told;

static told told_of(const wf_look_back_request *launch) {
    const size_t bytes = cut_of(launch).element, in_pair = 3 * WF_STATUS_VALUE_BYTES;
    const bool has_pairs = strcmp(real.name, "amd") != 0; /* tile_status.hpp: where two words are read at once */
    const bool in_pairs = has_pairs && launch->head.wave_width == 32 && bytes > WF_STATUS_VALUE_BYTES;
    return in_pairs ? (told){(bytes + in_pair - 1) / in_pair, 2} : (told){bytes / WF_STATUS_VALUE_BYTES, 1};
}

/* The ticket is memory of this process: the tiles of a launch get the numbers that it is made to say. */
static wf_status launch_late(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const wf_look_back_request *launch = request;
    if (algorithm != WF_ALGORITHM_LOOK_BACK)
        return real.launch(device, stream, algorithm, request);
    wf_look_back_request changed = *launch;
    changed.polls = launch->exclusive != 0;
    if (launch->head.tiles < 2)
        return real.launch(device, stream, algorithm, &changed);
    uint32_t *ticket = launch->ticket;
    const uint32_t first = *ticket, half = launch->head.tiles / 2;
    const told tells = told_of(launch);
    /* One unit of several has a status and the others do not know it yet; not one that they may come to have later. */
    for (uint32_t t = first; t < first + half && tells.units > 1; t++)
        ((uint64_t *)launch->tile_status)[t * tells.units * tells.in_unit] = UINT64_C(3) << 32 | 12345;
    *ticket = first + half;
    changed.head.tiles = launch->head.tiles - half;
    wf_status status = real.launch(device, stream, algorithm, &changed);
    *ticket = first;
    changed.head.tiles = half;
    if (status == WF_OK)
        status = real.launch(device, stream, algorithm, &changed);
    *ticket = first + launch->head.tiles;
    return status;
}

/* What a tile folds to, in the words in which it tells so: the prefix of a scan of that tile alone. */
static wf_status fold_tile(void *device, const wf_look_back_request *launch, uint32_t tile, uint64_t *words) {
    const cut of = cut_of(launch);
    const size_t begin = tile == 0 ? 0 : tile * of.span - of.shift;
    const size_t end = (tile + 1) * of.span - of.shift;
    uint32_t ticket = 0;
    wf_look_back_request alone = *launch;
    alone.head.tiles = 1;
    alone.source = (const char *)launch->source + begin * of.element;
    alone.count = (end < launch->count ? end : launch->count) - begin;
    alone.result = malloc(of.span * of.element);
    alone.tile_status = words;
    alone.tile_status_words = of.element / WF_STATUS_VALUE_BYTES;
    alone.ticket = &ticket;
    memset(words, 0, alone.tile_status_words * sizeof *words);
    const wf_status status =
        alone.result == NULL ? WF_OUT_OF_MEMORY : real.launch(device, NULL, WF_ALGORITHM_LOOK_BACK, &alone);
    const told tells = told_of(launch);
    for (size_t k = 0; k < tells.units; k++) { /* not a prefix of the whole: an aggregate */
        uint64_t *const unit = words + k * tells.in_unit;
        *unit = (*unit & UINT32_MAX) | UINT64_C(1) << 32;
    }
    free(alone.result);
    return status;
}

/* What tiles tell is in the workspace: half of them take back their prefixes, so that the others must look further. */
static wf_status launch_without_prefixes(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const wf_look_back_request *launch = request;
    if (algorithm != WF_ALGORITHM_LOOK_BACK || launch->head.tiles < 2)
        return real.launch(device, stream, algorithm, request);
    const size_t words = told_of(launch).units * told_of(launch).in_unit;
    const uint32_t first = *(const uint32_t *)launch->ticket, half = launch->head.tiles / 2;
    const size_t room = cut_of(launch).element / WF_STATUS_VALUE_BYTES; /* as the library reserves it for a tile */
    uint64_t *aggregates = malloc((half * words + room) * sizeof *aggregates);
    wf_status status = aggregates == NULL ? WF_OUT_OF_MEMORY : WF_OK;
    for (uint32_t t = 0; t < half && status == WF_OK; t++)
        status = fold_tile(device, launch, first + t, aggregates + t * words);
    wf_look_back_request changed = *launch;
    changed.head.tiles = half;
    if (status == WF_OK)
        status = real.launch(device, stream, algorithm, &changed);
    if (status == WF_OK)
        memcpy((uint64_t *)launch->tile_status + first * words, aggregates, half * words * sizeof *aggregates);
    changed.head.tiles = launch->head.tiles - half;
    if (status == WF_OK)
        status = real.launch(device, stream, algorithm, &changed);
    free(aggregates);
    return status;
}

/* Only the latest allocations are known: enough for tests that hold few at a time. */
enum { KNOWN = 1024 };
static struct {
    const char *memory;
    size_t bytes;
} known[KNOWN];
static size_t allocated;

static wf_status allocate_and_note(void *device, size_t bytes, void **memory) {
    const wf_status status = real.allocate(device, bytes, memory);
    if (status == WF_OK) {
        known[allocated % KNOWN].memory = *memory;
        known[allocated++ % KNOWN].bytes = bytes;
    }
    return status;
}

static wf_status reaches_what_is_known(void *device, const void *memory, const void **there) {
    (void)device;
    *there = NULL;
    for (size_t i = 0; i < KNOWN; i++)
        if ((const char *)memory >= known[i].memory && (const char *)memory < known[i].memory + known[i].bytes)
            *there = memory;
    return WF_OK;
}

static bool are_zeros(const void *words, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (((const uint64_t *)words)[i] != 0)
            return false;
    return true;
}

/* The request, if it is a reduction's whose tiles publish values. */
static const wf_reduce_request *reduction_of(wf_algorithm algorithm, const void *request) {
    const wf_reduce_request *launch = algorithm == WF_ALGORITHM_REDUCE ? request : NULL;
    return launch != NULL && launch->kind != WF_REDUCE_ORDERED ? launch : NULL;
}

/* What one reduction leaves in the workspace, the next one reads. */
static wf_status check_zeros(const wf_reduce_request *launch) {
    if (launch == NULL || launch->head.tiles < 2)
        return WF_OK;
    const bool clean =
        are_zeros(launch->tile_status, launch->tile_status_words) && *(uint32_t *)launch->ticket == 0 &&
        (launch->kind == WF_REDUCE_VALUES || launch->is_last == 0 || are_zeros(launch->sum_words, WF_SUM_WORDS));
    if (!clean)
        fprintf(stderr, "wrapped_module: a fold left its workspace used\n");
    return clean ? WF_OK : WF_DEVICE_ERROR;
}

/* A GPU takes launches from several threads and runs those of one queue one after the other; the emulator takes one. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static wf_status launch_in_turn(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    pthread_mutex_lock(&turn);
    wf_status status = real.launch(device, stream, algorithm, request);
    if (status == WF_OK)
        status = check_zeros(reduction_of(algorithm, request));
    pthread_mutex_unlock(&turn);
    return status;
}

static wf_status share_nothing(void *device, size_t bytes, void **here, void **there) {
    (void)device, (void)bytes, (void)here, (void)there;
    return WF_UNSUPPORTED;
}

/* ---- What wf_reduce launches, and how long that is said to take ---- */

static wf_launch_head last;
static bool is_timing;
static double timed_seconds, seconds_of_512 = 10e-6;
static uint32_t launches_until_failure = UINT32_MAX;
static bool threads_help = true;

/* For a test that opens this module as well. */
WF_API uint32_t wrapped_last_tile_size(void);
uint32_t wrapped_last_tile_size(void) {
    return last.tile_size;
}

static wf_status launch_in_parts(void *device, void *stream, wf_algorithm algorithm, const void *request) {
#define TYPE_SIZE(ENUM, name, ctype) sizeof(ctype),
    static const size_t sizes[] = {WF_TYPE_MAP(TYPE_SIZE)};
#undef TYPE_SIZE
    const wf_reduce_request *launch = reduction_of(algorithm, request);
    if (launch == NULL || launch->is_first == 0 || launch->is_last == 0 || launch->source_count < 3)
        return launch_in_turn(device, stream, algorithm, request);
    const uint64_t count = launch->source_count, ends[] = {1, 1 + count / 2, count};
    wf_status status = WF_OK;
    uint64_t first = 0;
    pthread_mutex_lock(&turn); /* the library queues parts in a row as well */
    for (int part = 0; part < 3 && status == WF_OK; part++) {
        wf_reduce_request changed = *launch;
        changed.source = (const char *)launch->source + first * sizes[launch->type];
        changed.source_count = ends[part] - first;
        changed.first = first;
        changed.is_first = part == 0;
        changed.is_last = part == 2;
        if (part != 2)
            changed.notice = NULL;
        status = real.launch(device, stream, algorithm, &changed);
        first = ends[part];
    }
    pthread_mutex_unlock(&turn);
    return status;
}

static wf_status launch_noted(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    last = *(const wf_launch_head *)request;
    if (!is_timing)
        return launch_in_turn(device, stream, algorithm, request);
    timed_seconds += last.tile_size == 512 ? seconds_of_512 : 10e-6;
    return --launches_until_failure == 0 ? WF_DEVICE_ERROR : WF_OK;
}

static wf_status launch_two_tiles_as_one(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const wf_reduce_request *launch = reduction_of(algorithm, request);
    if (launch == NULL || launch->kind == WF_REDUCE_VALUES || launch->head.tiles != 2)
        return launch_noted(device, stream, algorithm, request);
    wf_reduce_request changed = *launch;
    changed.head.tiles = 1;
    return launch_noted(device, stream, algorithm, &changed);
}

static wf_status launch_without_counts(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const wf_sort_request *launch = request;
    const uint32_t tiles = launch->head.tiles, half = tiles / 2;
    if (algorithm != WF_ALGORITHM_SORT || launch->pass != WF_SORT_RADIX || half == 0)
        return launch_in_turn(device, stream, algorithm, request);
    const size_t words_of_tile = WF_RADIX_VALUES / 2;
    wf_sort_request changed = *launch;
    changed.polls = 1;
    changed.head.tiles = half;
    wf_status status = launch_in_turn(device, stream, algorithm, &changed);
    memset((uint64_t *)launch->tile_status + launch->first_tile * words_of_tile, 0,
           half * words_of_tile * sizeof(uint64_t));
    changed.head.tiles = tiles - half;
    return status == WF_OK ? launch_in_turn(device, stream, algorithm, &changed) : status;
}

/* A byte takes a nanosecond; a helper costs 20 us, and one that must be woken 200. There are four CPUs. */
static wf_status reduce_pretended(void *device, const wf_reduce_request *what, wf_thread_table table) {
    (void)device;
    static double last_call;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    const bool was_idle = seconds - last_call > 250e-6;
    last_call = seconds;
    const double bytes = (double)what->source_count * sizeof(float);
    const uint64_t shares = (uint64_t)bytes / table.awake_bytes, with_woken = 1 + (uint64_t)bytes / table.asleep_bytes;
    if (shares > 4 || with_woken > 4)
        return WF_DEVICE_ERROR;
    const uint64_t asked = was_idle ? with_woken : shares;
    const double threads = threads_help && asked > 1 ? (double)asked : 1;
    timed_seconds += 1e-9 * bytes / threads + (threads - 1) * (was_idle ? 200e-6 : 20e-6);
    return --launches_until_failure == 0 ? WF_DEVICE_ERROR : WF_OK;
}

/* Launch tables give it up to 320 tiles: more than a wave has lanes, and than a tile has threads. */
static wf_status device_info_of_large_gpu(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = real.device_info(ordinal, info);
    if (status == WF_OK)
        info->multiprocessors = 40;
    return status;
}

static wf_status device_info_of_fast_f64(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = device_info_of_large_gpu(ordinal, info);
    if (status == WF_OK)
        info->f64_ratio = 2;
    return status;
}

static wf_status device_info_of_few_tiles(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = device_info_of_fast_f64(ordinal, info);
    if (status == WF_OK)
        info->max_tiles = SMALL_GRID;
    return status;
}

static wf_status device_info_of_four_cpus(uint32_t ordinal, wf_device_info *info) {
    const wf_status status = real.device_info(ordinal, info);
    if (status == WF_OK)
        info->multiprocessors = 4;
    return status;
}

static wf_status timer_start_pretended(void *device) {
    (void)device;
    is_timing = true;
    timed_seconds = 0;
    return WF_OK;
}

static wf_status timer_stop_pretended(void *device, double *seconds) {
    (void)device;
    is_timing = false;
    *seconds = timed_seconds;
    return WF_OK;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void fold_by_kernels(const char *change) {
    wrapped.reduce = NULL;
    wrapped.launch = launch_noted;
    if (strcmp(change, "no-shared") == 0) {
        wrapped.share = share_nothing;
        wrapped.allocate = allocate_and_note;
        wrapped.reaches = reaches_what_is_known;
        wrapped.wide_tile = 128;
        wrapped.exact_tile = 256;
        wrapped.device_info = device_info_of_large_gpu;
    }
    if (strcmp(change, "fast-f64") == 0) {
        wrapped.device_info = device_info_of_fast_f64;
        wrapped.launch = launch_two_tiles_as_one;
    }
    if (strcmp(change, "no-counts") == 0)
        wrapped.launch = launch_without_counts;
    if (begins(change, "few-tiles"))
        wrapped.device_info = device_info_of_few_tiles;
    if (strcmp(change, "in-parts") == 0 || strcmp(change, "few-tiles-in-parts") == 0)
        wrapped.launch = launch_in_parts;
    if (begins(change, "timed-")) {
        wrapped.timer_start = timer_start_pretended;
        wrapped.timer_stop = timer_stop_pretended;
    }
    if (strcmp(change, "timed-512") == 0)
        seconds_of_512 = 9e-6;
    if (strcmp(change, "timed-fails") == 0)
        launches_until_failure = 100;
}

static void fold_in_threads(void) {
    wrapped.reduce = reduce_pretended;
    wrapped.device_info = device_info_of_four_cpus;
    wrapped.timer_start = timer_start_pretended;
    wrapped.timer_stop = timer_stop_pretended;
}

static wf_status launch_at_fault(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    if (algorithm == WF_ALGORITHM_LOOK_BACK) {
        wf_look_back_request changed = *(const wf_look_back_request *)request;
        changed.tile_status_words = 0;
        return real.launch(device, stream, algorithm, &changed);
    }
    wf_ladder_request changed = *(const wf_ladder_request *)request;
    changed.result_count = 0;
    return real.launch(device, stream, algorithm, &changed);
}

/* ---- Calls that fail ---- */

static const char *failing = "";

/* For a test that opens this module as well: which call, "" for none. */
WF_API void wrapped_fail(const char *call);
void wrapped_fail(const char *call) {
    failing = call;
}

static bool fails(const char *call) {
    return strcmp(failing, call) == 0;
}

static const char *message_of_failure(void) {
    return *failing != '\0' ? "made to fail" : real.message();
}

static const char *runtime_pretended(void) {
    return "runtime 12.3";
}

static uint32_t count_one(void) {
    return 1;
}

static uint32_t count_none(void) {
    return 0;
}

static wf_status device_info_or_fail(uint32_t ordinal, wf_device_info *info) {
    return fails("device_info") ? WF_DEVICE_ERROR : real.device_info(ordinal, info);
}

/* GPUs' allocators give no memory for 0 bytes either. */
static wf_status allocate_or_fail(void *device, size_t bytes, void **memory) {
    return fails("allocate") || bytes == 0 ? WF_OUT_OF_MEMORY : real.allocate(device, bytes, memory);
}

static wf_status copy_or_fail(void *device, void *to, const void *from, size_t bytes, wf_direction direction) {
    return fails("copy") ? WF_DEVICE_ERROR : real.copy(device, to, from, bytes, direction);
}

static void fail_on_demand(void) {
    wrapped.message = message_of_failure;
    wrapped.runtime = runtime_pretended;
    wrapped.device_count = count_one;
    wrapped.device_info = device_info_or_fail;
    wrapped.allocate = allocate_or_fail;
    wrapped.copy = copy_or_fail;
}

/* The table that the library has, for a test to change while it runs. */
WF_API wf_backend *wrapped_table(void);
wf_backend *wrapped_table(void) {
    return &wrapped;
}

WF_API const wf_backend *wavefold_backend(void);
const wf_backend *wavefold_backend(void) {
    const char *file = getenv("WAVEFOLD_WRAPPED");
    const char *change = getenv("WAVEFOLD_WRAP");
    void *module = file != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    wf_backend_entry *entry = NULL;
    if (module != NULL)
        *(void **)&entry = dlsym(module, WF_BACKEND_ENTRY);
    if (entry == NULL || change == NULL)
        return NULL;
    real = wrapped = *entry();
    if (strcmp(change, "small-grid") == 0) {
        wrapped.device_info = device_info_of_small_grid;
        wrapped.launch = launch_in_small_grid;
    }
    if (strcmp(change, "late-tiles") == 0)
        wrapped.launch = launch_late;
    if (strcmp(change, "no-prefixes") == 0)
        wrapped.launch = launch_without_prefixes;
    if (strcmp(change, "no-native") == 0 || strcmp(change, "fast-f64") == 0 || begins(change, "few-tiles") ||
        strcmp(change, "no-shared") == 0 || strcmp(change, "no-counts") == 0 || strcmp(change, "in-parts") == 0 ||
        strcmp(change, "failing") == 0 || (begins(change, "timed-") && strstr(change, "-threads") == NULL))
        fold_by_kernels(change);
    if (strstr(change, "-threads") != NULL)
        fold_in_threads();
    threads_help = strcmp(change, "timed-useless-threads") != 0;
    if (strcmp(change, "failing-threads") == 0)
        launches_until_failure = 100;
    if (strcmp(change, "fault") == 0)
        wrapped.launch = launch_at_fault;
    if (strcmp(change, "failing") == 0)
        fail_on_demand();
    if (strcmp(change, "no-devices") == 0)
        wrapped.device_count = count_none;
    if (memcmp(&wrapped, &real, sizeof real) == 0) {
        fprintf(stderr, "wrapped_module: WAVEFOLD_WRAP is '%s', which changes nothing\n", change);
        return NULL;
    }
    return &wrapped;
}
