// Wavefront words: lanes, shuffles, and folds of a wave. The only header that knows how wide a wave is.
//
// Width is a template parameter, chosen at launch from the queried device: 32 or 64. Every lane of the wave must take
// part: tiles of these kernels are whole waves. Lanes do not run in lock step: whatever passes between them goes
// through a shuffle, a barrier of the wave, or a barrier of the tile.
#ifndef WAVEFOLD_WAVE_HPP
#define WAVEFOLD_WAVE_HPP

#include "tile.hpp"

namespace wf {

// The widths of waves that kernels are instantiated for. The host's side names the kernel of either, and launches that
// of the device's width; the code for one AMD target holds those of its own width alone, so that a launch of the other
// fails.
#if defined(__CUDACC__)
constexpr unsigned narrow_wave = 32, wide_wave = 32;
#elif defined(WF_AMD_DEVICE) && defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
constexpr unsigned narrow_wave = WF_WAVE_WIDTH, wide_wave = WF_WAVE_WIDTH;
#else
constexpr unsigned narrow_wave = 32, wide_wave = 64;
#endif

// ---- What the platform has ------------------------------------------------------------------------------------------

#if defined(WF_HOST_DEVICE)

// Orders the accesses to tile memory of a wave's lanes before it with those after it.
inline void wave_barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    host::wait_for_wave(file, line);
}

// The value of another lane, counted within the wave.
template <unsigned Width, class T>
T shuffle(T value, unsigned lane, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(sizeof(T) <= host::shuffle_bytes, "more than a shuffle moves");
    static_assert((Width & (Width - 1)) == 0, "lanes are shuffled in groups of a power of two");
    T theirs;
    std::memcpy(&theirs, host::exchange(&value, sizeof value, Width, lane, file, line), sizeof theirs);
    return theirs;
}

#else

// Applies a move of 32-bit registers to each word of a value.
template <class T, class Move>
__device__ __forceinline__ T move_words(T value, Move move) {
    static_assert(sizeof(T) % sizeof(int) == 0, "whole registers");
    int words[sizeof(T) / sizeof(int)];
    __builtin_memcpy(words, &value, sizeof value);
    for (int &word : words)
        word = move(word);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

#if defined(__CUDACC__)

__device__ __forceinline__ void wave_barrier() {
    __syncwarp();
}

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle(T value, unsigned lane) {
    const auto from_lane = [=](auto moved) { return __shfl_sync(0xffffffffu, moved, static_cast<int>(lane), Width); };
    if constexpr (std::is_arithmetic_v<T>)
        return from_lane(value);
    else
        return move_words(value, from_lane);
}

#else

// The hardware keeps a wave's lanes together, but the compiler must neither move nor merge accesses across this.
__device__ __forceinline__ void wave_barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle(T value, unsigned lane) {
    const auto from_lane = [=](auto moved) { return __shfl(moved, static_cast<int>(lane), Width); };
    if constexpr (std::is_arithmetic_v<T>)
        return from_lane(value);
    else
        return move_words(value, from_lane);
}

// The value of the lane that stands Distance before, round in its row of 16 lanes: DPP's row_ror, on every target.
template <unsigned Distance, class T>
__device__ __forceinline__ T rotate_in_row(T value) {
    constexpr int row_ror = 0x120;
    return move_words(
        value, [](int word) { return __builtin_amdgcn_update_dpp(word, word, row_ror + Distance, 0xf, 0xf, true); });
}

// The value of the lane that stands Distance before, if that is in the row: DPP's row_shr, on every target.
template <unsigned Distance, class T>
__device__ __forceinline__ T shift_in_row(T value) {
    constexpr int row_shr = 0x110;
    return move_words(
        value, [](int word) { return __builtin_amdgcn_update_dpp(word, word, row_shr + Distance, 0xf, 0xf, false); });
}

template <class T>
__device__ __forceinline__ T read_lane(T value, unsigned lane) {
    return move_words(value, [=](int word) { return __builtin_amdgcn_readlane(word, lane); });
}

#endif
#endif

// ---- What kernels say -----------------------------------------------------------------------------------------------

template <unsigned Width>
__device__ __forceinline__ unsigned lane_of(const tiled_index &tidx) {
    return tidx.local % Width;
}

// Tells the compiler that a value is the same in all lanes of the wave: AMD's keep it in a scalar register.
__device__ __forceinline__ unsigned wave_uniform(unsigned value) {
#if defined(WF_AMD_DEVICE)
    return unsigned(__builtin_amdgcn_readfirstlane(int(value)));
#else
    return value;
#endif
}

template <unsigned Width>
__device__ __forceinline__ unsigned wave_of(const tiled_index &tidx) {
    return wave_uniform(tidx.local / Width);
}

// The value of the lane that stands delta before; of no use in the first delta lanes.
template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_up(const tiled_index &tidx, T value, unsigned delta) {
#if defined(__CUDACC__)
    (void)tidx;
    return move_words(value, [=](int word) { return __shfl_up_sync(0xffffffffu, word, delta, Width); });
#else
    return shuffle<Width>(value, (lane_of<Width>(tidx) + Width - delta) % Width);
#endif
}

// The value of the lane whose number differs in the bits of mask.
template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_xor(const tiled_index &tidx, T value, unsigned mask) {
#if defined(__CUDACC__)
    (void)tidx;
    return move_words(value, [=](int word) { return __shfl_xor_sync(0xffffffffu, word, int(mask), Width); });
#else
    return shuffle<Width>(value, lane_of<Width>(tidx) ^ mask);
#endif
}

// The value of one lane, which is the same for all that ask.
template <unsigned Width, class T>
__device__ __forceinline__ T broadcast(T value, unsigned lane) {
#if defined(WF_AMD_DEVICE)
    return read_lane(value, lane);
#else
    return shuffle<Width>(value, lane);
#endif
}

// Bit i of the answer is what lane i says.
#if defined(WF_HOST_DEVICE)
template <unsigned Width>
uint64_t ballot(const tiled_index &, bool mine, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return host::ballot(mine, Width, file, line);
}
#else
template <unsigned Width>
__device__ __forceinline__ uint64_t ballot(const tiled_index &, bool mine) {
#if defined(__CUDACC__)
    return __ballot_sync(0xffffffffu, mine);
#else
    return __ballot(mine);
#endif
}
#endif

// The highest lane of a ballot that is not empty.
__device__ __forceinline__ unsigned last_lane(uint64_t said) {
#if defined(WF_HOST_DEVICE)
    return 63 - unsigned(__builtin_clzll(said));
#else
    return 63 - unsigned(__clzll(static_cast<long long>(said)));
#endif
}

// Folds the wave's values in lane order, so that the operator need not commute; lane 0 has the result.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce_ordered(const tiled_index &tidx, T value, const Op &fold) {
    const unsigned lane = lane_of<Width>(tidx);
    for (unsigned delta = 1; delta < Width; delta *= 2) {
        const T later = shuffle<Width>(value, (lane + delta) % Width);
        if (lane % (2 * delta) == 0)
            value = fold(value, later);
    }
    return value;
}

// Folds the wave's values; every lane has the result, the same bits in each. A tree of shuffles: each step, lanes fold
// with the one whose number differs in one bit. On AMD rows fold by DPP, which needs no memory traffic.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce(const tiled_index &tidx, T value, const Op &fold) {
#if defined(WF_AMD_DEVICE)
    (void)tidx;
    value = fold(value, rotate_in_row<8>(value));
    value = fold(value, rotate_in_row<4>(value));
    value = fold(value, rotate_in_row<2>(value));
    value = fold(value, rotate_in_row<1>(value));
    T total = read_lane(value, 0); // every lane of a row has the row's fold; rows meet in scalar registers
    for (unsigned row = 16; row < Width; row += 16)
        total = fold(total, read_lane(value, row));
    return total;
#else
    for (unsigned mask = Width / 2; mask > 0; mask /= 2)
        value = fold(value, shuffle_xor<Width>(tidx, value, mask));
    return value;
#endif
}

// Scans the wave's values, several at once: lane i gets the fold of those of lanes 0 to i. After Hillis and Steele
// (1986, "Data parallel algorithms"); the left operand stays left. Each step does all values, so that none waits for
// another's.
template <unsigned Width, unsigned Count, class Op, class T>
__device__ __forceinline__ void wave_scan(const tiled_index &tidx, T (&values)[Count], const Op &fold) {
    const unsigned lane = lane_of<Width>(tidx);
#if defined(WF_AMD_DEVICE)
    const unsigned in_row = lane % 16;
    for (T &value : values) {
        const auto step = [&](const T &earlier, unsigned distance) {
            if (in_row >= distance)
                value = fold(earlier, value);
        };
        step(shift_in_row<1>(value), 1);
        step(shift_in_row<2>(value), 2);
        step(shift_in_row<4>(value), 4);
        step(shift_in_row<8>(value), 8);
        T rows_before = read_lane(value, 15); // rows meet in scalar registers
        for (unsigned row = 16; row < Width; row += 16) {
            const T row_total = read_lane(value, row + 15);
            if (lane / 16 == row / 16)
                value = fold(rows_before, value);
            rows_before = fold(rows_before, row_total);
        }
    }
#else
    for (unsigned delta = 1; delta < Width; delta *= 2)
        for (T &value : values) {
            const T earlier = shuffle_up<Width>(tidx, value, delta);
            if (lane >= delta)
                value = fold(earlier, value);
        }
#endif
}

// Folds three values at once; lane 0 has the results. Each step does all three, so that none waits for another's.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ void wave_reduce_three(const tiled_index &tidx, T &x, T &y, T &z, const Op &fold) {
#if defined(WF_AMD_DEVICE)
    x = wave_reduce<Width>(tidx, x, fold); // the compiler interleaves what has no order
    y = wave_reduce<Width>(tidx, y, fold);
    z = wave_reduce<Width>(tidx, z, fold);
#else
    const unsigned lane = lane_of<Width>(tidx);
    for (unsigned delta = Width / 2; delta > 0; delta /= 2) {
        const unsigned from = (lane + delta) % Width;
        const T x_from = shuffle<Width>(x, from), y_from = shuffle<Width>(y, from), z_from = shuffle<Width>(z, from);
        x = fold(x, x_from);
        y = fold(y, y_from);
        z = fold(z, z_from);
    }
#endif
}

// Folds the values of the wave's first lanes, of which there are count, a power of two; lane 0 has the result. The others'
// values must be the identity.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce_first(const tiled_index &tidx, T value, unsigned count, const Op &fold) {
#if defined(WF_AMD_DEVICE)
    (void)count;
    return wave_reduce<Width>(tidx, value, fold);
#else
#pragma unroll 1
    for (unsigned mask = count / 2; mask > 0; mask /= 2)
        value = fold(value, shuffle_xor<Width>(tidx, value, mask));
    return value;
#endif
}

// Folds one value per thread of the tile: each wave its own, then the first wave what the waves had. Thread 0 has the
// result. Uses one cell of tile_data per wave; a barrier must lie between two calls.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T tile_reduce(const tiled_index &tidx, const tile_static<T> &tile_data, T value,
                                         const Op &fold) {
    value = wave_reduce<Width>(tidx, value, fold);
    if (lane_of<Width>(tidx) == 0)
        tile_data[wave_of<Width>(tidx)] = value;
    tidx.barrier.wait();

    const unsigned waves = tidx.tile_size / Width;
    if (wave_of<Width>(tidx) == 0) {
        value = lane_of<Width>(tidx) < waves ? T(tile_data[tidx.local]) : Op::identity();
        value = wave_reduce_first<Width>(tidx, value, waves, fold);
    }
    return value;
}

} // namespace wf
#endif
