// Aliases from HIP's names to CUDA's, for exactly what the project uses: such a build needs only the CUDA toolkit.
#ifndef WAVEFOLD_NVIDIA_CUDA_NAMES_HPP
#define WAVEFOLD_NVIDIA_CUDA_NAMES_HPP

#include <cuda_runtime.h>

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorNotReady cudaErrorNotReady
#define hipGetErrorString cudaGetErrorString
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipErrorContextIsDestroyed cudaErrorContextIsDestroyed
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
#define hipStreamCaptureMode cudaStreamCaptureMode
#define hipStreamCaptureModeRelaxed cudaStreamCaptureModeRelaxed
#define hipThreadExchangeStreamCaptureMode cudaThreadExchangeStreamCaptureMode
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
#define hipEvent_t cudaEvent_t
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime

#define hipStreamPerThread cudaStreamPerThread

namespace wf {
inline bool is_device_memory(const cudaPointerAttributes &attributes) {
    return attributes.type == cudaMemoryTypeDevice;
}

inline cudaError_t device_of_stream([[maybe_unused]] cudaStream_t stream, [[maybe_unused]] int *device) {
#if CUDART_VERSION >= 12080
    return cudaStreamGetDevice(stream, device);
#else
    return cudaSuccess;
#endif
}
} // namespace wf

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
