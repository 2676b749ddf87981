// Atomic operations on device memory, and what orders accesses to it, on every platform.
#ifndef WAVEFOLD_ATOMIC_HPP
#define WAVEFOLD_ATOMIC_HPP

#include "operators.hpp"
#include "tile.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(WF_HOST_DEVICE)
#include <thread>
#endif

namespace wf {

// Counts the tiles that are done; 0 before and after a launch.
using ticket_view = array_view<unsigned>;

// Words of 64 bits that tiles share.
using word_view = array_view<uint64_t>;

#if defined(WF_HOST_DEVICE)

template <class T, class Op>
void atomic_fold(const array_view<T> &cells, size_t i, T value, const Op &fold) {
    host::atomic_update(cells.address(i), [&](T old) { return fold(old, value); });
}

// One more than before; says what was there before.
inline unsigned count_up(const ticket_view &ticket) {
    return __atomic_fetch_add(ticket.address(0), 1u, __ATOMIC_RELAXED);
}

// Words that tiles tell each other in one launch: single reads and writes, whole, and never from a cache that others do
// not see. They order nothing else.
inline uint64_t read_word(const word_view &words, size_t i) {
    const uint64_t *const word = words.address(i);
    return word != nullptr ? __atomic_load_n(word, __ATOMIC_RELAXED) : 0;
}
inline void write_word(const word_view &words, size_t i, uint64_t value) {
    uint64_t *const word = words.address(i);
    if (word != nullptr)
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

// The same where the host reads it.
inline void write_word_for_host(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Orders this thread's accesses to device memory before it with those after it, for all tiles.
inline void device_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
// The same for whoever reads what it writes, the host included.
inline void system_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// For loops that wait for another tile.
inline void let_others_run() {
    std::this_thread::yield();
}

#else

__device__ __forceinline__ unsigned count_up(const ticket_view &ticket) {
    return atomicAdd(&ticket[0], 1u);
}

// The same, ordered: after what this thread has done to device memory, and before what it does next. On NVIDIA that is
// one instruction, which costs less than two fences.
__device__ __forceinline__ unsigned count_up_in_order(const ticket_view &ticket) {
#if defined(WF_AMD_DEVICE)
    __threadfence();
    const unsigned before = count_up(ticket);
    __threadfence();
#else
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(&ticket[0]) : "memory");
#endif
    return before;
}

__device__ __forceinline__ uint64_t read_word(const word_view &words, size_t i) {
#if defined(WF_AMD_DEVICE)
    return __hip_atomic_load(&words[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    return *const_cast<const volatile uint64_t *>(&words[i]); // PTX: as a relaxed read
#endif
}

__device__ __forceinline__ void write_word(const word_view &words, size_t i, uint64_t value) {
#if defined(WF_AMD_DEVICE)
    __hip_atomic_store(&words[i], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    *const_cast<volatile uint64_t *>(&words[i]) = value;
#endif
}

__device__ __forceinline__ void write_word_for_host(uint64_t *word, uint64_t value) {
#if defined(WF_AMD_DEVICE)
    __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
#else
    *const_cast<volatile uint64_t *>(word) = value;
#endif
}

__device__ __forceinline__ void device_fence() {
    __threadfence();
}

__device__ __forceinline__ void system_fence() {
    __threadfence_system();
}

__device__ __forceinline__ void let_others_run() {
#if defined(WF_AMD_DEVICE)
    __builtin_amdgcn_s_sleep(1); // some 64 cycles; NVIDIA's nanosleep can take longer than a tile
#endif
}

// Sums go to the hardware's (or the compiler's) atomic addition; a compare-and-swap loop serves every other operator.
template <class T, class Op>
__device__ __forceinline__ void atomic_fold(const array_view<T> &cells, size_t i, T value, const Op &fold) {
    T *const cell = &cells[i];
    if constexpr (std::is_same_v<Op, sum<int64_t>>) {
        atomicAdd(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(value));
    } else if constexpr (std::is_same_v<Op, sum<T>>) {
        atomicAdd(cell, value);
    } else {
        using word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
        static_assert(sizeof(word) == sizeof(T), "atomicCAS knows 4 and 8 bytes");
        auto *const words = reinterpret_cast<word *>(cell);
        word found = *words, expected;
        do {
            expected = found;
            T old;
            memcpy(&old, &expected, sizeof old);
            const T folded = fold(old, value);
            word wanted;
            memcpy(&wanted, &folded, sizeof wanted);
            found = atomicCAS(words, expected, wanted);
        } while (found != expected);
    }
}

#endif

} // namespace wf
#endif
