// row_per_thread: a thread reduces a row.
//
// Idea:   a matrix has a result for each row. Rows are independent, so each thread takes one: no barrier, no shuffle.
// Limit:  loads. At any time the lanes of a wave read addresses that are a row apart, so each lane needs a line of its
//         own. A matrix of few long rows has few threads.
// Beside: simple_2
// Change: a thread's elements are neighbours, not a stride apart, and its result is final: one launch.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    row_per_thread(array_view<const T> source, array_view<T> result, size_t row_length) {
    const tiled_index tidx;
    const Op fold;
    const size_t row = tidx.global;
    if (row >= result.size())
        return;

    T total = Op::identity();
    const size_t end = (row + 1) * row_length;
    for (size_t i = row * row_length; i < end && i < source.size(); i++) // the last row may be shorter
        total = fold(total, source[i]);
    result[row] = total;
}

} // namespace wf
