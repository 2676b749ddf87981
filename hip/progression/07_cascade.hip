// cascade: a fixed number of tiles strides over the whole array.
//
// Idea:   each thread folds its share of the array in a register. Then each tile runs one tree. One launch is enough:
//         the host folds what the tiles leave.
// Limit:  memory latency. What counts is how many loads are in flight: the loop is unrolled to keep four of them going.
// Beside: tiled_4
// Change: a thread's two elements become n / (tiles x tile size).
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) cascade(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;
    const size_t stride = size_t(tidx.tiles) * tidx.tile_size;

    T total = Op::identity();
    size_t i = tidx.global;
    for (; i + 3 * stride < source.size(); i += 4 * stride) {
        const T lower = fold(source[i], source[i + stride]);
        const T upper = fold(source[i + 2 * stride], source[i + 3 * stride]);
        total = fold(total, fold(lower, upper));
    }
    for (; i < source.size(); i += stride)
        total = fold(total, source[i]);
    tile_data[tid] = total;
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tid < s)
            tile_data[tid] = total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = tile_data[0];
}

} // namespace wf
