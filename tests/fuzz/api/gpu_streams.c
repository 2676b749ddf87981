#include "gpu_streams.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* cuda.h's, of which all that is used here has been the same since CUDA 7. */
enum { CU_SUCCESS = 0, CU_STREAM_NON_BLOCKING = 1 };

static void *context;
static int (*init)(unsigned), (*device_get)(int *, int), (*context_retain)(void **, int), (*context_set)(void *);
static int (*stream_create)(void **, unsigned), (*stream_finish)(void *), (*stream_destroy)(void *);

static void find(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
    if (*(void **)function == NULL) {
        fprintf(stderr, "the driver's library has no %s\n", name);
        exit(2);
    }
}

static void need(int result, const char *doing) {
    if (result != CU_SUCCESS) {
        fprintf(stderr, "%s: the driver says %d\n", doing, result);
        exit(2);
    }
}

bool gpu_streams_open(int device) {
    void *const library = dlopen("libcuda.so.1", RTLD_NOW);
    int handle;
    if (library == NULL)
        return false;
    find(library, "cuInit", &init);
    find(library, "cuDeviceGet", &device_get);
    find(library, "cuDevicePrimaryCtxRetain", &context_retain);
    find(library, "cuCtxSetCurrent", &context_set);
    find(library, "cuStreamCreate", &stream_create);
    find(library, "cuStreamSynchronize", &stream_finish);
    find(library, "cuStreamDestroy_v2", &stream_destroy);
    need(init(0), "starting");
    need(device_get(&handle, device), "looking for the device");
    need(context_retain(&context, handle), "taking the device's context"); /* the runtime's, too */
    return true;
}

void gpu_streams_enter(void) {
    need(context_set(context), "setting the device's context");
}

void *gpu_stream_make(void) {
    void *stream;
    need(stream_create(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
    return stream;
}

void gpu_stream_finish(void *stream) {
    need(stream_finish(stream), "waiting for a stream");
}

void gpu_stream_destroy(void *stream) {
    need(stream_destroy(stream), "destroying a stream");
}
