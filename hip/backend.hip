// The GPU backend: fills the table that the library reads. Compiled once for AMD and once for NVIDIA.
//
// It uses few and ordinary calls of the runtime: devices and attributes, memory, one stream, two events, launches.
#include "axes/launch_pairs.hpp"
#include "cancellation_guard.hpp"
#include "hold.hip"
#include "launch.hpp"
#include "read_ceiling.hip"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

namespace {

thread_local char last_message[1024]; // what fails for want of memory can be told as well

__attribute__((format(printf, 1, 2))) void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(last_message, sizeof last_message, format, arguments);
    va_end(arguments);
}

// Turns the runtime's answer into a status; the message says which call gave it.
wf_status check(hipError_t error, const char *call) {
    if (error == hipSuccess)
        return WF_OK;
    (void)hipGetLastError(); // told here; the next call must not be blamed for it
    say("%s failed: %s", call, hipGetErrorString(error));
    return error == hipErrorOutOfMemory ? WF_OUT_OF_MEMORY : WF_DEVICE_ERROR;
}

// Nobody can be told of a failure while something is given back, and nothing is left to be done about it; but the next
// launch must not be blamed for it. What the program left is not ours to clear.
void forget(hipError_t chosen, hipError_t given_back) {
    if (chosen != hipSuccess || given_back != hipSuccess)
        (void)hipGetLastError();
}

struct gpu_device {
    int ordinal = 0;
    unsigned multiprocessors = 0;
    hipStream_t stream = nullptr;
    hipEvent_t started = nullptr;
    hipEvent_t stopped = nullptr;
    bool can_start_early = false; // kernels, before those queued earlier have ended
};

gpu_device &as_gpu(void *device) {
    return *static_cast<gpu_device *>(device);
}

// The device of the calling thread's calls while this is there. Then it is the program's own again, which may have
// several.
class device_scope {
  public:
    explicit device_scope(int ordinal) : error_(hipSetDevice(ordinal)) {}
    explicit device_scope(const gpu_device &gpu) : device_scope(gpu.ordinal) {}

    hipError_t error() const { return error_; }
    wf_status told() const { return check(error_, "hipSetDevice"); }

  private:
    const wf::cancellation_guard cancelled_; // before the others, which call the runtime
    const wf::kept_device programs_;         // before error_
    const hipError_t error_;
};

// For what may launch: the program's own earlier error is not to be taken for the launch's, and stays for the program
// to find. Before any other call of the runtime, as before ROCm 7 the next one would overwrite it. That work goes on,
// which a query answers, is no error, though before ROCm 7 it is kept as one.
wf_status refuse_earlier_error() {
    const wf::cancellation_guard cancelled;
    const hipError_t earlier = hipPeekAtLastError();
    if (earlier == hipErrorNotReady)
        (void)hipGetLastError();
    if (earlier == hipSuccess || earlier == hipErrorNotReady)
        return WF_OK;
    say("the program's earlier work on the device left an error: %s", hipGetErrorString(earlier));
    return WF_DEVICE_ERROR;
}

wf_status earlier_error(void *) {
    return refuse_earlier_error();
}

const char *message() {
    return last_message;
}

const char *runtime() {
    return wf::describe_runtime();
}

uint32_t device_count() {
    int count = 0;
    if (!wf::prepare_runtime(last_message, sizeof last_message))
        return 0;
    if (check(hipGetDeviceCount(&count), "hipGetDeviceCount") != WF_OK)
        return 0;
    if (count == 0)
        say("the driver is there, but it offers no " WF_BACKEND_NAME " device");
    return static_cast<uint32_t>(count);
}

wf_status attribute(hipDeviceAttribute_t which, uint32_t ordinal, uint32_t *value) {
    int read = 0;
    const wf_status status =
        check(hipDeviceGetAttribute(&read, which, static_cast<int>(ordinal)), "hipDeviceGetAttribute");
    if (status == WF_OK)
        *value = static_cast<uint32_t>(read);
    return status;
}

wf_status attributes(uint32_t ordinal, wf_device_info *found) {
    uint32_t grid_limit = 0;
    const struct {
        hipDeviceAttribute_t which;
        uint32_t *value;
    } all[] = {
        {hipDeviceAttributeWarpSize, &found->wave_width},
        {hipDeviceAttributeMultiprocessorCount, &found->multiprocessors},
        {hipDeviceAttributeMaxThreadsPerBlock, &found->max_tile_size},
        {hipDeviceAttributeMaxGridDimX, &grid_limit},
        {hipDeviceAttributeComputeCapabilityMajor, &found->capability_major},
        {hipDeviceAttributeComputeCapabilityMinor, &found->capability_minor},
    };
    for (const auto &each : all) {
        const wf_status status = attribute(each.which, ordinal, each.value);
        if (status != WF_OK)
            return status;
    }
    int ratio = 0;
    const wf_status asked =
        check(wf::ask_f64_ratio(static_cast<int>(ordinal), found->wave_width, &ratio), "asking how fast f64 is");
    if (asked != WF_OK)
        return asked;
    found->f64_ratio = static_cast<uint32_t>(ratio);
    found->max_tile_size = std::min(found->max_tile_size, wf::largest_tile);
    // AMD counts a launch in threads, and in 32 bits.
    found->max_tiles = std::min(grid_limit, UINT32_MAX / found->max_tile_size);
    return WF_OK;
}

wf_status versions(wf_device_info *found) {
    int driver = 0, runtime = 0;
    wf_status status = check(hipDriverGetVersion(&driver), "hipDriverGetVersion");
    if (status == WF_OK)
        status = check(hipRuntimeGetVersion(&runtime), "hipRuntimeGetVersion");
    found->driver_version = static_cast<uint32_t>(driver);
    found->runtime_version = static_cast<uint32_t>(runtime);
    return status;
}

wf_status memory_sizes(wf_device_info *found) {
    size_t memory_free = 0, memory = 0;
    const wf_status status = check(hipMemGetInfo(&memory_free, &memory), "hipMemGetInfo");
    found->memory_bytes = memory;
    found->memory_free_bytes = memory_free;
    return status;
}

wf_status device_info(uint32_t ordinal, wf_device_info *info) {
    const int device = static_cast<int>(ordinal);
    wf_device_info found = {};
    std::snprintf(found.id, sizeof found.id, WF_BACKEND_NAME ":%u", ordinal);
    std::snprintf(found.backend, sizeof found.backend, WF_BACKEND_NAME);
    found.f32_atomics_flush = wf::f32_atomics_flush ? 1 : 0;
    const device_scope scope(device);
    wf_status status = scope.told();
    if (status == WF_OK)
        status = check(hipDeviceGetName(found.name, sizeof found.name, device), "hipDeviceGetName");
    if (status == WF_OK)
        status = attributes(ordinal, &found);
    if (status == WF_OK)
        status = versions(&found);
    if (status == WF_OK)
        status = memory_sizes(&found);
    if (status == WF_OK)
        *info = found;
    return status;
}

void close(void *device) {
    gpu_device &gpu = as_gpu(device);
    const device_scope scope(gpu);
    if (gpu.stream != nullptr)
        forget(scope.error(), hipStreamDestroy(gpu.stream));
    if (gpu.started != nullptr)
        forget(scope.error(), hipEventDestroy(gpu.started));
    if (gpu.stopped != nullptr)
        forget(scope.error(), hipEventDestroy(gpu.stopped));
    delete &gpu;
}

wf_status open_queue(gpu_device &gpu) {
    const device_scope scope(gpu);
    wf_status status = scope.told();
    if (status == WF_OK)
        status = check(hipStreamCreate(&gpu.stream), "hipStreamCreate");
    if (status == WF_OK)
        status = check(hipEventCreate(&gpu.started), "hipEventCreate");
    if (status == WF_OK)
        status = check(hipEventCreate(&gpu.stopped), "hipEventCreate");
    if (status == WF_OK)
        status =
            attribute(hipDeviceAttributeMultiprocessorCount, static_cast<uint32_t>(gpu.ordinal), &gpu.multiprocessors);
    if (status == WF_OK) // one kernel stands for all, which are compiled together
        status = check(wf::ask_early_start(reinterpret_cast<const void *>(&wf::read_all), &gpu.can_start_early),
                       "hipFuncGetAttributes");
    return status;
}

wf_status open(uint32_t ordinal, const char *setting, void **device) {
    if (*setting != '\0') {
        say("a GPU takes no setting such as '%.60s'", setting);
        return WF_INVALID_ARGUMENT;
    }
    auto *gpu = new (std::nothrow) gpu_device;
    if (gpu == nullptr) {
        say("no host memory for a device");
        return WF_OUT_OF_MEMORY;
    }
    gpu->ordinal = static_cast<int>(ordinal);
    const wf_status status = open_queue(*gpu);
    if (status != WF_OK) {
        close(gpu);
        return status;
    }
    *device = gpu;
    return WF_OK;
}

// Memory may be allocated while this thread captures a stream: it is not part of the graph.
class captures_go_on {
  public:
    captures_go_on() {
        const hipError_t error = hipThreadExchangeStreamCaptureMode(&mode_);
        is_known_ = error == hipSuccess;
        forget(hipSuccess, error);
    }
    ~captures_go_on() {
        if (is_known_)
            forget(hipSuccess, hipThreadExchangeStreamCaptureMode(&mode_));
    }
    captures_go_on(const captures_go_on &) = delete;
    captures_go_on &operator=(const captures_go_on &) = delete;

  private:
    hipStreamCaptureMode mode_ = hipStreamCaptureModeRelaxed;
    bool is_known_ = false;
};

wf_status allocate(void *device, size_t bytes, void **memory) {
    void *allocated = nullptr;
    const device_scope scope(as_gpu(device));
    wf_status status = scope.told();
    if (status != WF_OK)
        return status;
    {
        const captures_go_on while_allocating;
        status = check(hipMalloc(&allocated, bytes), "hipMalloc");
    }
    if (status == WF_OK) {
        *memory = allocated;
        return WF_OK;
    }
    size_t unused = 0, all = 0;
    const hipError_t asked = hipMemGetInfo(&unused, &all);
    if (asked != hipSuccess) { // what failed first is what is told
        (void)hipGetLastError();
        return status;
    }
    const size_t said = std::strlen(last_message);
    std::snprintf(last_message + said, sizeof last_message - said,
                  ": %zu bytes were asked for, %zu of %zu are free: use fewer elements", bytes, unused, all);
    return status;
}

void release(void *device, void *memory) {
    const device_scope scope(as_gpu(device));
    forget(scope.error(), hipFree(memory));
}

wf_status copy(void *device, void *to, const void *from, size_t bytes, wf_direction direction) {
    static const hipMemcpyKind kinds[] = {hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice};
    const gpu_device &gpu = as_gpu(device);
    const device_scope scope(gpu);
    wf_status status = scope.told();
    if (status == WF_OK)
        status = check(hipMemcpyAsync(to, from, bytes, kinds[direction], gpu.stream), "hipMemcpyAsync");
    if (status == WF_OK)
        status = check(hipStreamSynchronize(gpu.stream), "hipStreamSynchronize");
    return status;
}

hipStream_t stream_of(const gpu_device &gpu, void *stream) {
    return stream != nullptr ? static_cast<hipStream_t>(stream) : gpu.stream;
}

wf_status refuse_stream(const gpu_device &gpu) {
    say("the stream is none of " WF_BACKEND_NAME ":%d: it must be of the context's device, and not destroyed",
        gpu.ordinal);
    return WF_INVALID_ARGUMENT;
}

// What a call gives for a stream that was destroyed: each version of HIP has its own answer, or does not look.
bool is_no_stream(hipError_t error) {
    return error == hipErrorInvalidHandle || error == hipErrorContextIsDestroyed || error == hipErrorInvalidValue;
}

wf_status capture_of(const gpu_device &gpu, void *stream, wf::captured_work *captured) {
    const hipError_t error = wf::ask_capture(static_cast<hipStream_t>(stream), captured);
    const wf_status asked = check(error, "hipStreamGetCaptureInfo");
    return is_no_stream(error) ? refuse_stream(gpu) : asked;
}

// A launch would run on the stream's device, and reach for the context's memory from there.
wf_status check_stream(const gpu_device &gpu, void *stream, wf::captured_work *captured) {
    // One handle for a different stream in each thread: what tiles tell each other would have no place of its own.
    if (stream == static_cast<void *>(hipStreamPerThread)) {
        say("the stream of each thread has no place in a context: create a stream, and pass that");
        return WF_INVALID_ARGUMENT;
    }
    if (stream == nullptr)
        return WF_OK;
    const wf_status found = capture_of(gpu, stream, captured);
    if (found != WF_OK || captured->number != 0) // a stream that is captured may not be asked
        return found;
    int there = gpu.ordinal;
    const hipError_t error = wf::device_of_stream(static_cast<hipStream_t>(stream), &there);
    const wf_status asked = check(error, "hipStreamGetDevice");
    return is_no_stream(error) || there != gpu.ordinal ? refuse_stream(gpu) : asked;
}

// What this thread's last launch that was captured left: the node is its own. No two captures have one number.
thread_local wf::captured_work own_work;
thread_local void *own_stream = nullptr;

// In a graph an early start pays behind a kernel of ours alone (docs/performance.md, "Kernels that start early").
void choose_start(const gpu_device &gpu, void *stream, const wf::captured_work &captured, wf::gpu_queue *queue) {
    const bool is_captured = captured.number != 0;
    const bool is_behind_own = stream == own_stream && captured.number == own_work.number &&
                               captured.last_node == own_work.last_node && captured.last_node != nullptr;
    queue->starts_early = gpu.can_start_early && (!is_captured || is_behind_own);
    queue->lets_next_start = gpu.can_start_early && is_captured;
}

wf_status launch(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    const gpu_device &gpu = as_gpu(device);
    const auto run = wf::find_launch<const wf::gpu_queue &>(algorithm, request);
    if (!run) {
        say("no such kernel");
        return WF_UNSUPPORTED;
    }
    const wf_status earlier = refuse_earlier_error();
    if (earlier != WF_OK)
        return earlier;
    const device_scope scope(gpu);
    if (scope.error() != hipSuccess)
        return scope.told();
    wf::captured_work captured;
    const wf_status of_stream = check_stream(gpu, stream, &captured);
    if (of_stream != WF_OK)
        return of_stream;
    wf::gpu_queue queue = stream_of(gpu, stream);
    choose_start(gpu, stream, captured, &queue);
    run(queue);
    const hipError_t launched = hipGetLastError();
    if (stream != nullptr && (launched == hipErrorInvalidHandle || launched == hipErrorContextIsDestroyed))
        return refuse_stream(gpu);
    const wf_status status = check(launched, "launching the kernel");
    if (status == WF_OK && queue.lets_next_start) {
        (void)capture_of(gpu, stream, &own_work); // without an answer the next one starts late, no more
        own_stream = stream;
    }
    return status;
}

wf_status clear(void *device, void *stream, void *memory, size_t bytes) {
    const gpu_device &gpu = as_gpu(device);
    // Room of a new context is cleared whatever the program left. Where a runtime keeps that, the launch finds it.
    wf_status status = wf::keeps_last_error() ? WF_OK : refuse_earlier_error();
    if (status != WF_OK)
        return status;
    const device_scope scope(gpu);
    wf::captured_work captured;
    status = scope.told();
    if (status == WF_OK)
        status = check_stream(gpu, stream, &captured);
    return status != WF_OK ? status : check(hipMemsetAsync(memory, 0, bytes, stream_of(gpu, stream)), "hipMemsetAsync");
}

wf_status finish(void *device) {
    const gpu_device &gpu = as_gpu(device);
    const device_scope scope(gpu);
    const wf_status status = scope.told();
    return status != WF_OK ? status : check(hipStreamSynchronize(gpu.stream), "hipStreamSynchronize");
}

wf_status read(void *device, const void *from, size_t bytes) {
    const gpu_device &gpu = as_gpu(device);
    const wf_status earlier = refuse_earlier_error();
    if (earlier != WF_OK)
        return earlier;
    const device_scope scope(gpu);
    if (scope.error() != hipSuccess)
        return scope.told();
    wf::launch_on(gpu.stream, wf::read_all, wf::read_tiles_of_processor * gpu.multiprocessors, wf::read_tile, 0,
                  static_cast<const uint4 *>(from), bytes / sizeof(uint4), static_cast<uint4 *>(nullptr));
    return check(hipGetLastError(), "launching the kernel");
}

wf_status share(void *device, size_t bytes, void **here, void **there) {
    void *shared = nullptr, *seen = nullptr;
    const device_scope scope(as_gpu(device));
    wf_status status = scope.told();
    if (status == WF_OK)
        status = check(hipHostMalloc(&shared, bytes, wf::polled_memory), "hipHostMalloc");
    if (status != WF_OK)
        return status;
    status = check(hipHostGetDevicePointer(&seen, shared, 0), "hipHostGetDevicePointer");
    if (status != WF_OK) {
        forget(hipSuccess, hipHostFree(shared));
        return status;
    }
    *here = shared;
    *there = seen;
    return WF_OK;
}

void unshare(void *device, void *here) {
    const device_scope scope(as_gpu(device));
    forget(scope.error(), hipHostFree(here));
}

wf_status reaches(void *device, const void *memory, const void **there) {
    const wf_status earlier = refuse_earlier_error();
    if (earlier != WF_OK)
        return earlier;
    const device_scope scope(as_gpu(device));
    if (scope.error() != hipSuccess)
        return scope.told();
    *there = nullptr;
    hipPointerAttribute_t attributes = {};
    const hipError_t error = hipPointerGetAttributes(&attributes, memory);
    if (error == hipErrorInvalidValue) { // memory of which the runtime knows nothing
        (void)hipGetLastError();
        return WF_OK;
    }
    if (error != hipSuccess)
        return check(error, "hipPointerGetAttributes");
    if (wf::is_device_memory(attributes) && attributes.device != as_gpu(device).ordinal) {
        say("the array is memory of " WF_BACKEND_NAME ":%d: use a context of that device, or copy it",
            attributes.device);
        return WF_INVALID_ARGUMENT;
    }
    *there = attributes.devicePointer;
    return WF_OK;
}

wf_status capture(void *device, void *stream, uint64_t *number) {
    const gpu_device &gpu = as_gpu(device);
    wf::captured_work captured;
    const wf_status earlier = refuse_earlier_error();
    if (earlier != WF_OK)
        return earlier;
    const device_scope scope(gpu);
    wf_status status = scope.told();
    if (status == WF_OK)
        status = capture_of(gpu, stream, &captured);
    if (status == WF_OK)
        *number = captured.number;
    return status;
}

wf_status hold(void *device) {
    const gpu_device &gpu = as_gpu(device);
    const wf_status earlier = refuse_earlier_error();
    if (earlier != WF_OK)
        return earlier;
    const device_scope scope(gpu);
    if (scope.error() != hipSuccess)
        return scope.told();
    wf::launch_on(gpu.stream, wf::hold, 1, 1, 0, wf::hold_steps, static_cast<unsigned *>(nullptr));
    return check(hipGetLastError(), "launching the kernel");
}

wf_status timer_start(void *device) {
    const gpu_device &gpu = as_gpu(device);
    const device_scope scope(gpu);
    const wf_status status = scope.told();
    return status != WF_OK ? status : check(hipEventRecord(gpu.started, gpu.stream), "hipEventRecord");
}

wf_status timer_stop(void *device, double *seconds) {
    const gpu_device &gpu = as_gpu(device);
    float milliseconds = 0;
    const device_scope scope(gpu);
    wf_status status = scope.told();
    if (status == WF_OK)
        status = check(hipEventRecord(gpu.stopped, gpu.stream), "hipEventRecord");
    if (status == WF_OK)
        status = check(hipEventSynchronize(gpu.stopped), "hipEventSynchronize");
    if (status == WF_OK)
        status = check(hipEventElapsedTime(&milliseconds, gpu.started, gpu.stopped), "hipEventElapsedTime");
    if (status == WF_OK)
        *seconds = 1e-3 * static_cast<double>(milliseconds);
    return status;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const wf_backend *wavefold_backend() {
    static const wf_backend backend = [] {
        wf_backend made = {}; // reduce stays null: kernels do it
        made.abi = WF_BACKEND_ABI;
        made.name = WF_BACKEND_NAME;
        made.wide_tile = wf::largest_tile_of_large_values;
        made.exact_tile = wf::largest_exact_tile;
        made.cluster_blocks = wf::cluster_blocks(wf::narrow_wave);
        made.cluster_block = wf::largest_cluster_block;
        made.message = message;
        made.runtime = runtime;
        made.device_count = device_count;
        made.device_info = device_info;
        made.open = open;
        made.close = close;
        made.allocate = allocate;
        made.release = release;
        made.copy = copy;
        made.earlier_error = earlier_error;
        made.launch = launch;
        made.clear = clear;
        made.read = read;
        made.finish = finish;
        made.share = share;
        made.unshare = unshare;
        made.reaches = reaches;
        made.capture = capture;
        made.hold = hold;
        made.timer_start = timer_start;
        made.timer_stop = timer_stop;
        return made;
    }();
    return &backend;
}
