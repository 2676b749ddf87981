// Exercise 3: right, but its lanes wait for each other in tile memory. In which line, and how often?
// Look at the extra passes; tile memory has 32 banks of 4 bytes.
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

    for (unsigned s = 1; s < tidx.tile_size; s *= 2) {
        const unsigned first = 2 * s * t;
        if (first < tidx.tile_size)
            cells[first] = fold(cells[first], cells[first + s]);
        tidx.barrier.wait();
    }

    if (t == 0)
        partials[tidx.tile] = cells[0];
}

#ifdef WF_TRY
WF_TRY(total, 256, 256)
#endif
