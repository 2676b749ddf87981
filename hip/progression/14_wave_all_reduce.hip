// wave_all_reduce: every lane gets the result.
//
// Idea:   lanes exchange instead of taking: lane i and lane i xor m fold the same two values, so that after log2 steps
//         each lane has the fold of the wave, the same bits in each.
// Limit:  memory, as for wave_two_pass: it costs no more steps, and saves whoever needs the result a broadcast.
// Change: wave_two_pass's shuffles down become exchanges (on AMD both are the same DPP rotations).
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) wave_all_reduce(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

    T total = strided_fold<Loads>(tidx, source, fold);
    total = wave_reduce<Width>(tidx, total, fold);
    if (lane_of<Width>(tidx) == 0)
        tile_data[wave_of<Width>(tidx)] = total;
    tidx.barrier.wait();

    // Every wave folds the waves' results: all threads of the tile have the answer, with no further barrier.
    const unsigned lane = lane_of<Width>(tidx);
    total = lane < tidx.tile_size / Width ? T(tile_data[lane]) : Op::identity();
    total = wave_reduce<Width>(tidx, total, fold);
    if (tidx.local == tidx.tile_size - 1) // any thread would do
        partials[tidx.tile] = total;
}

} // namespace wf
