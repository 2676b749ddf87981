// last_block: one launch; the tile that comes last joins the others.
//
// Idea:   each tile leaves its result and draws a ticket. The tile that draws the last one folds all results, in an
//         order that does not depend on which tile that was: nor does the answer.
// Limit:  memory; then the fence and the ticket of each tile.
// Beside: wave_two_pass
// Change: the second launch becomes the end of the first, behind a guard: last_tile (grid.hpp).
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile)
    last_block(array_view<const T> source, array_view<T> partials, array_view<T> result, ticket_view ticket) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

    T total = strided_fold<Loads>(tidx, source, fold);
    total = tile_reduce<Width>(tidx, tile_data, total, fold);
    if (tidx.local == 0)
        partials[tidx.tile] = total;

    if (!last_tile(tidx, ticket))
        return;
    total = Op::identity();
    for (size_t i = tidx.local; i < partials.size(); i += tidx.tile_size)
        total = fold(total, partials[i]);
    total = tile_reduce<Width>(tidx, tile_data, total, fold);
    if (tidx.local == 0)
        result[0] = total;
}

} // namespace wf
