// CUDA's runtime for the host code of a user's program. Streams run each request before the call returns. HIP's names
// are those of hip_names.hpp.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_RUNTIME_CALLS_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_RUNTIME_CALLS_HPP

#include "../memory/element_types.hpp"
#include "runtime_types.hpp"

#define WF_TRY_INLINE inline __attribute__((always_inline, no_sanitize("thread")))

extern "C" {

// ---- Errors ---------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

// ---- Memory ---------------------------------------------------------------------------------------------------------

cudaError_t cudaFree(void *data);
cudaError_t cudaFreeHost(void *data);
cudaError_t cudaFreeAsync(void *data, cudaStream_t stream);
cudaError_t cudaHostRegister(void *data, size_t bytes, unsigned flags = 0);
cudaError_t cudaHostUnregister(void *data);
cudaError_t cudaHostGetFlags(unsigned *flags, void *data);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address);
cudaError_t cudaMemAdvise(const void *data, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync(const void *data, size_t bytes, int device, cudaStream_t stream = nullptr);

// ---- Copies ---------------------------------------------------------------------------------------------------------

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height,
                              cudaStream_t stream = nullptr);

// ---- Devices --------------------------------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaThreadExit();
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// ---- Streams and events ---------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *data, size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// Graphs are not supported: each returns cudaErrorNotSupported.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *program, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t program);

} // extern "C"

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = 0) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class... Arguments>
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *program, cudaGraph_t graph, Arguments...) {
    return cudaGraphInstantiateWithFlags(program, graph, 0);
}

// ---- Memory with a name: the variable of the call -------------------------------------------------------------------

namespace wf::tried {

struct array_name {
    const char *arguments; // the call's, as written: the first one has the variable
};

enum class allocator { device, managed, host, pinned };
cudaError_t allocate_named(array_name name, allocator by, void **to, size_t element, size_t bytes);
cudaError_t allocate_pitched(array_name name, void **to, size_t element, size_t *pitch, size_t width, size_t height);
cudaError_t allocate_pitched(array_name name, cudaPitchedPtr *to, cudaExtent extent);

} // namespace wf::tried

// A function for the macro of the same name, and one without a name.
#define WF_TRY_ALLOCATION(function, parameters, allocation)                                                            \
    template <class T>                                                                                                 \
    WF_TRY_INLINE cudaError_t function(wf::tried::array_name name, WF_TRY_ALL parameters) {                            \
        return allocation;                                                                                             \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    WF_TRY_INLINE cudaError_t function(WF_TRY_ALL parameters) {                                                        \
        constexpr wf::tried::array_name name = {""};                                                                   \
        return allocation;                                                                                             \
    }
#define WF_TRY_ALL(...) __VA_ARGS__
#define WF_TRY_ALLOCATED(by)                                                                                           \
    wf::tried::allocate_named(name, wf::tried::allocator::by, reinterpret_cast<void **>(to), wf::tried::bytes_of<T>(), \
                              bytes)

WF_TRY_ALLOCATION(cudaMalloc, (T * *to, size_t bytes), WF_TRY_ALLOCATED(device))
WF_TRY_ALLOCATION(cudaMallocAsync, (T * *to, size_t bytes, cudaStream_t), WF_TRY_ALLOCATED(device))
WF_TRY_ALLOCATION(cudaMallocManaged, (T * *to, size_t bytes, unsigned = cudaMemAttachGlobal), WF_TRY_ALLOCATED(managed))
WF_TRY_ALLOCATION(cudaMallocHost, (T * *to, size_t bytes, unsigned = 0), WF_TRY_ALLOCATED(pinned))
WF_TRY_ALLOCATION(cudaHostAlloc, (T * *to, size_t bytes, unsigned = 0), WF_TRY_ALLOCATED(pinned))
WF_TRY_ALLOCATION(cudaMallocPitch, (T * *to, size_t *pitch, size_t width, size_t height),
                  wf::tried::allocate_pitched(name, reinterpret_cast<void **>(to), wf::tried::bytes_of<T>(), pitch,
                                              width, height))
WF_TRY_INLINE cudaError_t cudaMalloc3D(wf::tried::array_name name, cudaPitchedPtr *to, cudaExtent extent) {
    return wf::tried::allocate_pitched(name, to, extent);
}
WF_TRY_INLINE cudaError_t cudaMalloc3D(cudaPitchedPtr *to, cudaExtent extent) {
    return wf::tried::allocate_pitched({""}, to, extent);
}
#undef WF_TRY_ALLOCATED

#define cudaMalloc(...) cudaMalloc(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaMallocAsync(...) cudaMallocAsync(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaMallocManaged(...) cudaMallocManaged(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaMallocHost(...) cudaMallocHost(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaHostAlloc(...) cudaHostAlloc(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaMallocPitch(...) cudaMallocPitch(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)
#define cudaMalloc3D(...) cudaMalloc3D(wf::tried::array_name{#__VA_ARGS__}, __VA_ARGS__)

// ---- Calls that take a pointer, a variable or a kernel of any type --------------------------------------------------

namespace wf::tried {

cudaError_t mapped_pointer(void **to, void *host);
cudaError_t copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t symbol_address(void **to, const void *symbol);
cudaError_t symbol_size(size_t *bytes, const void *symbol);
cudaError_t set_attribute(cudaFuncAttribute attribute, int value);
cudaError_t get_attributes(cudaFuncAttributes *attributes);
int resident_tiles(int tile_size, size_t tile_bytes);
cudaError_t best_tile_size(int *least_tiles, int *tile_size, int limit);

} // namespace wf::tried

template <class T>
WF_TRY_INLINE cudaError_t cudaHostGetDevicePointer(T **to, void *host, unsigned = 0) {
    return wf::tried::mapped_pointer(reinterpret_cast<void **>(to), host);
}

#define HIP_SYMBOL(symbol) symbol
template <class T>
WF_TRY_INLINE cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return wf::tried::copy_to_symbol(__builtin_addressof(symbol), from, bytes, offset, kind);
}
template <class T>
WF_TRY_INLINE cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t = nullptr) {
    return wf::tried::copy_to_symbol(__builtin_addressof(symbol), from, bytes, offset, kind);
}
template <class T>
WF_TRY_INLINE cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return wf::tried::copy_from_symbol(to, __builtin_addressof(symbol), bytes, offset, kind);
}
template <class T>
WF_TRY_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t = nullptr) {
    return wf::tried::copy_from_symbol(to, __builtin_addressof(symbol), bytes, offset, kind);
}
template <class T, class Of>
WF_TRY_INLINE cudaError_t cudaGetSymbolAddress(T **to, const Of &symbol) {
    return wf::tried::symbol_address(reinterpret_cast<void **>(to), __builtin_addressof(symbol));
}
template <class Of>
WF_TRY_INLINE cudaError_t cudaGetSymbolSize(size_t *bytes, const Of &symbol) {
    return wf::tried::symbol_size(bytes, __builtin_addressof(symbol));
}

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute attribute, int value) {
    return wf::tried::set_attribute(attribute, value);
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel) {
    return wf::tried::get_attributes(attributes);
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache) {
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *tiles, Kernel, int tile_size, size_t tile_bytes) {
    *tiles = wf::tried::resident_tiles(tile_size, tile_bytes);
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *tiles, Kernel, int tile_size, size_t tile_bytes,
                                                                   unsigned) {
    *tiles = wf::tried::resident_tiles(tile_size, tile_bytes);
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_tiles, int *tile_size, Kernel, size_t = 0, int limit = 0) {
    return wf::tried::best_tile_size(least_tiles, tile_size, limit);
}
template <class Kernel, class Bytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *least_tiles, int *tile_size, Kernel, Bytes,
                                                           int limit = 0) {
    return wf::tried::best_tile_size(least_tiles, tile_size, limit);
}

#undef WF_TRY_ALL
#undef WF_TRY_ALLOCATION
#undef WF_TRY_INLINE
#endif
