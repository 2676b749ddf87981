// wavefold: the whole table of reductions in one kernel.
//
// Idea:   last_block with loads of 16 bytes whatever the type; elements are lifted into what the operator folds, and the
//         last tile finishes the result (narrows it, divides a mean, notes an index).
// Limit:  memory.
// Change: last_block's type of elements, of partial results and of the result become three.
#include "../grid.hpp"
#include "../tile.hpp"
#include "../wave.hpp"
#include "../wide_ops.hpp"

namespace wf {

template <class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    fold(Op op, array_view<const typename Op::element> source, array_view<decltype(Op::identity())> partials,
         array_view<typename Op::result> result, ticket_view ticket) {
    if (!wave_is<Width>())
        return;
    using element = typename Op::element;
    using value = decltype(Op::identity());
    constexpr unsigned loads = 16 / sizeof(element);
    const tiled_index tidx;
    const tile_static<value> tile_data(tidx);

    value total = strided_fold<loads>(tidx, source, op, [op](element e, size_t i) { return op.lift(e, i); });
    total = tile_reduce<Width>(tidx, tile_data, total, op);
    if (tidx.local == 0)
        partials[tidx.tile] = total;

    if (!last_tile(tidx, ticket))
        return;
    total = Op::identity();
    for (size_t i = tidx.local; i < partials.size(); i += tidx.tile_size)
        total = op(total, partials[i]);
    total = tile_reduce<Width>(tidx, tile_data, total, op);
    if (tidx.local == 0)
        result[0] = op.finish(total, source.size());
}

} // namespace wf
