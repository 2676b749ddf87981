// atomic.hpp on NVIDIA.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_ATOMIC_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_ATOMIC_HPP

#include "../gpu/gpu_atomic.hpp"

namespace wf {

// An increment that wraps: of an addition ptxas makes one for the whole wave, which waits for its result at once.
__device__ __forceinline__ unsigned count_tile(const ticket_view &ticket) {
    return atomicInc(&ticket[0], launched_tiles() - 1);
}

// One instruction, which costs less than two fences.
__device__ __forceinline__ unsigned count_up_in_order(const ticket_view &ticket) {
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(&ticket[0]) : "memory");
    return before;
}

// PTX: volatile accesses are as relaxed ones.
__device__ __forceinline__ uint64_t read_word(const word_view &words, size_t i) {
    return *const_cast<const volatile uint64_t *>(&words[i]);
}

__device__ __forceinline__ void write_word(const word_view &words, size_t i, uint64_t value) {
    *const_cast<volatile uint64_t *>(&words[i]) = value;
}

// From compute capability 7 on an access of 128 bits is one, and from CUDA 12.3 on PTX has a type for it (PTX ISA 8.3).
#if CUDART_VERSION >= 12030
constexpr bool has_word_pairs = true;
__device__ __forceinline__ word_pair read_pair(const word_view &words, size_t i) {
    word_pair pair;
    asm volatile("{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
                 : "=l"(pair.first), "=l"(pair.second)
                 : "l"(&words[i])
                 : "memory");
    return pair;
}
__device__ __forceinline__ void write_pair(const word_view &words, size_t i, word_pair pair) {
    asm volatile(
        "{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }" ::"l"(&words[i]),
        "l"(pair.first), "l"(pair.second)
        : "memory");
}
#else
constexpr bool has_word_pairs = false;
__device__ word_pair read_pair(const word_view &words, size_t i);
__device__ void write_pair(const word_view &words, size_t i, word_pair pair);
#endif

__device__ __forceinline__ void write_word_for_host(uint64_t *word, uint64_t value) {
    *const_cast<volatile uint64_t *>(word) = value;
}

__device__ __forceinline__ void let_others_run() {} // nanosleep can take longer than a tile

__device__ __forceinline__ void let_waves_run() {} // likewise; pauses of 150 cycles were measured, and slower

__device__ __forceinline__ void wait_for_earlier_kernels() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ __forceinline__ void tile_fence() {
    asm volatile("fence.acq_rel.cta;" ::: "memory");
}

} // namespace wf

#endif
