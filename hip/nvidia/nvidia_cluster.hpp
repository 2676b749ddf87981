// gpu.hpp on NVIDIA: a cluster tile, over a thread block cluster, whose blocks reach each other's shared memory.
// From compute capability 9 on, where clusters of eight blocks are portable (CUDA's programming guide). Launch tables
// ask for such on capability 9 alone: without code for that there are none.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_CLUSTER_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_CLUSTER_HPP

#include "nvidia_overlap.hpp"

namespace wf {

#if defined(__CUDA_ARCH_LIST__)
constexpr bool has_code_of_9() {
    constexpr int built[] = {__CUDA_ARCH_LIST__}; // 900 is 9.0
    bool any = false;
    for (const int capability : built)
        any = any || capability / 100 == 9;
    return any;
}
#else // only nvcc says; others read this code and build none of it
constexpr bool has_code_of_9() {
    return true;
}
#endif
constexpr unsigned cluster_blocks(unsigned) {
    return has_code_of_9() ? 8 : 0;
}
constexpr unsigned largest_cluster_block = 512; // with 1024 it was never the fastest way, on an H200
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool can_cluster = false;
#else
constexpr bool can_cluster = true;
#endif

// false: there is no room for a cluster, as where a process may use few processors alone. Nothing is launched then.
template <class... Parameters, class... Arguments>
bool launch_cluster_on(const gpu_queue &queue, void (*kernel)(Parameters...), unsigned block_size, size_t tile_bytes,
                       Arguments... arguments) {
    constexpr unsigned blocks = cluster_blocks(32);
    // Of other failures hipGetLastError() tells.
    if (launch_with_attributes(queue, blocks, kernel, blocks, block_size, tile_bytes, arguments...) !=
        cudaErrorInvalidClusterSize)
        return true;
    cudaGetLastError();
    return false;
}

struct cluster {
    // A block's memory is there once it has started: all enter, and wait for that before they write to another's.
    static __device__ __forceinline__ void enter() {
#if __CUDA_ARCH__ >= 900
        asm volatile("barrier.cluster.arrive.relaxed.aligned;");
#endif
    }
    static __device__ __forceinline__ void wait_until_entered() {
#if __CUDA_ARCH__ >= 900
        __syncwarp(); // the barriers are a whole warp's
        asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
    }
    static __device__ __forceinline__ void wait() {
#if __CUDA_ARCH__ >= 900
        __syncwarp();
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
    }
    template <class T>
    static __device__ __forceinline__ T *of_first_block(T *cells) {
#if __CUDA_ARCH__ >= 900
        asm("mapa.u64 %0, %0, 0;" : "+l"(cells));
#endif
        return cells;
    }
};

} // namespace wf

#endif
