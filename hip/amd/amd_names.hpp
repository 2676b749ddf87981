// gpu.hpp on AMD: HIP's own headers.
#ifndef WAVEFOLD_AMD_AMD_NAMES_HPP
#define WAVEFOLD_AMD_AMD_NAMES_HPP

#include <hip/hip_runtime.h>

#include "../gpu/gpu_launch.hpp"
#include "amd_runtime.hpp"

#define WF_AMD_DEVICE
#define WF_BACKEND_NAME "amd"

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

#define WF_BOUNDS(threads, at_once) __launch_bounds__(threads)
#define WF_OUT_OF_LINE __forceinline__ // functions that are called have scratch memory

namespace wf {
// The host polls it while a kernel runs. HIP's default depends on the environment's HIP_HOST_COHERENT.
constexpr unsigned polled_memory = hipHostMallocMapped | hipHostMallocCoherent;
constexpr bool f32_atomics_flush = false;
// CDNA up to its fourth generation has waves of 64 lanes and is fast in f64, RDNA is neither. No attribute tells more.
// CDNA 5 (gfx1250) has 32 lanes, and is taken for slow in f64: its exact sums are as right, and may be slower.
constexpr bool f64_follows_width(unsigned) {
    return true;
}
inline hipError_t ask_f64_ratio(int, unsigned wave_width, int *ratio) {
    *ratio = wave_width > 32 ? 2 : 32;
    return hipSuccess;
}
constexpr unsigned largest_exact_tile = 256;           // gfx906 spilled vector registers with 512
constexpr unsigned largest_tile_of_large_values = 512; // gfx906 and gfx908 have 64 registers for each of 1024 threads
// In the mode in which HSA's runtimes start kernels on every GPU (LLVM's unaligned-access-mode).
constexpr bool loads_any_byte(unsigned) {
    return true;
}
// No target that is built here copies 16 bytes so (gfx950 does).
constexpr bool copies_ahead(unsigned) {
    return false;
}
// No AMD GPU's workgroups reach each other's LDS.
constexpr unsigned cluster_blocks(unsigned) {
    return 0;
}
constexpr unsigned largest_cluster_block = largest_tile; // of none
constexpr bool can_cluster = false;
struct cluster {
    static __device__ __forceinline__ void enter() {}
    static __device__ __forceinline__ void wait_until_entered() {}
    static __device__ __forceinline__ void wait() {}
    template <class T>
    static __device__ __forceinline__ T *of_first_block(T *cells) {
        return cells;
    }
};
// Nor does a kernel start before those queued before it have ended.
template <class... Parameters, class... Arguments>
void launch_early_on(const gpu_queue &queue, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
                     size_t tile_bytes, Arguments... arguments) {
    launch_on(queue, kernel, tiles, tile_size, tile_bytes, arguments...);
}
inline hipError_t ask_early_start(const void *, bool *can) {
    *can = false;
    return hipSuccess;
}
inline hipError_t ask_capture(hipStream_t stream, captured_work *captured) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    unsigned long long number = 0;
    const hipError_t error = hipStreamGetCaptureInfo(stream, &status, &number);
    *captured = {};
    if (error == hipSuccess && status != hipStreamCaptureStatusNone)
        captured->number = number;
    return error;
}
constexpr unsigned column_packs_at_a_time = 1; // more take too many scalar registers

// From the packet by which the queue launches a kernel. HIP's names for them read it in code objects of version 4
// alone, where they divide, and other words in later ones: this way the code is the same in all (cmake/amd.cmake).
struct launch_packet { // as far as it is read: see hsa_kernel_dispatch_packet_t
    uint32_t header, tile_size_x_and_y, tile_size_z, threads_x;
};
__device__ __forceinline__ const launch_packet &launched() {
    return *(const launch_packet *)__builtin_amdgcn_dispatch_ptr(); // a cast that only C's way of casting does
}
__device__ __forceinline__ unsigned launched_tile_size() {
    return launched().tile_size_x_and_y & 0xffff;
}
__device__ __forceinline__ unsigned launched_tiles() {
    return launched().threads_x >> __builtin_ctz(launched_tile_size());
}
constexpr bool argument_tells_shape = false; // in one kernel gfx90a's compiler spilled scalar registers with it
// Not by __syncthreads_or(), which passes several barriers, and asks for the number of tiles in HIP's own way.
__device__ __forceinline__ int broadcast_first(int x) {
    __shared__ int said;
    if (threadIdx.x == 0)
        said = x;
    __syncthreads();
    return said;
}
} // namespace wf

#endif
