// HIP's own headers for NVIDIA, of a version that fits the CUDA toolkit's, and what versions of them lack.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_HIP_NAMES_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_HIP_NAMES_HPP

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

#endif
