// gpu.hpp on NVIDIA: HIP's names from aliases to CUDA's; with __HIP_PLATFORM_NVIDIA__ defined, as
// -DWF_NVIDIA_HIP_HEADERS=ON does, from HIP's own headers.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_NAMES_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_NAMES_HPP

#if defined(__HIP_PLATFORM_NVIDIA__)
#include "nvidia_hip_names.hpp"
#else
#include "cuda_names.hpp"
#endif

#include "../gpu/gpu_launch.hpp"
#include "nvidia_cluster.hpp"
#include "nvidia_device_guard.hpp"

#include <string>

#define WF_NVIDIA_DEVICE
#define WF_BACKEND_NAME "nvidia"

// Of a tile as large as all that are at once, if one may be so large: a smaller one's threads have as many registers.
// Where a multiprocessor holds fewer threads, as many as nvcc likes.
#define WF_BOUNDS(threads, at_once)                                                                                    \
    __launch_bounds__(wf::bounding_tile(threads, at_once), (at_once) <= wf::threads_of_multiprocessor                  \
                                                               ? (at_once) / wf::bounding_tile(threads, at_once)       \
                                                               : 0)
#define WF_OUT_OF_LINE __noinline__

namespace wf {
constexpr unsigned bounding_tile(unsigned threads, unsigned at_once) {
    return at_once > threads && at_once <= 1024 ? at_once : threads;
}
// At the most, by compute capability (CUDA's programming guide has a table).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr unsigned threads_of_multiprocessor = 1024;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100)
constexpr unsigned threads_of_multiprocessor = 1536;
#else
constexpr unsigned threads_of_multiprocessor = 2048;
#endif

// CUDA's runtime is part of the module, and always ready.
inline bool prepare_runtime(char *, size_t) {
    return true;
}
inline bool keeps_last_error() {
    return true;
}

inline const char *describe_runtime() {
    static const std::string text = "CUDA's runtime " + std::to_string(CUDART_VERSION / 1000) + "." +
                                    std::to_string(CUDART_VERSION % 1000 / 10) + ", part of the module";
    return text.c_str();
}
constexpr unsigned polled_memory = hipHostMallocMapped;
constexpr bool f32_atomics_flush = true; // as CUDA's programming guide says of atomicAdd in global memory
constexpr bool f64_follows_width(unsigned) {
    return false;
}
// HIP 5.2's headers do not pass the question on. Errors have the same numbers, as far as they are told apart.
inline hipError_t ask_f64_ratio(int device, unsigned, int *ratio) {
    return static_cast<hipError_t>(cudaDeviceGetAttribute(ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
}
constexpr unsigned largest_tile_of_large_values = largest_tile;
constexpr unsigned largest_exact_tile = 512;
constexpr bool loads_any_byte(unsigned) {
    return false;
}
constexpr bool copies_ahead(unsigned) {
    return true;
}
constexpr unsigned column_packs_at_a_time = 4;

__device__ __forceinline__ unsigned launched_tile_size() {
    return blockDim.x;
}
__device__ __forceinline__ unsigned launched_tiles() {
    return gridDim.x;
}
constexpr bool argument_tells_shape = true; // what the hardware knows takes longer to get (docs/performance.md)
__device__ __forceinline__ int broadcast_first(int x) {
    return __syncthreads_or(threadIdx.x == 0 ? x : 0);
}
} // namespace wf

#endif
