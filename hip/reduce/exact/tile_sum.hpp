// tile_sum(): adds the parts of an exact sum that a tile's threads have.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_SUM_HPP

#include "../../wave.hpp"
#include "exact_value.hpp"

namespace wf {

// The sum as carried pieces, in every lane of the tile's first wave, or everywhere. Reduces the extra accumulator of
// the tile's first threads, too. Uses a cell for each wave, and each lane reads CellsOfLane of them. A barrier must
// lie between two calls.
template <unsigned Width, unsigned CellsOfLane = 1, class Extra>
__device__ __forceinline__ exact_part tile_sum(const tiled_index &tidx, const tile_static<exact_part> &tile_data,
                                               exact_part part, Extra &extra, unsigned threads, bool everywhere) {
    const auto add_up = [&tidx, &part]() {
        wave_sum<Width>(tidx, part.pieces);
        part.flags = (ballot<Width>(tidx, (part.flags & exact_others) != 0) != 0 ? exact_others : 0u) |
                     (ballot<Width>(tidx, (part.flags & exact_spilled) != 0) != 0 ? exact_spilled : 0u);
    };
    const unsigned lane = lane_of<Width>(tidx);
    add_up();
    extra.store();
    tidx.barrier.wait_for_start();
    if (lane == 0)
        tile_data[wave_of<Width>(tidx)] = part;
    tidx.barrier.wait();
    if (everywhere || wave_of<Width>(tidx) == 0) {
        part = lane < tidx.tile_size / Width ? exact_part(tile_data[lane]) : exact_part{};
        carry(part.pieces);
#pragma unroll
        for (unsigned k = 1; k < CellsOfLane; k++) {
            exact_part other = {};
            if (lane + k * Width < tidx.tile_size / Width)
                other = tile_data[lane + k * Width];
            carry(other.pieces);
            part.flags |= other.flags;
            for (unsigned i = 0; i < exact_pieces; i++)
                part.pieces[i] += other.pieces[i];
            carry(part.pieces);
        }
        add_up();
        carry(part.pieces);
    }
    extra.reduce(threads);
    return part;
}

} // namespace wf
#endif
