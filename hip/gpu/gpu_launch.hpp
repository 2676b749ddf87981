// Launches on GPUs.
#ifndef WAVEFOLD_GPU_GPU_LAUNCH_HPP
#define WAVEFOLD_GPU_GPU_LAUNCH_HPP

#include <cstddef>

namespace wf {
template <class... Parameters, class... Arguments>
void launch_on(hipStream_t stream, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size, size_t tile_bytes,
               Arguments... arguments) {
    hipLaunchKernelGGL(kernel, dim3(tiles), dim3(tile_size), static_cast<unsigned>(tile_bytes), stream, arguments...);
}
} // namespace wf

#endif
