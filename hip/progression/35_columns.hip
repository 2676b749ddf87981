// columns: a lane reduces a column.
//
// Idea:   lanes stand along the columns and walk down the rows, so that a wave reads neighbours of one row. A tile has
//         a strip of Width columns; its waves take turns with the rows of a band, and meet in tile memory. Nothing is
//         transposed. The bands' results are a matrix with fewer rows: a second launch reduces its columns.
// Limit:  memory. A matrix of fewer columns than a wave has lanes leaves lanes idle.
// Beside: row_per_wave
// Change: lanes no longer share a result, so no shuffle: the threads that do are in different waves.
// Diff:   longer, because a tile has a place along the columns and along the rows.
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    columns(array_view<const T> source, array_view<T> result, size_t row_length, unsigned bands) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned lane = lane_of<Width>(tidx), wave = wave_of<Width>(tidx), waves = tidx.tile_size / Width;
    const unsigned strips = tidx.tiles / bands, band = tidx.tile / strips;
    const size_t width = result.size() / bands; // columns of the launch
    const size_t column = size_t(tidx.tile % strips) * Width + lane;

    T total = Op::identity();
    const size_t first = (size_t(band) * waves + wave) * row_length + column, step = bands * waves * row_length;
#pragma unroll 4
    for (size_t i = first; column < width && i < source.size(); i += step)
        total = fold(total, source[i]);
    tile_data[tidx.local] = total;
    tidx.barrier.wait();

    if (wave == 0 && column < width) {
        for (unsigned other = 1; other < waves; other++)
            total = fold(total, tile_data[other * Width + lane]);
        result[band * width + column] = total;
    }
}

} // namespace wf
