// simple_2: fold a window of elements at once.
//
// Idea:   each thread folds `window` elements that lie one stride apart: fewer launches, fewer writes.
// Limit:  memory traffic, (w + 1)/(w - 1) accesses per element for a window of w. One thread folds the tail.
// Beside: simple_1
// Change: a launch divides the length by the window, not by two. simple_1 is this with a window of 2.
// Tail:   up to `window` - 1 elements are left over. The last thread folds them into tail[0].
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    simple_2(array_view<T> data, array_view<T> tail, size_t first, size_t stride, unsigned window) {
    const tiled_index tidx;
    const Op fold;
    const size_t i = first + tidx.global;
    if (i >= stride)
        return;

    T total = data[i];
    for (unsigned k = 1; k < window; k++)
        total = fold(total, data[i + k * stride]);
    data[i] = total;

    if (i == stride - 1) {
        T left_over = tail[0];
        for (size_t k = window * stride; k < data.size(); k++)
            left_over = fold(left_over, data[k]);
        tail[0] = left_over;
    }
}

} // namespace wf
