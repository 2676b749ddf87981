// Nothing is what a sum starts from: the identity of the operator, 0 for a sum. 1 is that of a product.
#include "operators.hpp"
#include "tile.hpp"

using namespace wf;

template <class T, class Op>
__global__ void total(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> cells(tidx);
    const Op fold;
    const unsigned t = tidx.local;

    cells[t] = tidx.global < source.size() ? source[tidx.global] : Op::identity();
    tidx.barrier.wait();

    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (t < s)
            cells[t] = fold(cells[t], cells[t + s]);
        tidx.barrier.wait();
    }

    if (t == 0)
        partials[tidx.tile] = cells[0];
}

#ifdef WF_TRY
WF_TRY(total, 256, 256)
#endif
