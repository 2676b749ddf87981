// Launches, and what HIP says of a pointer, on GPUs.
#ifndef WAVEFOLD_GPU_GPU_LAUNCH_HPP
#define WAVEFOLD_GPU_GPU_LAUNCH_HPP

#include <cstddef>

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
