// The lanes of a wave load neighbouring elements at the same time: a thread's own lie a tile apart.
#include "operators.hpp"
#include "tile.hpp"

using namespace wf;

template <class T, class Op>
__global__ void total(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> cells(tidx);
    const Op fold;
    const unsigned t = tidx.local;
    constexpr unsigned each = 16;

    T sum = Op::identity();
    for (unsigned k = 0; k < each; k++) {
        const size_t i = (size_t(tidx.tile) * each + k) * tidx.tile_size + t;
        if (i < source.size())
            sum = fold(sum, source[i]);
    }
    cells[t] = sum;
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
WF_TRY(total, 256, 4096)
#endif
