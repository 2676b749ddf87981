// The order of long rows: number_rows and move_values, between and behind the radix sorts of all rows at once
// (src/sort/joint_sort.c), and longest_segment. Order is the word of the elements' numbers.
#include "../atomic.hpp"
#include "../grid.hpp"
#include "radix_tile.hpp"
#include "row_list.hpp"

namespace wf {

constexpr unsigned row_order_threads = WF_ROW_TILE;

template <class Order>
__device__ __forceinline__ size_t element_at(const array_view<const Order> &order, size_t place) {
    return order.size() != 0 ? size_t(Order(order[place])) : place;
}

// numbers[i] becomes the number of the row in which the element at place i lies.
template <class Order>
__global__ void __launch_bounds__(row_order_threads)
    number_rows(array_view<const Order> order, array_view<Order> numbers, row_list list) {
    const tiled_index tidx;
    for (size_t i = tidx.global; i < numbers.size(); i += size_t(tidx.tiles) * tidx.tile_size) {
        const size_t element = element_at(order, i);
        // A division of 32 bits where that is enough.
        numbers[i] = list.offsets != nullptr ? Order(list.row_of(element)) : Order(Order(element) / Order(list.stride));
    }
}

// The element at each place moves there, or its position in its row is stored. Of rows the first list.kept places;
// what lies in no segment stays as it is.
template <class Order>
__global__ void __launch_bounds__(row_order_threads)
    move_values(array_view<const Order> order, value_arrays values, row_list list) {
    const tiled_index tidx;
    const bool has_segments = list.offsets != nullptr;
    const size_t begin = has_segments ? list.offset(0) : 0;
    const size_t end = has_segments ? list.offset(list.rows) : values.target_count;
    visit_value_word(values.bytes, [&](auto tag) {
        using V = decltype(tag);
        const array_view<V> target(static_cast<V *>(values.target), values.target_count);
        for (size_t i = begin + tidx.global; i < end; i += size_t(tidx.tiles) * tidx.tile_size) {
            const size_t row = list.kept != 0 ? i / list.kept : 0;
            const size_t place = list.kept != 0 ? row * list.stride + (i - row * list.kept) : i;
            size_t element = element_at(order, place);
            if (values.source == nullptr)
                element -= has_segments ? list.offset(list.row_of(place) - 1) : place / list.stride * list.stride;
            target[i] = value_at<V>(values, element);
        }
    });
}

// *longest, which is 0 before, becomes the length of the longest segment.
template <unsigned Width>
__global__ void __launch_bounds__(row_order_threads) longest_segment(array_view<int64_t> longest, row_list list) {
    const tiled_index tidx;
    const tile_static<int64_t> tile_data(tidx);
    int64_t most = 0;
    for (size_t i = tidx.global; i < list.rows; i += size_t(tidx.tiles) * tidx.tile_size) {
        const auto length = int64_t(list.offset(i + 1) - list.offset(i));
        most = length > most ? length : most;
    }
    most = tile_reduce<Width>(tidx, tile_data, most, max<int64_t>());
    if (tidx.local == 0)
        atomic_fold(longest, 0, most, max<int64_t>());
}

} // namespace wf
