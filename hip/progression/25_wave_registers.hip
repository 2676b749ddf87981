// wave_registers: one wave, no tile memory.
//
// Idea:   lanes pass their values from register to register. The steps keep the order of the lanes, so the operator
//         need not commute. Each lane folds a stretch of neighbouring elements.
// Limit:  the latency of one wave's loads, as for wave_tile_ordered.
// Beside: wave_tile_ordered
// Change: tile memory and its barriers become shuffles: wave_reduce_ordered (wave.hpp).
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned>
__global__ void __launch_bounds__(largest_tile) wave_registers(array_view<const T> source, array_view<T> result) {
    const tiled_index tidx;
    const Op fold;
    const unsigned lane = tidx.local;

    const size_t stretch = (source.size() + Width - 1) / Width;
    T total = Op::identity();
    for (size_t i = lane * stretch; i < (lane + 1) * stretch && i < source.size(); i++)
        total = fold(total, source[i]);
    total = wave_reduce_ordered<Width>(tidx, total, fold);

    if (lane == 0)
        result[0] = total;
}

} // namespace wf
