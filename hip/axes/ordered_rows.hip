// Reductions along axes by operators that do not commute: a wave for each row.
//
// Idea:   lanes take neighbours, fold them in the order of lanes, and append what comes of it.
// Limit:  the steps of those folds, for every 32 or 64 elements; few long rows leave a GPU idle.
#include "../atomic.hpp"
#include "segment_list.hpp"

namespace wf {

// Element: a matrix or a map.
template <class Element>
struct ordered_arguments {
    array_view<const Element> source;
    uint64_t origin;
    wf_axis_list kept, reduced;
    uint64_t rows, length, first_tile;
    array_view<Element> results;
    uint64_t result_origin;
    segment_list segments; // which are the rows, unless there are none
};

template <class Element, class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_ordered_rows(ordered_arguments<Element> given) {
    const tiled_index tidx;
    const unsigned lane = lane_of<Width>(tidx);
    const uint64_t row = (given.first_tile + tidx.tile) * (tidx.tile_size / Width) + wave_of<Width>(tidx);
    const bool exists = row < given.rows;
    const Op fold;

    wait_for_earlier_kernels();
    const bool is_segment = exists && given.segments.begins != nullptr;
    const segment_range range = is_segment ? given.segments.range(row) : segment_range{0, exists ? given.length : 0};
    const axis_place place =
        exists && !is_segment ? place_of(given.kept, row) : axis_place{int64_t(range.begin), int64_t(row)};
    const uint64_t at = given.origin + uint64_t(place.element), length = range.end - range.begin;
    Element total = Op::identity();
    for (uint64_t first = 0; first < length; first += Width) {
        Element mine = Op::identity();
        if (first + lane < length)
            mine = given.source[at + element_offset(given.reduced, first + lane)];
        total = fold(total, wave_reduce_ordered<Width>(tidx, mine, fold)); // right in lane 0, unused elsewhere
    }
    if (exists && lane == 0)
        given.results[given.result_origin + uint64_t(place.result)] = total;
}

} // namespace wf
