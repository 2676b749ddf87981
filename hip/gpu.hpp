// The one portability header: HIP's names, on AMD, on NVIDIA and on the host device.
//
// AMD:    HIP's own headers.
// NVIDIA: aliases from HIP's names to CUDA's, for exactly what the project uses: such a build needs only the CUDA
//         toolkit. With __HIP_PLATFORM_NVIDIA__ defined, as -DWF_NVIDIA_HIP_HEADERS=ON does, HIP's own headers instead,
//         of a version that fits the toolkit's.
// host:   the emulator, where a stream is the emulated machine.
#ifndef WAVEFOLD_GPU_HPP
#define WAVEFOLD_GPU_HPP

#include <cstddef>
#include <cstdint>

namespace wf {
// Threads of a tile, at most, on every platform. Kernels promise it to the compiler, which then keeps to registers that
// so many threads can have.
constexpr unsigned largest_tile = 1024;
} // namespace wf

#if defined(WF_HOST_DEVICE)

#include "host/emulator/machine.hpp"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)

namespace wf {
// hipLaunchKernelGGL for the host device; it launches on the machine instead of a stream.
template <class... Parameters, class... Arguments>
void launch_on(host::machine &machine, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
               size_t tile_bytes, Arguments... arguments) {
    machine.launch(tiles, tile_size, tile_bytes, [=] { kernel(arguments...); });
}
} // namespace wf

#elif (defined(__HIPCC__) || defined(__HIP__)) && !defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#define WF_AMD_DEVICE

// Lanes of a wave in the code that is being compiled. No compiler's way to ask lasts: clang 19 leaves its builtin to be
// answered after the last optimisation, and clang 22 no longer has the macro. So the build looks at what the compiler
// makes of the target, and says it (cmake/amd.cmake); the macro serves who compiles by hand.
#if !defined(WF_WAVE_WIDTH) && defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#if defined(__AMDGCN_WAVEFRONT_SIZE)
#define WF_WAVE_WIDTH __AMDGCN_WAVEFRONT_SIZE
#else
#error "say how many lanes this target's waves have: -DWF_WAVE_WIDTH=64 or -DWF_WAVE_WIDTH=32"
#endif
#endif

#define WF_STREAMS_TELL_THEIR_DEVICE (HIP_VERSION >= 50600000) // ROCm 5.6

#elif defined(__CUDACC__)

#if defined(__HIP_PLATFORM_NVIDIA__)

#include <hip/hip_runtime.h>

#define WF_STREAMS_TELL_THEIR_DEVICE (CUDART_VERSION >= 12080)
#if WF_STREAMS_TELL_THEIR_DEVICE
namespace wf {
// Versions of HIP have this for AMD alone.
inline hipError_t device_of_stream(hipStream_t stream, int *device) {
    return hipCUDAErrorTohipError(cudaStreamGetDevice(stream, device));
}
} // namespace wf
#define hipStreamGetDevice wf::device_of_stream
#endif

#else

#include <cuda_runtime.h>

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipGetErrorString cudaGetErrorString
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipGetLastError cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError
#define hipGetDeviceCount cudaGetDeviceCount
#define hipSetDevice cudaSetDevice
#define hipDriverGetVersion cudaDriverGetVersion
#define hipRuntimeGetVersion cudaRuntimeGetVersion
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipDeviceAttribute_t cudaDeviceAttr
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeMaxGridDimX cudaDevAttrMaxGridDimX
#define hipDeviceAttributeComputeCapabilityMajor cudaDevAttrComputeCapabilityMajor
#define hipDeviceAttributeComputeCapabilityMinor cudaDevAttrComputeCapabilityMinor
#define hipMemGetInfo cudaMemGetInfo
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipHostMalloc cudaHostAlloc
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostFree cudaFreeHost
#define hipHostGetDevicePointer cudaHostGetDevicePointer
#define hipPointerAttribute_t cudaPointerAttributes
#define hipPointerGetAttributes cudaPointerGetAttributes
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemsetAsync cudaMemsetAsync
#define hipMemcpyKind cudaMemcpyKind
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipStream_t cudaStream_t
#define hipStreamCreate cudaStreamCreate
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamCaptureStatus cudaStreamCaptureStatus
#define hipStreamCaptureStatusNone cudaStreamCaptureStatusNone
#define hipStreamGetCaptureInfo cudaStreamGetCaptureInfo
#define hipEvent_t cudaEvent_t
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime

#define hipStreamPerThread cudaStreamPerThread
#define hipMemoryTypeDevice cudaMemoryTypeDevice
#define hipStreamGetDevice cudaStreamGetDevice // CUDA 12.8
#define WF_STREAMS_TELL_THEIR_DEVICE (CUDART_VERSION >= 12080)

// CUDA's runtime has the name in the properties alone.
inline hipError_t hipDeviceGetName(char *name, int length, int device) {
    cudaDeviceProp properties;
    const hipError_t error = cudaGetDeviceProperties(&properties, device);
    for (int i = 0; error == hipSuccess && i < length; i++)
        name[i] = i < length - 1 && i < static_cast<int>(sizeof properties.name) ? properties.name[i] : '\0';
    return error;
}

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

template <class... Parameters, class... Arguments>
void hipLaunchKernelGGL(void (*kernel)(Parameters...), dim3 grid, dim3 block, unsigned shared_bytes, hipStream_t stream,
                        Arguments... arguments) {
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = grid;
    configuration.blockDim = block;
    configuration.dynamicSmemBytes = shared_bytes;
    configuration.stream = stream;
    cudaLaunchKernelEx(&configuration, kernel, static_cast<Parameters>(arguments)...); // hipGetLastError() tells
}

#endif

#else
#error "build with hipcc or clang for AMD, with nvcc for NVIDIA, or with WF_HOST_DEVICE defined for the host device"
#endif

namespace wf {
// Hides from AMD's compilers how a number came about. Else they reorder a long chain of integer sums such that all of
// its operands are unpacked before the first two are added, each in a register.
template <class T>
__device__ __forceinline__ void hide_origin(T &value) {
#if defined(WF_AMD_DEVICE) && defined(__HIP_DEVICE_COMPILE__)
    asm("" : "+v"(value));
#else
    (void)value;
#endif
}
} // namespace wf

#if !defined(WF_HOST_DEVICE)
namespace wf {
inline bool is_device_memory(const hipPointerAttribute_t &attributes) {
#if defined(HIP_VERSION) && HIP_VERSION < 60000000
    return attributes.memoryType == hipMemoryTypeDevice && attributes.isManaged == 0;
#else
    return attributes.type == hipMemoryTypeDevice;
#endif
}

template <class... Parameters, class... Arguments>
void launch_on(hipStream_t stream, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size, size_t tile_bytes,
               Arguments... arguments) {
    hipLaunchKernelGGL(kernel, dim3(tiles), dim3(tile_size), static_cast<unsigned>(tile_bytes), stream, arguments...);
}
} // namespace wf
#endif

#endif
