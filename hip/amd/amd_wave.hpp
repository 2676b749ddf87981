// wave.hpp on AMD.
#ifndef WAVEFOLD_AMD_AMD_WAVE_HPP
#define WAVEFOLD_AMD_AMD_WAVE_HPP

#include "../gpu/register_moves.hpp"

namespace wf {

// The code for one target holds the kernels of its own width alone, so that a launch of the other fails.
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
constexpr unsigned narrow_wave = WF_WAVE_WIDTH, wide_wave = WF_WAVE_WIDTH;
#else
constexpr unsigned narrow_wave = 32, wide_wave = 64;
#endif

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

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_up(const tiled_index &tidx, T value, unsigned delta) {
    return shuffle<Width>(value, (lane_of<Width>(tidx) + Width - delta) % Width);
}

template <unsigned Width, class T>
__device__ __forceinline__ T shuffle_xor(const tiled_index &tidx, T value, unsigned mask) {
    return shuffle<Width>(value, lane_of<Width>(tidx) ^ mask);
}

template <class T>
__device__ __forceinline__ T read_lane(T value, unsigned lane) {
    return move_words(value, [=](int word) { return __builtin_amdgcn_readlane(word, lane); });
}

template <unsigned Width, class T>
__device__ __forceinline__ T broadcast(T value, unsigned lane) {
    return read_lane(value, lane);
}

template <unsigned Width>
__device__ __forceinline__ uint64_t ballot(const tiled_index &, bool mine) {
    return __ballot(mine);
}

template <unsigned Width>
__device__ __forceinline__ bool wave_uniform(const tiled_index &, bool mine) {
    return mine;
}

__device__ __forceinline__ unsigned last_lane(uint64_t said) {
    return 63 - unsigned(__clzll(static_cast<long long>(said)));
}

__device__ __forceinline__ unsigned count_lanes(uint64_t said) {
    return unsigned(__builtin_popcountll(said));
}

// From here on in a scalar register.
__device__ __forceinline__ unsigned wave_uniform(unsigned value) {
    return unsigned(__builtin_amdgcn_readfirstlane(int(value)));
}

} // namespace wf

#endif
