// Folds of a wave in a loop: the steps of all share their instructions. For values so large that a step has many.
#ifndef WAVEFOLD_WAVE_FOLD_ROLLED_HPP
#define WAVEFOLD_WAVE_FOLD_ROLLED_HPP

namespace wf {

template <class T>
constexpr bool is_large_value = sizeof(T) > 16;

// The fold of the first count lanes, a power of two; of all of them in all of them.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce_rolled(const tiled_index &tidx, T value, unsigned count, const Op &fold) {
#pragma unroll 1
    for (unsigned mask = count / 2; mask > 0; mask /= 2)
        value = fold(value, shuffle_xor<Width>(tidx, value, mask));
    return value;
}

} // namespace wf

#endif
