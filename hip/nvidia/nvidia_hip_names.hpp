// HIP's own headers for NVIDIA, of a version that fits the CUDA toolkit's, and what versions of them lack.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_HIP_NAMES_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_HIP_NAMES_HPP

#include <hip/hip_runtime.h>

namespace wf {
inline bool is_device_memory(const hipPointerAttribute_t &attributes) {
#if HIP_VERSION < 60000000
    return attributes.memoryType == hipMemoryTypeDevice && attributes.isManaged == 0;
#else
    return attributes.type == hipMemoryTypeDevice;
#endif
}

// Versions of HIP have hipStreamGetDevice() for AMD alone.
inline hipError_t device_of_stream([[maybe_unused]] hipStream_t stream, [[maybe_unused]] int *device) {
#if CUDART_VERSION >= 12080
    return hipCUDAErrorTohipError(cudaStreamGetDevice(stream, device));
#else
    return hipSuccess;
#endif
}
} // namespace wf

#endif
