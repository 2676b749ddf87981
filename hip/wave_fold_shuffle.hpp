// Folds and scans of a wave by shuffles, for platforms that have no better way: trees of log2(Width) steps. Folds of
// integers, floats' ranks among them, word by word, where the platform folds_words.
// (rocPRIM: warp_reduce_shuffle, warp_scan_shuffle.)
#ifndef WAVEFOLD_WAVE_FOLD_SHUFFLE_HPP
#define WAVEFOLD_WAVE_FOLD_SHUFFLE_HPP

#include "wave_fold_rolled.hpp"
#include "wave_words.hpp"

namespace wf {

// By steps: lanes fold with the one whose number differs in one bit.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce(const tiled_index &tidx, T value, const Op &fold) {
    if constexpr (folds_words<Width> && has_of_wave<Width, Op, T>) {
        return fold.of_wave(wave_words<Width>(tidx), value);
    } else {
        for (unsigned mask = Width / 2; mask > 0; mask /= 2)
            value = fold(value, shuffle_xor<Width>(tidx, value, mask));
        return value;
    }
}

// After Hillis and Steele (1986, "Data parallel algorithms"). Each step does all values: none waits for another's.
template <unsigned Width, unsigned Count, class Op, class T>
__device__ __forceinline__ void wave_scan(const tiled_index &tidx, T (&values)[Count], const Op &fold) {
    const unsigned lane = lane_of<Width>(tidx);
    for (unsigned delta = 1; delta < Width; delta *= 2)
        for (T &value : values) {
            const T earlier = shuffle_up<Width>(tidx, value, delta);
            if (lane >= delta)
                value = fold(earlier, value);
        }
}

template <unsigned Width, class Op, class T>
__device__ __forceinline__ void wave_reduce_three(const tiled_index &tidx, T &x, T &y, T &z, const Op &fold) {
    const unsigned lane = lane_of<Width>(tidx);
    for (unsigned delta = Width / 2; delta > 0; delta /= 2) {
        const unsigned from = (lane + delta) % Width;
        const T x_from = shuffle<Width>(x, from), y_from = shuffle<Width>(y, from), z_from = shuffle<Width>(z, from);
        x = fold(x, x_from);
        y = fold(y, y_from);
        z = fold(z, z_from);
    }
}

template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce_first(const tiled_index &tidx, T value, unsigned count, const Op &fold) {
    if constexpr (folds_words<Width> && has_of_wave<Width, Op, T>)
        return fold.of_wave(wave_words<Width>(tidx), value);
    else
        return wave_reduce_rolled<Width>(tidx, value, count, fold);
}

} // namespace wf

#endif
