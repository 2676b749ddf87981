// row_per_tile: a tile reduces a row.
//
// Idea:   a row has all threads of a tile. This suits rows of thousands of elements.
// Limit:  idle threads and barriers for short rows: of a tile of 256 threads, 192 load nothing of a row of 64, and all
//         wait at the barrier. `wavefold explain row_per_tile --against row_per_wave` counts both.
// Beside: row_per_wave
// Change: the tile in place of the wave; its waves' results meet in tile memory (tile_reduce in wave.hpp).
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    row_per_tile(array_view<const T> source, array_view<T> result, size_t row_length) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const size_t row = tidx.tile;

    T total = Op::identity();
    const size_t end = (row + 1) * row_length;
    for (size_t i = row * row_length + tidx.local; i < end && i < source.size(); i += tidx.tile_size)
        total = fold(total, source[i]);
    total = tile_reduce<Width>(tidx, tile_data, total, fold);

    if (tidx.local == 0)
        result[row] = total;
}

} // namespace wf
