// wave.hpp on NVIDIA.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_WAVE_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_WAVE_HPP

#include "../gpu/register_moves.hpp"

namespace wf {

constexpr unsigned narrow_wave = 32, wide_wave = 32;

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

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_up(const tiled_index &, T value, unsigned delta) {
    return move_words(value, [=](int word) { return __shfl_up_sync(0xffffffffu, word, delta, Width); });
}

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_xor(const tiled_index &, T value, unsigned mask) {
    return move_words(value, [=](int word) { return __shfl_xor_sync(0xffffffffu, word, int(mask), Width); });
}

template <unsigned Width, class T>
__device__ __forceinline__ T broadcast(T value, unsigned lane) {
    return shuffle<Width>(value, lane);
}

template <unsigned Width>
__device__ __forceinline__ uint64_t ballot(const tiled_index &, bool mine) {
    return __ballot_sync(0xffffffffu, mine);
}

template <unsigned Width>
__device__ __forceinline__ bool wave_uniform(const tiled_index &, bool mine) {
    return mine;
}

__device__ __forceinline__ unsigned last_lane(uint64_t said) {
    return 63 - unsigned(__clzll(static_cast<long long>(said)));
}

__device__ __forceinline__ unsigned count_lanes(uint64_t said) {
    return unsigned(__popcll(said));
}

__device__ __forceinline__ unsigned wave_uniform(unsigned value) {
    return value;
}

#if __CUDA_ARCH__ >= 800
template <unsigned Width>
constexpr bool folds_words = true;
#else
template <unsigned Width>
constexpr bool folds_words = false;
#endif

template <unsigned Width>
__device__ __forceinline__ uint32_t wave_largest(const tiled_index &, uint32_t word) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffu, word);
#else
    for (int mask = int(Width) / 2; mask > 0; mask /= 2) {
        const uint32_t theirs = __shfl_xor_sync(0xffffffffu, word, mask, Width);
        word = theirs > word ? theirs : word;
    }
    return word;
#endif
}

template <unsigned Width, unsigned Count>
__device__ __forceinline__ void wave_sum(const tiled_index &, uint32_t (&words)[Count]) {
#pragma unroll
    for (unsigned k = 0; k < Count; k++) { // over their addresses nvcc 13 does not always unroll it
#if __CUDA_ARCH__ >= 800
        words[k] = __reduce_add_sync(0xffffffffu, words[k]);
#else
        for (int mask = int(Width) / 2; mask > 0; mask /= 2)
            words[k] += __shfl_xor_sync(0xffffffffu, words[k], mask, Width);
#endif
    }
}

} // namespace wf

#endif
