// tile_part(): the tile's part of an exact sum, from the parts of its threads.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_PART_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_PART_HPP

#include "tile_memory.hpp"
#include "tile_sum.hpp"

namespace wf {

// Called by the tile's first wave: adds the tile's columns to the words of the sum.
template <unsigned Width, class Columns>
__device__ WF_OUT_OF_LINE void spill(Columns columns, int64_t *words) {
    const tiled_index tidx;
    columns.template add_to<Width>(tidx, array_view<int64_t>(words, WF_SUM_WORDS));
    device_fence();
    wave_barrier();
    if (tidx.local == 0)
        device_fence(); // the additions of all lanes are visible before what this thread publishes
}

// The window's part, in every lane of the first wave; the columns go to the words of the sum.
template <class Policy, class Extra>
__device__ __forceinline__ exact_part tile_part(const tiled_index &tidx, const tile_memory<Policy> &memory,
                                                const exact_part &of_thread, Extra &extra, int64_t *words) {
    constexpr unsigned width = Policy::width;
    extra.end();
    const exact_part part = tile_sum<width>(tidx, memory.parts, of_thread, extra, tidx.tile_size, false);
    if (__builtin_expect(wave_of<width>(tidx) == 0 && (part.flags & exact_spilled) != 0, 0))
        spill<width>(memory.columns, words);
    return part;
}

// True in the tile's first thread. Compared anew: AMD's scalar registers are too few to keep it during a loop.
__device__ __forceinline__ bool is_first_thread(const tiled_index &tidx) {
    unsigned local = tidx.local;
    opaque(local);
    return local == 0;
}

} // namespace wf
#endif
