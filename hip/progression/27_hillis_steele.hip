// hillis_steele: log2 steps, each of which reaches twice as far.
//
// Idea:   in each step every thread folds the value that stands s places before onto its own, for s = 1, 2, 4 ... Two
//         copies of the tile take turns: a step reads one and writes the other, and needs one barrier. The tiles' sums
//         are scanned in turn, and add_prefixes folds them onto the tiles. After Hillis and Steele (1986, "Data
//         parallel algorithms").
// Limit:  work: n log2 n folds where n would do; and memory: elements are read and written twice.
// Beside: tiled_1
// Change: the first scan. Every thread with one s places before it works, not every 2s-th, so that each keeps the fold
//         of all up to its own. With one copy it could read a value that another thread has already replaced.
// Diff:   longer, because every element has a result, and there are two copies of the tile.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

// Cells of tile memory, for a tile of span elements.
template <class>
constexpr unsigned hillis_steele_cells(unsigned span) {
    return 2 * span;
}

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    hillis_steele(array_view<const T> source, array_view<T> result, array_view<T> sums, unsigned span, bool exclusive) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;
    const size_t i = size_t(tidx.tile) * span + tid;
    const bool works = tid < span; // all do, but where tile memory cannot hold an element for each

    T total = works && i < source.size() ? T(source[i]) : Op::identity();
    unsigned copy = 0;
    if (works)
        tile_data[copy + tid] = total;
    tidx.barrier.wait();
    for (unsigned s = 1; s < span; s *= 2) {
        if (works && tid >= s)
            total = fold(tile_data[copy + tid - s], total);
        copy = span - copy;
        if (works)
            tile_data[copy + tid] = total;
        tidx.barrier.wait();
    }

    if (works && i < source.size())
        result[i] = !exclusive ? total : tid == 0 ? Op::identity() : T(tile_data[copy + tid - 1]);
    if (tid == span - 1)
        sums[tidx.tile] = total;
}

} // namespace wf
