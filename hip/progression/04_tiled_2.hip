// tiled_2: let neighbouring threads do the work.
//
// Idea:   thread t works on cell 2·s·t. The working threads are the first ones: the waves behind them only wait.
// Limit:  bank conflicts. Neighbouring lanes touch cells 2, 4, 8 ... apart, which share banks of tile memory.
// Beside: tiled_1
// Change: the index strides, not the thread. The modulo is gone, and no wave diverges but the last one at work.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile) tiled_2(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    tile_data[tid] = tidx.global < source.size() ? source[tidx.global] : Op::identity();
    tidx.barrier.wait();

    for (unsigned s = 1; s < tidx.tile_size; s *= 2) {
        const unsigned index = 2 * s * tid;
        if (index < tidx.tile_size)
            tile_data[index] = fold(tile_data[index], tile_data[index + s]);
        tidx.barrier.wait();
    }

    if (tid == 0)
        partials[tidx.tile] = tile_data[0];
}

} // namespace wf
