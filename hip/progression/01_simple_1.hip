// simple_1: halve the array until one element is left.
//
// Idea:   one launch per halving. Each thread folds the element one stride away onto its own.
// Limit:  memory traffic. A fold takes two reads and one write, 3n accesses in all; and there are log2 n launches.
// Beside: none
// Tail:   the last element of an odd length has no partner. The last thread folds it into tail[0].
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    simple_1(array_view<T> data, array_view<T> tail, size_t first, size_t stride, unsigned) {
    const tiled_index tidx;
    const Op fold;
    const size_t i = first + tidx.global;
    if (i >= stride)
        return;

    data[i] = fold(data[i], data[i + stride]);

    if (i == stride - 1 && 2 * stride < data.size())
        tail[0] = fold(tail[0], data[2 * stride]);
}

} // namespace wf
