// Streams and events. Each request runs before its call returns, so a stream is only a handle; events have the time of
// this computer.
#include "../memory/host_access.hpp"
#include "../memory/host_findings.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <chrono>
#include <unordered_set>

using std::chrono::steady_clock;

struct CUstream_st {
    unsigned flags;
    int priority;
};

struct CUevent_st {
    bool has_time, is_recorded;
    steady_clock::time_point at;
};

namespace wf::tried {

namespace {

struct handle_sets {
    std::unordered_set<cudaStream_t> streams;
    std::unordered_set<cudaEvent_t> events;
};
handle_sets &handles = *new handle_sets; // never destroyed: objects of the program may end after it

bool is_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           handles.streams.count(stream) != 0;
}

cudaError_t check(bool is_valid, const char *call, const char *what, const void *returns_to) {
    if (is_valid)
        return cudaSuccess;
    report_of_host(std::string(call) + " gets " + what + " that was not created, or was destroyed", returns_to);
    return set_last_error(cudaErrorInvalidResourceHandle);
}

cudaError_t check(cudaStream_t stream, const char *call, const void *returns_to) {
    return check(is_stream(stream), call, "a stream", returns_to);
}

cudaError_t check(cudaEvent_t event, const char *call, const void *returns_to) {
    return check(handles.events.count(event) != 0, call, "an event", returns_to);
}

cudaError_t make_stream(cudaStream_t *stream, unsigned flags, int priority) {
    *stream = new CUstream_st{flags, priority};
    handles.streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t refuse_graphs(const void *returns_to) {
    note_of_host("graphs do not run here: the call returns cudaErrorNotSupported; launch the kernels without a graph",
                 returns_to);
    return set_last_error(cudaErrorNotSupported);
}

} // namespace

} // namespace wf::tried

using namespace wf::tried;

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return make_stream(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return make_stream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    return make_stream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const bool is_own = handles.streams.erase(stream) != 0;
    if (is_own)
        delete stream;
    return check(is_own, "cudaStreamDestroy", "a stream", __builtin_return_address(0));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    wait_for_kernels();
    return check(stream, "cudaStreamSynchronize", __builtin_return_address(0));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    wait_for_kernels();
    return check(stream, "cudaStreamQuery", __builtin_return_address(0));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const cudaError_t error = check(stream, "cudaStreamWaitEvent", __builtin_return_address(0));
    return error != cudaSuccess ? error : check(event, "cudaStreamWaitEvent", __builtin_return_address(0));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    *flags = handles.streams.count(stream) != 0 ? stream->flags : unsigned(cudaStreamDefault);
    return check(stream, "cudaStreamGetFlags", __builtin_return_address(0));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    *priority = handles.streams.count(stream) != 0 ? stream->priority : 0;
    return check(stream, "cudaStreamGetPriority", __builtin_return_address(0));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
    const cudaError_t error = check(stream, "cudaStreamAddCallback", __builtin_return_address(0));
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, data);
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    const cudaError_t error = check(stream, "cudaLaunchHostFunc", __builtin_return_address(0));
    if (error == cudaSuccess)
        function(data);
    return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned) {
    return check(stream, "cudaStreamAttachMemAsync", __builtin_return_address(0));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0, false, {}};
    handles.events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const bool is_own = handles.events.erase(event) != 0;
    if (is_own)
        delete event;
    return check(is_own, "cudaEventDestroy", "an event", __builtin_return_address(0));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const void *const returns_to = __builtin_return_address(0);
    cudaError_t error = check(event, "cudaEventRecord", returns_to);
    if (error == cudaSuccess)
        error = check(stream, "cudaEventRecord", returns_to);
    if (error == cudaSuccess) {
        event->is_recorded = true;
        event->at = steady_clock::now();
    }
    return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    wait_for_kernels();
    return check(event, "cudaEventSynchronize", __builtin_return_address(0));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return check(event, "cudaEventQuery", __builtin_return_address(0));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    const void *const returns_to = __builtin_return_address(0);
    for (const cudaEvent_t each : {start, end}) {
        const cudaError_t error = check(each, "cudaEventElapsedTime", returns_to);
        if (error != cudaSuccess)
            return error;
        if (each->is_recorded && each->has_time)
            continue;
        report_of_host(std::string("cudaEventElapsedTime gets an event that ") +
                           (each->is_recorded ? "keeps no time (cudaEventDisableTiming)" : "was not recorded"),
                       returns_to);
        return set_last_error(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return cudaSuccess;
}

// ---- Graphs ---------------------------------------------------------------------------------------------------------

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph) {
    *graph = nullptr;
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
    *graph = nullptr;
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *program, cudaGraph_t, unsigned long long) {
    *program = nullptr;
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaGraphDestroy(cudaGraph_t) {
    return refuse_graphs(__builtin_return_address(0));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
    return refuse_graphs(__builtin_return_address(0));
}
