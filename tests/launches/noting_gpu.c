#define _GNU_SOURCE
#include "noting_gpu.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static noting_gpu gpu;
static wf_backend table;

WF_API noting_gpu *noting_gpu_state(void);
noting_gpu *noting_gpu_state(void) {
    return &gpu;
}

/* Tests of several threads have them meet in launches. */
static bool fails(gpu_call call) {
    gpu.calls[call]++;
    if (call != gpu.failing || gpu.fails_at == 0 || --gpu.fails_at != 0)
        return false;
    return true;
}

static const char *message(void) {
    return "the noting GPU was told to fail";
}

static uint32_t device_count(void) {
    return GPUS;
}

/* All are alike but for their names. */
static wf_status device_info(uint32_t ordinal, wf_device_info *info) {
    gpu.asked[ordinal]++;
    if (gpu.lost[ordinal])
        return WF_DEVICE_ERROR;
    *info = gpu.info;
    snprintf(info->id, sizeof info->id, "nvidia:%u", ordinal);
    return WF_OK;
}

/* Of no more bytes than the result has: this is the caller's own memory. */
static wf_status reduce(void *device, const wf_reduce_request *what, wf_thread_table threads) {
    (void)device, (void)threads;
    if (fails(GPU_REDUCE))
        return WF_DEVICE_ERROR;
    if (what->exact_result == WF_EXACT_STATE)
        memcpy(what->result, &gpu.state, sizeof gpu.state);
    return WF_OK;
}

static wf_status open_device(uint32_t ordinal, const char *setting, void **device) {
    (void)ordinal, (void)setting;
    table.reduce = gpu.folds ? reduce : NULL;
    *device = &gpu;
    return WF_OK;
}

static void close_device(void *device) {
    (void)device;
}

/* ---- Memory, in which nothing is zero or as it was. What is behind shared memory must not change. ---- */

enum { BLOCKS = 64, BEHIND = 4096, FILLED = 16 << 20 };
static struct {
    char *memory;
    size_t bytes;
} blocks[BLOCKS];

static wf_status take(size_t bytes, void **memory) {
    size_t b = 0;
    while (b < BLOCKS && blocks[b].memory != NULL)
        b++;
    char *made = b < BLOCKS ? malloc(bytes + BEHIND) : NULL;
    if (made == NULL)
        return WF_OUT_OF_MEMORY;
    const uint64_t one = 1;
    for (size_t i = 0; i + sizeof one <= bytes + BEHIND && i < FILLED; i += sizeof one)
        memcpy(made + i, &one, sizeof one);
    blocks[b].memory = made;
    blocks[b].bytes = bytes;
    gpu.held++;
    *memory = made;
    return WF_OK;
}

static void give_back(void *memory) {
    size_t b = 0;
    while (b < BLOCKS && (blocks[b].memory != memory || memory == NULL))
        b++;
    if (b == BLOCKS) {
        gpu.strange++;
        return;
    }
    for (size_t i = blocks[b].bytes; i + 8 <= blocks[b].bytes + BEHIND && i < FILLED; i += 8)
        gpu.strange += *(uint64_t *)(void *)(blocks[b].memory + i) != 1;
    blocks[b].memory = NULL;
    free(memory);
    gpu.held--;
}

static wf_status allocate(void *device, size_t bytes, void **memory) {
    (void)device;
    gpu.allocated = bytes;
    return fails(GPU_ALLOCATE) ? WF_OUT_OF_MEMORY : take(bytes, memory);
}

static void release(void *device, void *memory) {
    (void)device;
    give_back(memory);
}

static wf_status share(void *device, size_t bytes, void **here, void **there) {
    (void)device;
    if (fails(GPU_SHARE) || !gpu.shares)
        return WF_UNSUPPORTED;
    const wf_status status = take(bytes, here);
    *there = *here;
    return status;
}

static wf_status reaches(void *device, const void *memory, const void **there) {
    (void)device;
    *there = memory != gpu.of_host ? memory : NULL;
    return fails(GPU_REACHES) ? WF_DEVICE_ERROR : WF_OK;
}

/* ---- Launches ---- */

static void answer(const wf_reduce_request *what) {
    if (what->kind != WF_REDUCE_ORDERED && what->is_last == 0)
        return;
    if (what->exact_result == WF_EXACT_STATE || what->exact_result == WF_EXACT_ADDED)
        memcpy(what->result, &gpu.state, sizeof gpu.state);
    else
        memcpy(what->result, gpu.answer, sizeof gpu.answer);
    if (what->notice != NULL)
        atomic_store((_Atomic uint64_t *)what->notice, what->notice_number);
}

/* Of the launches that are noted. No mutex: those of the process are looked at by tests. */
static atomic_flag turn = ATOMIC_FLAG_INIT;

static void take_turn(void) {
    while (atomic_flag_test_and_set(&turn))
        sched_yield();
}

static void answer_all(void) {
    take_turn();
    for (; gpu.answered < gpu.launches; gpu.answered++)
        answer(&gpu.launch[gpu.answered % NOTED]);
    atomic_flag_clear(&turn);
}

/* Of large arrays only the first bytes: nobody looks at the others. If it fails, they are not as they were either. */
static wf_status copy(void *device, void *to, const void *from, size_t bytes, wf_direction direction) {
    enum { COPIED = 4096 };
    (void)device;
    gpu.copy[gpu.calls[GPU_COPY] % NOTED] = (noted_copy){to, from, bytes, direction};
    const size_t copied = bytes < COPIED ? bytes : COPIED;
    if (fails(GPU_COPY)) {
        memset(to, 0xee, copied);
        return WF_DEVICE_ERROR;
    }
    answer_all(); /* it waits for the queue */
    memcpy(to, from, copied);
    return WF_OK;
}

static wf_status clear(void *device, void *stream, void *memory, size_t bytes) {
    (void)device, (void)stream;
    if (fails(GPU_CLEAR))
        return WF_DEVICE_ERROR;
    memset(memory, 0, bytes);
    gpu.cleared = memory;
    gpu.cleared_bytes = bytes;
    return WF_OK;
}

static wf_status capture(void *device, void *stream, uint64_t *number) {
    (void)device, (void)stream;
    *number = gpu.capture;
    return fails(GPU_CAPTURE) ? WF_DEVICE_ERROR : WF_OK;
}

static wf_status launch(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    (void)device;
    if (fails(GPU_LAUNCH))
        return WF_DEVICE_ERROR;
    if (gpu.refuses_streams && stream != NULL)
        return WF_INVALID_ARGUMENT;
    take_turn();
    const size_t at = gpu.launches % NOTED;
    gpu.launch[at] = algorithm == WF_ALGORITHM_REDUCE ? *(const wf_reduce_request *)request
                                                      : (wf_reduce_request){.head = *(const wf_launch_head *)request};
    gpu.stream[at] = stream;
    gpu.launches++;
    atomic_flag_clear(&turn);
    if (gpu.launching != NULL)
        gpu.launching(&gpu.launch[at]);
    if (!gpu.is_late)
        answer_all();
    return WF_OK;
}

static wf_status finish(void *device) {
    (void)device;
    if (fails(GPU_FINISH))
        return WF_DEVICE_ERROR;
    answer_all();
    return WF_OK;
}

static wf_status read_memory(void *device, const void *from, size_t bytes) {
    (void)device, (void)from, (void)bytes;
    return WF_OK;
}

static wf_status timer_start(void *device) {
    (void)device;
    return WF_OK;
}

static wf_status timer_stop(void *device, double *seconds) {
    (void)device;
    *seconds = 1e-3;
    return WF_OK;
}

WF_API const wf_backend *wavefold_backend(void);
const wf_backend *wavefold_backend(void) {
    table = (wf_backend){.abi = WF_BACKEND_ABI,
                         .name = "nvidia",
                         .wide_tile = 256,
                         .cluster_blocks = 8,
                         .cluster_block = 512,
                         .exact_tile = 256,
                         .message = message,
                         .device_count = device_count,
                         .device_info = device_info,
                         .open = open_device,
                         .close = close_device,
                         .allocate = allocate,
                         .release = release,
                         .copy = copy,
                         .launch = launch,
                         .clear = clear,
                         .read = read_memory,
                         .finish = finish,
                         .share = share,
                         .unshare = release,
                         .reaches = reaches,
                         .capture = capture,
                         .timer_start = timer_start,
                         .timer_stop = timer_stop};
    return &table;
}
