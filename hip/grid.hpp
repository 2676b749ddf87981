// Words for a whole grid: a thread's share of an array, atomic folds into one cell, and who is the last tile.
#ifndef WAVEFOLD_GRID_HPP
#define WAVEFOLD_GRID_HPP

#include "ops.hpp"
#include "tile.hpp"
#include "wave.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(WF_HOST_DEVICE)
#include <thread>
#endif

namespace wf {

// Folds this thread's share: the grid strides over the array, Loads elements at a time, up to 64 bytes of loads in
// flight. What lies before the first aligned address, and behind the last whole load, goes one element each to the
// first threads. lift(element, index) makes what is folded from an element.
template <unsigned Loads, class Element, class Op, class Lift>
__device__ __forceinline__ auto strided_fold(const tiled_index &tidx, const array_view<const Element> &source,
                                             const Op &fold, const Lift &lift) {
    using value = decltype(Op::identity());
    using elements = pack<Element, Loads>;
    // More would not fit a thread's registers; single bytes are unpacked to a register each.
    constexpr unsigned in_flight = sizeof(elements) > 16 || Loads > 8 ? 2 : 4;
    const size_t threads = size_t(tidx.tiles) * tidx.tile_size;
    const size_t head = source.template aligned_from<Loads>();
    const size_t packs = (source.size() - head) / Loads;
    const auto load = [&](size_t p) { return source.template load<Loads>(head + p * Loads); };
    const auto fold_pack = [&](const elements &loaded, size_t p) {
        value folded = lift(loaded.element[0], head + p * Loads);
#pragma unroll
        for (unsigned k = 1; k < Loads; k++)
            folded = fold(folded, lift(loaded.element[k], head + p * Loads + k));
        return folded;
    };

    value total = tidx.global < head ? value(lift(source[tidx.global], tidx.global)) : Op::identity();
    size_t p = tidx.global;
    for (; p + (in_flight - 1) * threads < packs; p += in_flight * threads) {
        elements loaded[in_flight];
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++)
            loaded[k] = load(p + k * threads);
        value folded = fold_pack(loaded[0], p);
#pragma unroll
        for (unsigned k = 1; k < in_flight; k++)
            folded = fold(folded, fold_pack(loaded[k], p + k * threads));
        total = fold(total, folded);
    }
    for (; p < packs; p += threads)
        total = fold(total, fold_pack(load(p), p));
    const size_t rest = head + packs * Loads + tidx.global;
    return rest < source.size() ? fold(total, lift(source[rest], rest)) : total;
}

// The same where elements are folded as they are.
template <unsigned Loads, class T, class Op>
__device__ __forceinline__ T strided_fold(const tiled_index &tidx, const array_view<const T> &source, const Op &fold) {
    return strided_fold<Loads>(tidx, source, fold, [](T element, size_t) { return element; });
}

// Folds a tile's part of an array in order, if tiles of them share it; thread 0 has the result. Each wave takes a
// stretch of neighbouring elements row by row: lanes read neighbours, fold them in the order of lanes, and append what
// comes of it. Uses one cell of tile_data per wave; a barrier must lie between two calls.
template <unsigned Width, class T, class View, class Op>
__device__ __forceinline__ T ordered_fold(const tiled_index &tidx, const tile_static<T> &tile_data, const View &source,
                                          unsigned tile, unsigned tiles, const Op &fold) {
    constexpr unsigned in_flight = sizeof(T) > 16 ? 2 : 4;
    const unsigned waves = tidx.tile_size / Width;
    const unsigned lane = lane_of<Width>(tidx);
    const size_t rows = (source.size() + Width - 1) / Width;
    const size_t all_waves = size_t(tiles) * waves;
    const size_t stretch = (rows + all_waves - 1) / all_waves;
    const size_t first = (size_t(tile) * waves + wave_of<Width>(tidx)) * stretch;
    const size_t end = first + stretch < rows ? first + stretch : rows;

    T total = Op::identity();
    for (size_t row = first; row < end; row += in_flight) {
        T values[in_flight];
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++) {
            const size_t i = (row + k) * Width + lane;
            values[k] = row + k < end && i < source.size() ? T(source[i]) : Op::identity();
        }
#pragma unroll
        for (unsigned k = 0; k < in_flight; k++)
            total = fold(total, wave_reduce_ordered<Width>(tidx, values[k], fold)); // right in lane 0, unused elsewhere
    }
    if (lane == 0)
        tile_data[wave_of<Width>(tidx)] = total;
    tidx.barrier.wait();

    if (wave_of<Width>(tidx) == 0) {
        total = lane < waves ? T(tile_data[lane]) : Op::identity();
        total = wave_reduce_ordered<Width>(tidx, total, fold);
    }
    return total;
}

// Counts the tiles that are done; 0 before and after a launch.
using ticket_view = array_view<unsigned>;

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
inline uint64_t read_word(const array_view<uint64_t> &words, size_t i) {
    const uint64_t *const word = words.address(i);
    return word != nullptr ? __atomic_load_n(word, __ATOMIC_RELAXED) : 0;
}
inline void write_word(const array_view<uint64_t> &words, size_t i, uint64_t value) {
    uint64_t *const word = words.address(i);
    if (word != nullptr)
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

// Orders this thread's accesses to device memory before it with those after it, for all tiles.
inline void device_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// For loops that wait for another tile.
inline void let_others_run() {
    std::this_thread::yield();
}

inline bool last_tile(const tiled_index &tidx, const ticket_view &ticket, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
    tidx.barrier.wait(file, line);
    if (tidx.local == 0) {
        unsigned *const done = ticket.address(0);
        const bool last = __atomic_fetch_add(done, 1u, __ATOMIC_ACQ_REL) == tidx.tiles - 1;
        if (last)
            __atomic_store_n(done, 0u, __ATOMIC_RELAXED);
        host::set_tile_flag(last);
    }
    tidx.barrier.wait(file, line);
    return host::tile_flag();
}

#else

__device__ __forceinline__ unsigned count_up(const ticket_view &ticket) {
    return atomicAdd(&ticket[0], 1u);
}

__device__ __forceinline__ uint64_t read_word(const array_view<uint64_t> &words, size_t i) {
#if defined(__CUDACC__)
    return *const_cast<const volatile uint64_t *>(&words[i]); // PTX: as a relaxed read
#else
    return __hip_atomic_load(&words[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#endif
}

__device__ __forceinline__ void write_word(const array_view<uint64_t> &words, size_t i, uint64_t value) {
#if defined(__CUDACC__)
    *const_cast<volatile uint64_t *>(&words[i]) = value;
#else
    __hip_atomic_store(&words[i], value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#endif
}

__device__ __forceinline__ void device_fence() {
    __threadfence();
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

// True in every thread of the tile that comes last; what all tiles wrote before is visible there. The ticket goes back
// to 0 by itself, so that the launch can be repeated, or replayed in a graph. (atomicInc would wrap by itself, but from
// HIP 5's device libraries it needs an intrinsic that newer compilers dropped.)
__device__ __forceinline__ bool last_tile(const tiled_index &tidx, const ticket_view &ticket) {
    __threadfence(); // release: this thread's results before the tile's ticket
    __syncthreads();
    int last = 0;
    if (tidx.local == 0) {
        last = atomicAdd(&ticket[0], 1u) == tidx.tiles - 1;
        if (last)
            ticket[0] = 0;
    }
    last = __syncthreads_or(last);
    __threadfence(); // acquire: the other tiles' results after the ticket
    return last != 0;
}

#endif

// The tile's number in the order in which tiles start, counted on from launch to launch until the ticket is cleared: a
// tile may wait for those before it, which have started. Passed on in a cell of tile memory that nothing else uses.
__device__ __forceinline__ unsigned draw_number(const tiled_index &tidx, const ticket_view &ticket,
                                                const tile_static<unsigned> &tile_data, unsigned cell) {
    if (tidx.local == 0)
        tile_data[cell] = count_up(ticket);
    tidx.barrier.wait();
    return tile_data[cell];
}

} // namespace wf
#endif
