// row_per_wave: a wave reduces a row.
//
// Idea:   the lanes of a wave read neighbours of one row, so that a load takes few lines. Shuffles join the lanes.
// Limit:  memory for long rows. For a row shorter than a wave the other lanes are idle, and every row costs the steps
//         of a wave's tree.
// Beside: row_per_thread
// Change: a row has the lanes of a wave in place of one thread: Width times the threads, with a tree for each row.
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    row_per_wave(array_view<const T> source, array_view<T> result, size_t row_length) {
    const tiled_index tidx;
    const Op fold;
    const unsigned lane = lane_of<Width>(tidx);
    const size_t row = size_t(tidx.tile) * (tidx.tile_size / Width) + wave_of<Width>(tidx);

    T total = Op::identity(); // of the waves beyond the last row, too
    const size_t end = (row + 1) * row_length;
    for (size_t i = row * row_length + lane; i < end && i < source.size(); i += Width)
        total = fold(total, source[i]);
    total = wave_reduce<Width>(tidx, total, fold);

    if (lane == 0 && row < result.size())
        result[row] = total;
}

} // namespace wf
