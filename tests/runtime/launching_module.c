/* A GPU's module whose kernels run on the host device: the table of the real module, WAVEFOLD_REAL, but launches leave
 * what they launch to be found when the vendor's runtime, a stand-in, is asked to launch. Then the module
 * WAVEFOLD_EMULATOR runs it. So a launch that the runtime refuses does not run, and all else is the real module's. */
#define _GNU_SOURCE
#include "backend.h"
#include "reduce/request.h"
#include "standin_runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static wf_backend wrapped, real;
static const wf_backend *emulator;
static standin_runtime *runtime;
typedef struct launched_request {
    wf_algorithm algorithm;
    const void *request; /* begins with a wf_launch_head; NULL: none */
} launched_request;
static _Thread_local launched_request launched;

/* The emulator's devices, by the width of their waves; opened once, and left to the end of the process. */
static void *device_of(uint32_t wave_width) {
    static void *devices[2];
    const uint32_t which = wave_width == 64;
    for (uint32_t ordinal = 0; devices[which] == NULL && ordinal < emulator->device_count(); ordinal++) {
        wf_device_info info;
        if (emulator->device_info(ordinal, &info) != WF_OK || info.wave_width != wave_width ||
            emulator->open(ordinal, "", &devices[which]) != WF_OK)
            devices[which] = NULL;
    }
    return devices[which];
}

/* Whether the runtime launched the request's tiles. A cluster tile is several; for no elements there is one wave. */
static bool has_its_tiles(launched_request what) {
    const wf_reduce_request *reduces = what.algorithm == WF_ALGORITHM_REDUCE ? what.request : NULL;
    const wf_launch_head *head = what.request;
    return (reduces != NULL && (reduces->is_cluster != 0 || reduces->source_count == 0)) ||
           (runtime->tiles == head->tiles && runtime->tile_size == head->tile_size);
}

/* Called by the stand-in. Kernels that only take time are launched without a word here. */
static void run_launched(void) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    const launched_request what = launched;
    const wf_launch_head *const head = what.request;
    launched.request = NULL;
    if (what.request == NULL)
        return;
    if (!has_its_tiles(what)) {
        fprintf(stderr, "launching_module: %u tiles of %u threads were launched, not %u of %u\n", runtime->tiles,
                runtime->tile_size, head->tiles, head->tile_size);
        abort();
    }
    pthread_mutex_lock(&turn);
    void *const device = device_of(head->wave_width);
    if (device == NULL || emulator->launch(device, NULL, what.algorithm, what.request) != WF_OK ||
        emulator->finish(device) != WF_OK)
        abort();
    pthread_mutex_unlock(&turn);
}

static wf_status launch_by_emulator(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    launched = (launched_request){algorithm, request};
    const wf_status status = real.launch(device, stream, algorithm, request);
    launched.request = NULL;
    return status;
}

static void *symbol_of(const char *variable, const char *name) {
    const char *const file = getenv(variable);
    void *const module = file != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
    return module != NULL ? dlsym(module, name) : NULL;
}

WF_API const wf_backend *wavefold_backend(void);
const wf_backend *wavefold_backend(void) {
    wf_backend_entry *real_entry, *emulator_entry;
    standin_state_function *state;
    *(void **)&state = symbol_of("WAVEFOLD_STANDIN", STANDIN_STATE);
    *(void **)&real_entry = symbol_of("WAVEFOLD_REAL", WF_BACKEND_ENTRY);
    *(void **)&emulator_entry = symbol_of("WAVEFOLD_EMULATOR", WF_BACKEND_ENTRY);
    if (real_entry == NULL || emulator_entry == NULL || state == NULL)
        return NULL;
    emulator = emulator_entry();
    real = wrapped = *real_entry();
    wrapped.launch = launch_by_emulator;
    runtime = state();
    runtime->launch = run_launched;
    return &wrapped;
}
