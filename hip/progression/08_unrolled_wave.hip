// unrolled_wave: let the last wave finish alone.
//
// Idea:   once a single wave is at work, a barrier of the wave is enough, and its steps are unrolled.
// Limit:  the steps before. They still loop, and the whole tile still waits in each.
// Beside: tiled_4
// Change: the last five or six steps no longer stop the other waves. The lecture drops the synchronisation of these
//         steps altogether, which is wrong wherever lanes are not in lock step.
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) unrolled_wave(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;

    const size_t i = size_t(tidx.tile) * tidx.tile_size * 2 + tid;
    const size_t j = i + tidx.tile_size;
    const T lower = i < source.size() ? source[i] : Op::identity();
    const T upper = j < source.size() ? source[j] : Op::identity();
    T total = fold(lower, upper);
    tile_data[tid] = total;
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s >= Width; s /= 2) {
        if (tid < s)
            tile_data[tid] = total = fold(total, tile_data[tid + s]);
        tidx.barrier.wait();
    }

    if (tid < Width) {
#pragma unroll
        for (unsigned s = Width / 2; s > 0; s /= 2) {
            if (tid < s)
                tile_data[tid] = total = fold(total, tile_data[tid + s]);
            wave_barrier();
        }
    }

    if (tid == 0)
        partials[tidx.tile] = total;
}

} // namespace wf
