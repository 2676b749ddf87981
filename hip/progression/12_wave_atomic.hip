// wave_atomic: one atomic operation per wave, one launch, no tile memory.
//
// Idea:   lane 0 of each wave folds the wave's result into the one cell that is the answer.
// Limit:  the atomic operations. They meet at one address, and memory takes one after the other. For floats the result
//         depends on their order, and NVIDIA's addition of f32 takes subnormals for 0.
// Beside: wave_two_pass
// Change: there are no partial results, no barrier and no second launch.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) wave_atomic(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const Op fold;

    T total = strided_fold<Loads>(tidx, source, fold);
    total = wave_reduce<Width>(tidx, total, fold);
    if (lane_of<Width>(tidx) == 0)
        atomic_fold(result, 0, total, fold);
}

} // namespace wf
