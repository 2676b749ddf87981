// wave_all_reduce: every thread of the tile gets the result.
//
// Idea:   lanes exchange: in each step lane i and lane i xor m fold the same two values, so that every lane of a wave
//         ends with the wave's result. (Shuffles down would take as many steps, and leave it in lane 0 alone. On AMD
//         rotations within rows of lanes do as well as exchanges.) The tile does likewise: every wave folds the waves'
//         results, so that every thread ends with the tile's.
// Limit:  memory, as for wave_two_pass. Every wave repeats the last fold, but only once per tile.
// Beside: wave_two_pass
// Change: wave_two_pass exchanges too, but its first wave alone does the last fold, and thread 0 has the result. To
//         hand it on to the tile would take a cell of tile memory and another barrier. These are saved here.
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
