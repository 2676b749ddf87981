// fold_team: what the lanes that share a row have.
#ifndef WAVEFOLD_AXES_FOLD_TEAM_HPP
#define WAVEFOLD_AXES_FOLD_TEAM_HPP

#include "sum_digits.hpp"

namespace wf {

// All lanes of a team get the fold; of a tile those of the first wave. lanes: a power of two up to the wave's width, or
// the tile's size.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value fold_team(const tiled_index &tidx,
                                                        const tile_static<typename Op::value> &tile_data,
                                                        typename Op::value total, unsigned lanes, const Op &op) {
    total = fold_lanes<Width>(tidx, total, lanes, op);
    if (lanes <= Width)
        return total;
    const unsigned lane = lane_of<Width>(tidx), waves = tidx.tile_size / Width;
    if (lane == 0)
        tile_data[wave_of<Width>(tidx)] = total;
    tidx.barrier.wait();
    if (wave_of<Width>(tidx) == 0)
        total = fold_lanes<Width>(tidx, lane < waves ? typename Op::value(tile_data[lane]) : Op::identity(), Width, op);
    return total;
}

} // namespace wf
#endif
