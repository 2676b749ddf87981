// atomic.hpp on AMD.
#ifndef WAVEFOLD_AMD_AMD_ATOMIC_HPP
#define WAVEFOLD_AMD_AMD_ATOMIC_HPP

#include "../gpu/gpu_atomic.hpp"
#include "../instructions.hpp"

namespace wf {

// Of an addition to an address that all lanes have the compiler makes one for the whole wave, which waits for its
// result at once.
__device__ __forceinline__ unsigned count_tile(const ticket_view &ticket) {
    unsigned first = 0;
    opaque(first);
    return atomicAdd(&ticket[first], 1u);
}

__device__ __forceinline__ unsigned count_up_in_order(const ticket_view &ticket) {
    __threadfence();
    const unsigned before = count_up(ticket);
    __threadfence();
    return before;
}

__device__ __forceinline__ uint64_t read_word(const word_view &words, size_t i) {
    return __hip_atomic_load(&words[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ void write_word(const word_view &words, size_t i, uint64_t value) {
    __hip_atomic_store(&words[i], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// AMD does not say that an access of 128 bits is one.
constexpr bool has_word_pairs = false;
__device__ word_pair read_pair(const word_view &words, size_t i);
__device__ void write_pair(const word_view &words, size_t i, word_pair pair);

__device__ __forceinline__ void write_word_for_host(uint64_t *word, uint64_t value) {
    __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ void let_others_run() {
    __builtin_amdgcn_s_sleep(1); // some 64 cycles
}

__device__ __forceinline__ void let_waves_run() {
    __builtin_amdgcn_s_sleep(1);
}

// No kernel starts before those queued before it have ended.
__device__ __forceinline__ void wait_for_earlier_kernels() {}
__device__ __forceinline__ void let_next_kernel_start() {}

__device__ __forceinline__ void tile_fence() {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
}

} // namespace wf

#endif
