// What of atomic.hpp HIP has under one name on both GPUs.
#ifndef WAVEFOLD_GPU_GPU_ATOMIC_HPP
#define WAVEFOLD_GPU_GPU_ATOMIC_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace wf {

__device__ __forceinline__ unsigned count_up(const ticket_view &ticket) {
    return atomicAdd(&ticket[0], 1u);
}

template <class T>
__device__ __forceinline__ T read_replaceable(const array_view<const T> &view, size_t i) {
    return view[i];
}

__device__ __forceinline__ uint32_t tile_add(const tile_static<uint32_t> &cells, unsigned i, uint32_t word) {
    return atomicAdd(&cells[i], word);
}
__device__ __forceinline__ uint32_t tile_exchange(const tile_static<uint32_t> &cells, unsigned i, uint32_t word) {
    return atomicExch(&cells[i], word);
}
__device__ __forceinline__ void tile_store(const tile_static<uint32_t> &cells, unsigned i, uint32_t word) {
    cells[i] = word;
}

__device__ __forceinline__ void device_fence() {
    __threadfence();
}

__device__ __forceinline__ void system_fence() {
    __threadfence_system();
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

} // namespace wf

#endif
