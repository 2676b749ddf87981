// blelloch: up a tree of sums, and down again.
//
// Idea:   the way up folds pairs, pairs of pairs, ... into the right one's cell. The way down hands each node what
//         comes before it: the left child gets the node's own, the right child gets that and the left child's sum.
//         Elements stand in spaced cells: those a power of two apart lie in different banks. The tiles' sums are
//         scanned in turn. After Blelloch (1990, "Prefix sums and their applications").
// Limit:  two trees, with a barrier per level, and few threads at work near their tops; and memory: elements are read
//         and written twice.
// Beside: hillis_steele
// Change: n log2 n folds become 2n, over two elements per thread. The result is exclusive by nature; for an inclusive
//         one each thread folds the element itself onto it.
// Diff:   longer, because two trees take the place of one loop. What goes in and comes out is the same.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

// Cells of tile memory, for a tile of span elements.
template <class T>
constexpr unsigned blelloch_cells(unsigned span) {
    return spaced_cells<T>::spaced(span);
}

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    blelloch(array_view<const T> source, array_view<T> result, array_view<T> sums, unsigned span, bool exclusive) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const unsigned tid = tidx.local;
    const size_t first = size_t(tidx.tile) * span;
    const auto cell = [](unsigned i) { return spaced_cells<T>::spaced(i); };

    T mine[2];
    for (unsigned k = 0; k < 2; k++) {
        const unsigned i = tid + k * tidx.tile_size;
        mine[k] = i < span && first + i < source.size() ? T(source[first + i]) : Op::identity();
        if (i < span)
            tile_data[cell(i)] = mine[k];
    }

    for (unsigned s = 1; s < span; s *= 2) {
        tidx.barrier.wait();
        const unsigned right = 2 * s * (tid + 1) - 1;
        if (right < span)
            tile_data[cell(right)] = fold(tile_data[cell(right - s)], tile_data[cell(right)]);
    }
    tidx.barrier.wait();
    if (tid == 0) {
        sums[tidx.tile] = tile_data[cell(span - 1)];
        tile_data[cell(span - 1)] = Op::identity();
    }
    for (unsigned s = span / 2; s > 0; s /= 2) {
        tidx.barrier.wait();
        const unsigned right = 2 * s * (tid + 1) - 1;
        if (right < span) {
            const T left_sum = tile_data[cell(right - s)], before = tile_data[cell(right)];
            tile_data[cell(right - s)] = before;
            tile_data[cell(right)] = fold(before, left_sum);
        }
    }
    tidx.barrier.wait();

    for (unsigned k = 0; k < 2; k++) {
        const unsigned i = tid + k * tidx.tile_size;
        if (i < span && first + i < source.size()) {
            const T before = tile_data[cell(i)];
            result[first + i] = exclusive ? before : fold(before, mine[k]);
        }
    }
}

} // namespace wf
