/* A stand-in for the runtime of CUDA, or of HIP in one of its versions: what of it hip/backend.hip calls. Device memory
 * is the host's. Copies and fills are done at once, launches are left to the test. Errors are kept as the vendors
 * document them: a thread has a last one, which asking for clears; an error of the device stays, and every call answers
 * it.
 *
 *   STANDIN_CUDA   CUDA's names
 *   STANDIN_MAJOR  else HIP's, of ROCm 5, 6 or 7. Before 7 a call that succeeds clears the thread's last error. Before
 *                  6 memory has other types. 5 has no hipStreamGetDevice, and ends the process if it is told of kernels
 *                  while the environment's STANDIN_NO_BINARY is set. Every version does so at any call with
 *                  STANDIN_NEVER_CALLED; with STANDIN_REFUSES_BINARY it takes no kernels, and does so if these come
 *                  after another call. */
#define _GNU_SOURCE
#include "standin_runtime.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))

#if defined(STANDIN_CUDA)
#define NAME(name) cuda##name
#define TEXT(name) "cuda" name
enum { WAVE = 32, WARP_SIZE = 10, PROCESSORS = 16, TILE_LIMIT = 1, GRID_LIMIT = 5, MAJOR = 75, MINOR = 76 };
enum { F64_RATIO = 87, DEVICE_TYPE = 2, PINNED_TYPE = 1, VERSION = 13000, KEEPS_LAST_ERROR = 1, KEEPS_NOT_READY = 1 };
#else
#define NAME(name) hip##name
#define TEXT(name) "hip" name
enum { WAVE = 64, WARP_SIZE = 87, PROCESSORS = 63, TILE_LIMIT = 56, GRID_LIMIT = 29, MAJOR = 23, MINOR = 61 };
enum { F64_RATIO = -1, DEVICE_TYPE = STANDIN_MAJOR < 6 ? 1 : 2, PINNED_TYPE = STANDIN_MAJOR < 6 ? 0 : 1 };
enum { VERSION = STANDIN_MAJOR * 10000000 + 234567, KEEPS_LAST_ERROR = STANDIN_MAJOR >= 7 };
enum { KEEPS_NOT_READY = STANDIN_MAJOR < 7 };
#endif
#define MEMORY ((size_t)1 << 30)

typedef struct standin_dim3 {
    unsigned x, y, z;
} standin_dim3;

/* Memory, streams and events alike: a handle is its address. */
typedef struct thing {
    char *start;
    size_t bytes;
    int kind;
    bool is_alive;
} thing;

enum { PTX_VERSION = 90 };
static standin_runtime state = {.destroyed_stream = STANDIN_INVALID_HANDLE, .ptx_version = PTX_VERSION};
static thing things[1 << 16];
static size_t thing_count;
static bool has_failed; /* the device, for good */
static _Thread_local int last_error;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

VISIBLE standin_state_function standin_state;
VISIBLE standin_reset_function standin_reset;

standin_runtime *standin_state(void) {
    return &state;
}

void standin_reset(void) {
    for (size_t i = 0; i < thing_count; i++)
        if (things[i].is_alive)
            free(things[i].start);
    const unsigned long registered = state.registered;
    void (*const launch)(void) = state.launch;
    state = (standin_runtime){.destroyed_stream = STANDIN_INVALID_HANDLE,
                              .ptx_version = PTX_VERSION,
                              .registered = registered,
                              .launch = launch};
    thing_count = 0;
    has_failed = false;
    last_error = STANDIN_OK;
}

/* ---- Calls ---- */

static void note_name(const char *name) {
    size_t i = 0;
    while (state.names[i] != NULL && strcmp(state.names[i], name) != 0)
        i++;
    state.names[i] = name;
}

/* A vendor's may wait in any call, and a thread that is cancelled end there. */
static int enter(const char *name) {
    pthread_testcancel();
    pthread_mutex_lock(&mutex);
    const char *const gone = getenv("STANDIN_NEVER_CALLED");
    if (gone != NULL) {
        fprintf(stderr, "%s was called\n", name);
        abort();
    }
    note_name(name);
    state.calls++;
    if (has_failed)
        return STANDIN_STICKY;
    if (state.calls != state.fail_at && (state.fail_name == NULL || strcmp(state.fail_name, name) != 0))
        return STANDIN_OK;
    snprintf(state.failed, sizeof state.failed, "%s", name);
    state.failures++;
    has_failed = state.fail_with == STANDIN_STICKY;
    return state.fail_with;
}

static int leave(int error) {
    if (error != STANDIN_OK || !KEEPS_LAST_ERROR)
        last_error = error;
    pthread_mutex_unlock(&mutex);
    return error;
}

#define CALL(name, parameters, body)                                                                                   \
    VISIBLE int NAME(name) parameters;                                                                                 \
    int NAME(name) parameters {                                                                                        \
        int error = enter(TEXT(#name));                                                                                \
        if (error == STANDIN_OK) {                                                                                     \
            body;                                                                                                      \
        }                                                                                                              \
        return leave(error);                                                                                           \
    }

/* The same for what gives something back: what the runtime refuses to take stays. */
#define CALL_BACK(name, handle, body)                                                                                  \
    VISIBLE int NAME(name)(void *handle);                                                                              \
    int NAME(name)(void *handle) {                                                                                     \
        int error = enter(TEXT(#name));                                                                                \
        if (error == STANDIN_OK)                                                                                       \
            error = body;                                                                                              \
        else                                                                                                           \
            state.refused++;                                                                                           \
        return leave(error);                                                                                           \
    }

/* ---- Things ---- */

static int abuse(int answer) {
    state.abuses++;
    return answer;
}

/* What is asked for would be, or is not, on the device that is current. */
static void check_current_device(void) {
    if (state.current_device != 0)
        state.abuses++;
}

static int make(void **handle, size_t bytes, int kind) {
    check_current_device();
    if (bytes > MEMORY || thing_count == sizeof things / sizeof *things)
        return STANDIN_OUT_OF_MEMORY;
    char *const start = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (start == NULL)
        return STANDIN_OUT_OF_MEMORY;
    memset(start, 0xA5, bytes);
    things[thing_count++] = (thing){start, bytes, kind, true};
    state.live[kind]++;
    *handle = start;
    return STANDIN_OK;
}

/* The last that had this address. */
static thing *find(const void *handle, int kind) {
    for (size_t i = thing_count; i-- > 0;)
        if (things[i].start == handle && things[i].kind == kind)
            return &things[i];
    return NULL;
}

/* A stream or an event stays where it is, so that no new one has its address. */
static int give_back(void *handle, int kind) {
    thing *const found = find(handle, kind);
    check_current_device();
    if (handle == NULL)
        return STANDIN_OK;
    if (found == NULL || !found->is_alive)
        return abuse(STANDIN_INVALID_VALUE);
    found->is_alive = false;
    state.live[kind]--;
    if (kind == STANDIN_DEVICE_MEMORY || kind == STANDIN_PINNED_MEMORY)
        free(found->start);
    return STANDIN_OK;
}

static const thing *memory_at(const void *address) {
    for (size_t i = thing_count; i-- > 0;) {
        const thing *each = &things[i];
        if (each->is_alive && each->kind <= STANDIN_PINNED_MEMORY && (const char *)address >= each->start &&
            (const char *)address < each->start + each->bytes)
            return each;
    }
    return NULL;
}

static bool holds(const void *address, size_t bytes) {
    const thing *const found = memory_at(address);
    return found != NULL && (const char *)address + bytes <= found->start + found->bytes;
}

static int check_stream(const void *stream) {
    const thing *const found = find(stream, STANDIN_STREAM);
    check_current_device();
    if (stream == NULL || (found != NULL && found->is_alive))
        return STANDIN_OK;
    return found != NULL ? state.destroyed_stream : abuse(STANDIN_INVALID_HANDLE);
}

static int check_event(const void *event) {
    const thing *const found = find(event, STANDIN_EVENT);
    return found != NULL && found->is_alive ? STANDIN_OK : abuse(STANDIN_INVALID_HANDLE);
}

/* ---- Errors, devices ---- */

VISIBLE int NAME(GetLastError)(void);
int NAME(GetLastError)(void) {
    const int error = has_failed ? STANDIN_STICKY : last_error;
    last_error = STANDIN_OK;
    return error;
}

VISIBLE int NAME(PeekAtLastError)(void);
int NAME(PeekAtLastError)(void) {
    return has_failed ? STANDIN_STICKY : last_error;
}

VISIBLE const char *NAME(GetErrorString)(int error);
const char *NAME(GetErrorString)(int error) {
    return error == STANDIN_OUT_OF_MEMORY ? "out of memory"
           : error == STANDIN_STICKY      ? "an illegal memory access was encountered"
           : error == STANDIN_NOT_READY   ? "device not ready"
                                          : "invalid argument";
}

CALL(GetDeviceCount, (int *count), *count = 1)
#if defined(STANDIN_CUDA)
/* Of the driver: the context of a device, or none, tells which one is current. */
static int get_current_context(void **context) {
    *context = (void *)(uintptr_t)(state.current_device + 1);
    return STANDIN_OK;
}

static int set_current_context(void *context) {
    state.current_device = (int)(uintptr_t)context - 1;
    return STANDIN_OK;
}

typedef void any_function(void);

static any_function *function_of_driver(const char *name) {
    return strcmp(name, "cuCtxGetCurrent") == 0   ? (any_function *)get_current_context
           : strcmp(name, "cuCtxSetCurrent") == 0 ? (any_function *)set_current_context
                                                  : NULL;
}

CALL(GetDriverEntryPointByVersion,
     (const char *name, any_function **function, unsigned version, unsigned long long flags, int *found), (void)flags;
     (void)found; *function = function_of_driver(name);
     error = *function != NULL && version == 4000 ? STANDIN_OK : abuse(STANDIN_INVALID_VALUE))
#else
CALL(GetDevice, (int *device), *device = state.current_device)
#endif

static int set_device(int device) {
    if (device != 0 && device != 1)
        return abuse(STANDIN_INVALID_VALUE);
    state.current_device = device;
    return STANDIN_OK;
}

CALL(SetDevice, (int device), error = set_device(device))
CALL(DriverGetVersion, (int *version), *version = VERSION)
CALL(RuntimeGetVersion, (int *version), *version = VERSION)
CALL(MemGetInfo, (size_t * unused, size_t *all), *unused = *all = MEMORY)

static int attribute_of(int which) {
    return which == WARP_SIZE    ? WAVE
           : which == PROCESSORS ? 4
           : which == TILE_LIMIT ? 1024
           : which == GRID_LIMIT ? INT32_MAX
           : which == MAJOR      ? 9
           : which == MINOR      ? 0
           : which == F64_RATIO  ? 2
                                 : -1;
}

CALL(DeviceGetAttribute, (int *value, int which, int device), (void)device; *value = attribute_of(which);
     error = *value >= 0 ? STANDIN_OK : abuse(STANDIN_INVALID_VALUE))

/* ---- Memory ---- */

static void exchange_capture_mode(int *mode) {
    static _Thread_local int current;
    const int before = current;
    current = *mode;
    *mode = before;
}

CALL(ThreadExchangeStreamCaptureMode, (int *mode), exchange_capture_mode(mode))
CALL(Malloc, (void **memory, size_t bytes), error = make(memory, bytes, STANDIN_DEVICE_MEMORY))
CALL_BACK(Free, memory, give_back(memory, STANDIN_DEVICE_MEMORY))
CALL(HostGetDevicePointer, (void **there, void *here, unsigned flags), (void)flags; *there = here;
     error = memory_at(here) != NULL ? STANDIN_OK : abuse(STANDIN_INVALID_VALUE))

static int copy(void *to, const void *from, size_t bytes, int kind, const void *stream) {
    enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, WITHIN_DEVICE };
    if ((kind != DEVICE_TO_HOST && !holds(to, bytes)) || (kind != HOST_TO_DEVICE && !holds(from, bytes)))
        return abuse(STANDIN_INVALID_VALUE);
    const int error = check_stream(stream);
    if (error == STANDIN_OK)
        memmove(to, from, bytes);
    return error;
}

CALL(MemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
     error = copy(to, from, bytes, kind, stream))

static int fill(void *memory, int value, size_t bytes, const void *stream) {
    if (!holds(memory, bytes))
        return abuse(STANDIN_INVALID_VALUE);
    const int error = check_stream(stream);
    if (error == STANDIN_OK)
        memset(memory, value, bytes);
    return error;
}

CALL(MemsetAsync, (void *memory, int value, size_t bytes, void *stream), error = fill(memory, value, bytes, stream))

/* The fields that CUDA and HIP begin with; HIP's are all of them. */
typedef struct standin_attributes {
    int type, device;
    const void *there, *here;
#if !defined(STANDIN_CUDA)
    int is_managed;
    unsigned flags;
#endif
} standin_attributes;

static int describe(standin_attributes *attributes, const void *memory) {
    const thing *const found = memory_at(memory);
    *attributes = (standin_attributes){.type = 0};
    if (found == NULL)
#if defined(STANDIN_CUDA)
        return STANDIN_OK; /* "unregistered", and no address */
#else
        return STANDIN_INVALID_VALUE;
#endif
    attributes->type = found->kind == STANDIN_PINNED_MEMORY ? PINNED_TYPE : DEVICE_TYPE;
    attributes->device = state.foreign_device;
    attributes->there = memory;
    attributes->here = found->kind == STANDIN_PINNED_MEMORY ? memory : NULL;
    return STANDIN_OK;
}

CALL(PointerGetAttributes, (standin_attributes * attributes, const void *memory), error = describe(attributes, memory))

/* ---- Streams and events ---- */

CALL(StreamCreate, (void **stream), error = make(stream, 1, STANDIN_STREAM))
CALL_BACK(StreamDestroy, stream, give_back(stream, STANDIN_STREAM))
CALL(StreamSynchronize, (void *stream), error = check_stream(stream))

/* The program's alone. What is queued never ends for it; from ROCm 7 on that is no error that the thread keeps. */
VISIBLE int NAME(StreamQuery)(void *stream);
int NAME(StreamQuery)(void *stream) {
    int error = enter(TEXT("StreamQuery"));
    if (error == STANDIN_OK)
        error = check_stream(stream);
    if (error != STANDIN_OK)
        return leave(error);
    (void)leave(KEEPS_NOT_READY ? STANDIN_NOT_READY : STANDIN_OK);
    return STANDIN_NOT_READY;
}

#if defined(STANDIN_CUDA)
CALL(StreamGetCaptureInfo,
     (void *stream, int *status, unsigned long long *number, void *graph, unsigned long **nodes, void *edges,
      size_t *count),
     (void)graph;
     (void)edges; error = check_stream(stream); *status = state.capture != 0; *number = state.capture;
     *nodes = &state.captured_node; *count = 1)
#else
CALL(StreamGetCaptureInfo, (void *stream, int *status, unsigned long long *number), error = check_stream(stream);
     *status = state.capture != 0; *number = state.capture)
#endif
#if defined(STANDIN_CUDA) || STANDIN_MAJOR > 5
CALL(StreamGetDevice, (void *stream, int *device), error = check_stream(stream); *device = state.foreign_device)
#endif
CALL(EventCreate, (void **event), error = make(event, 1, STANDIN_EVENT))
CALL_BACK(EventDestroy, event, give_back(event, STANDIN_EVENT))
CALL(EventRecord, (void *event, void *stream), error = check_event(event);
     error = error == STANDIN_OK ? check_stream(stream) : error)
CALL(EventSynchronize, (void *event), error = check_event(event))
CALL(EventElapsedTime, (float *milliseconds, void *start, void *stop), error = check_event(start);
     error = error == STANDIN_OK ? check_event(stop) : error; *milliseconds = 20)

/* ---- Launches ---- */

/* The mutex is not held while the kernel runs. */
static int launch(const char *name, standin_dim3 grid, standin_dim3 block, const void *stream) {
    int error = enter(name);
    state.tiles = grid.x * grid.y * grid.z;
    state.tile_size = block.x * block.y * block.z;
    const bool is_lost = error != STANDIN_OK && state.fail_later && strcmp(state.failed, name) == 0;
    if (is_lost) {
        error = STANDIN_OK;
        has_failed = true;
    } else if (error == STANDIN_OK) {
        error = check_stream(stream);
    }
    (void)leave(error);
    if (error == STANDIN_OK && !is_lost && state.launch != NULL)
        state.launch();
    return error;
}

static void register_kernel(void) {
    state.registered++;
}

#if defined(STANDIN_CUDA)

typedef struct standin_attribute {
    int which;
    char padding[4];
    union {
        char bytes[64];
        int is_allowed;
    } value;
} standin_attribute;

typedef struct standin_launch {
    standin_dim3 grid, block;
    size_t bytes;
    void *stream;
    const standin_attribute *attributes;
    unsigned attribute_count;
} standin_launch;

typedef struct standin_kernel {
    size_t shared_bytes, constant_bytes, local_bytes;
    int largest_tile, registers, ptx_version, rest[16];
} standin_kernel;

CALL(FuncGetAttributes, (standin_kernel * kernel, const void *function), (void)function;
     kernel->ptx_version = state.ptx_version)

CALL(HostAlloc, (void **memory, size_t bytes, unsigned flags), state.host_flags = flags;
     error = make(memory, bytes, STANDIN_PINNED_MEMORY))
CALL_BACK(FreeHost, memory, give_back(memory, STANDIN_PINNED_MEMORY))

/* The name is the first field of the properties. */
CALL(GetDeviceProperties, (char *properties, int device), (void)device; strcpy(properties, "a stand-in for a GPU"))

VISIBLE int cudaLaunchKernelExC(const standin_launch *how, const void *kernel, void **arguments);
int cudaLaunchKernelExC(const standin_launch *how, const void *kernel, void **arguments) {
    enum { EARLY_START = 6 }; /* cudaLaunchAttributeProgrammaticStreamSerialization */
    (void)kernel, (void)arguments;
    bool starts_early = false;
    for (unsigned i = 0; i < how->attribute_count; i++)
        starts_early |= how->attributes[i].which == EARLY_START && how->attributes[i].value.is_allowed == 1;
    pthread_mutex_lock(&mutex);
    state.starts_early = starts_early;
    if (state.capture != 0)
        state.captured_node++;
    pthread_mutex_unlock(&mutex);
    return launch("cudaLaunchKernelExC", how->grid, how->block, how->stream);
}

/* What nvcc's host code calls: to make kernels known, and in the stubs of kernels, which nobody calls. */
VISIBLE void **__cudaRegisterFatBinary(void *binary);
VISIBLE void __cudaRegisterFatBinaryEnd(void **handle);
VISIBLE void __cudaUnregisterFatBinary(void **handle);
VISIBLE void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
                                    void *thread, void *block, void *block_size, void *grid_size, int *wave_width);
VISIBLE int __cudaPopCallConfiguration(void *grid, void *block, size_t *bytes, void *stream);
VISIBLE int __cudaGetKernel(void **handle, const void *kernel);
VISIBLE int __cudaLaunchKernel(void *handle, standin_dim3 grid, standin_dim3 block, void **arguments, size_t bytes,
                               void *stream);

void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    handle = binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *thread,
                            void *block, void *block_size, void *grid_size, int *wave_width) {
    (void)handle, (void)host, (void)device, (void)name, (void)threads, (void)thread, (void)block, (void)block_size;
    (void)grid_size, (void)wave_width;
    register_kernel();
}

int __cudaPopCallConfiguration(void *grid, void *block, size_t *bytes, void *stream) {
    (void)grid, (void)block, (void)bytes, (void)stream;
    abort();
}

int __cudaGetKernel(void **handle, const void *kernel) {
    (void)handle, (void)kernel;
    abort();
}

int __cudaLaunchKernel(void *handle, standin_dim3 grid, standin_dim3 block, void **arguments, size_t bytes,
                       void *stream) {
    (void)handle, (void)grid, (void)block, (void)arguments, (void)bytes, (void)stream;
    abort();
}

#else

CALL(HostMalloc, (void **memory, size_t bytes, unsigned flags), state.host_flags = flags;
     error = make(memory, bytes, STANDIN_PINNED_MEMORY))
CALL_BACK(HostFree, memory, give_back(memory, STANDIN_PINNED_MEMORY))
CALL(DeviceGetName, (char *name, int length, int device), (void)device;
     snprintf(name, (size_t)length, "a stand-in for a GPU"))

VISIBLE int hipLaunchKernel(const void *kernel, standin_dim3 grid, standin_dim3 block, void **arguments, size_t bytes,
                            void *stream);
int hipLaunchKernel(const void *kernel, standin_dim3 grid, standin_dim3 block, void **arguments, size_t bytes,
                    void *stream) {
    (void)kernel, (void)arguments, (void)bytes;
    return launch("hipLaunchKernel", grid, block, stream);
}

/* What clang's host code calls. That which takes the configuration back, in the stub of a kernel, has nothing to fail
 * of, and its answer is not looked at. */
typedef struct configuration {
    standin_dim3 grid, block;
    size_t bytes;
    void *stream;
} configuration;
static _Thread_local configuration pushed;

VISIBLE int __hipPushCallConfiguration(standin_dim3 grid, standin_dim3 block, size_t bytes, void *stream);
VISIBLE int __hipPopCallConfiguration(standin_dim3 *grid, standin_dim3 *block, size_t *bytes, void **stream);
VISIBLE void **__hipRegisterFatBinary(const void *binary);
VISIBLE void __hipUnregisterFatBinary(void **handle);
VISIBLE void __hipRegisterFunction(void **handle, const void *host, char *device, const char *name, unsigned threads,
                                   void *thread, void *block, void *block_size, void *grid_size, int *wave_width);

int __hipPushCallConfiguration(standin_dim3 grid, standin_dim3 block, size_t bytes, void *stream) {
    const int error = enter("__hipPushCallConfiguration");
    if (error == STANDIN_OK)
        pushed = (configuration){grid, block, bytes, stream};
    return leave(error);
}

int __hipPopCallConfiguration(standin_dim3 *grid, standin_dim3 *block, size_t *bytes, void **stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *bytes = pushed.bytes;
    *stream = pushed.stream;
    return STANDIN_OK;
}

void **__hipRegisterFatBinary(const void *binary) {
    static void *handle;
    const int error = leave(enter("__hipRegisterFatBinary"));
    handle = (void *)(uintptr_t)binary;
    if (STANDIN_MAJOR <= 5 && getenv("STANDIN_NO_BINARY") != NULL)
        abort();
    if (getenv("STANDIN_REFUSES_BINARY") != NULL) {
        if (state.calls > 1)
            abort();
        return NULL;
    }
    return error == STANDIN_OK ? &handle : NULL;
}

void __hipUnregisterFatBinary(void **handle) {
    (void)handle;
}

void __hipRegisterFunction(void **handle, const void *host, char *device, const char *name, unsigned threads,
                           void *thread, void *block, void *block_size, void *grid_size, int *wave_width) {
    (void)handle, (void)host, (void)device, (void)name, (void)threads, (void)thread, (void)block, (void)block_size;
    (void)grid_size, (void)wave_width;
    register_kernel();
}

#endif
