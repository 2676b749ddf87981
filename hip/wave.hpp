// Wavefront words: lanes, shuffles, and folds of a wave.
//
// Width is a template parameter, chosen at launch from the queried device: 32 or 64. Every lane of the wave must take
// part: tiles of these kernels are whole waves. Lanes do not run in lock step: whatever passes between them goes
// through a shuffle, a barrier of the wave, or a barrier of the tile.
//
// A platform's file offers:
//
//   narrow_wave, wide_wave             the widths that kernels are instantiated for: the host's side names the kernel
//                                      of either, and launches that of the device's width
//   wave_barrier()                     orders accesses of the wave's lanes to tile memory before it with those after it
//   shuffle<Width>(x, lane)            the value of another lane, counted within the wave
//   shuffle_up<Width>(tidx, x, delta)  the value of the lane that stands delta before; of no use in the first delta
//   shuffle_xor<Width>(tidx, x, mask)  the value of the lane whose number differs in the bits of mask
//   broadcast<Width>(x, lane)          the value of one lane, which is the same for all that ask
//   ballot<Width>(tidx, mine)          bit i of the answer is what lane i says
//   last_lane(said)                    the highest lane of a ballot that is not empty
//   count_lanes(said)                  how many lanes said so
//   wave_uniform<Width>(tidx, mine)    mine, which is the same in all lanes of the wave: the condition of a loop with
//                                      words of a wave in it. On a GPU the words of lanes that go on would miss lanes
//                                      that have left the loop; the host device checks it
//   wave_uniform(x)                    x, which is the same in all lanes; for the compiler to know
//   wave_largest<Width>(tidx, word)    the largest of the wave's unsigned words, in every lane
//   wave_sum<Width>(tidx, words)       each of several words of 32 bits becomes the sum of the wave's, in every lane
//   folds_words<Width>                 whether wave_largest and wave_sum take an instruction a word (wave_words.hpp)
//
// and, by DPP (amd/wave_fold_dpp.hpp), or by shuffles or word by word (wave_fold_shuffle.hpp):
//
//   wave_reduce<Width>(tidx, x, fold)               the fold of the wave's values, in every lane; the same bits
//                                                   if the fold commutes to the bit
//   wave_reduce_three<Width>(tidx, x, y, z, fold)   three folds at once, none of which waits for another; in lane 0
//   wave_reduce_first<Width>(tidx, x, count, fold)  the fold of the first count lanes, a power of two; the others have
//                                                   the identity; in lane 0
//   wave_scan<Width>(tidx, values, fold)            in lane i the fold of lanes 0 to i, of several values at once; the
//                                                   left operand stays left
#ifndef WAVEFOLD_WAVE_HPP
#define WAVEFOLD_WAVE_HPP

#include "tile.hpp"

namespace wf {

template <unsigned Width>
__device__ __forceinline__ unsigned lane_of(const tiled_index &tidx) {
    return tidx.local % Width;
}

} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_wave.hpp"
#include "wave_fold_shuffle.hpp"
#elif defined(WF_AMD_DEVICE)
#include "amd/amd_wave.hpp"
#include "amd/wave_fold_dpp.hpp"
#elif defined(WF_NVIDIA_DEVICE)
#include "nvidia/nvidia_wave.hpp"
#include "wave_fold_shuffle.hpp"
#endif

namespace wf {

template <unsigned Width>
__device__ __forceinline__ unsigned wave_of(const tiled_index &tidx) {
    return wave_uniform(tidx.local / Width);
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

// Folds what the waves of a tile have. Thread 0 has the result. Uses one cell of tile_data per wave; a barrier must lie
// between two calls.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T reduce_waves(const tiled_index &tidx, const tile_static<T> &tile_data, T value,
                                          const Op &fold) {
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

// The same of a cluster tile, which may have more waves than a wave has lanes.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T reduce_cluster_waves(const tiled_index &tidx, const tile_static<T> &tile_data, T value,
                                                  const Op &fold) {
    tidx.barrier.wait_for_start();
    if (lane_of<Width>(tidx) == 0)
        tile_data[wave_of<Width>(tidx)] = value;
    tidx.barrier.wait();

    const unsigned waves = tidx.tile_size / Width;
    if (wave_of<Width>(tidx) == 0) {
        value = Op::identity();
        for (unsigned wave = tidx.local; wave < waves; wave += Width)
            value = fold(value, T(tile_data[wave]));
        value = wave_reduce<Width>(tidx, value, fold);
    }
    return value;
}

// Folds one value per thread of the tile: each wave its own, then the first wave what the waves had. Otherwise as
// reduce_waves.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T tile_reduce(const tiled_index &tidx, const tile_static<T> &tile_data, T value,
                                         const Op &fold) {
    return reduce_waves<Width>(tidx, tile_data, wave_reduce<Width>(tidx, value, fold), fold);
}

} // namespace wf
#endif
