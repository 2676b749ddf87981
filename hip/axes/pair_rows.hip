// Reductions of two arrays: rows or segments, whose elements one lane, some lanes of a wave, or a tile share.
//
// Idea:   each array has strides of its own. Columns are rows of one lane each, and neighbouring lanes have neighbours.
//         A segment longer than a chunk only marks its chunks: a second launch has a tile for each.
// Limit:  memory; for rows with gaps, and segments, the loads of single elements.
#include "../atomic.hpp"
#include "axes_arguments.hpp"
#include "fold_team.hpp"
#include "segment_list.hpp"

namespace wf {

template <class Op>
struct pair_arguments {
    axes_arguments<Op> first;
    array_view<const typename Op::second> second;                  // from the lowest element to the highest
    uint64_t second_origin;                                        // the element at index 0 of every axis
    int64_t kept[WF_MOST_DIMENSIONS], reduced[WF_MOST_DIMENSIONS]; // its strides
    uint32_t neighbours_first; // neighbouring teams have neighbouring rows, not parts of one row
    segment_list segments;     // which are the rows, unless there are none
};

struct pair_place {
    int64_t element, second, result; // offsets
};

// Of an index that counts along all axes of a list.
__device__ __forceinline__ pair_place pair_place_of(const wf_axis_list &axes, const int64_t *strides, uint64_t index) {
    pair_place at = {0, 0, 0};
    for (uint32_t d = axes.length; d-- > 0;) {
        const wf_axis &axis = axes.axis[d];
        const uint64_t rest = d == 0 ? 0 : quotient_of(index, axis.count);
        const auto along = int64_t(index - rest * axis.count);
        at.element += along * axis.stride;
        at.second += along * strides[d];
        at.result += along * axis.result_stride;
        index = rest;
    }
    return at;
}

// Elements first to end of a row, and where element 0 stands in both arrays.
struct pair_part {
    uint64_t at, second_at, first, end;
};

// Both arrays lie side by side, at addresses that fit packs.
template <class Op>
__device__ __forceinline__ void add_packed_pairs(const pair_arguments<Op> &given, const Op &op,
                                                 typename Op::value &total, const pair_part &part, unsigned lane,
                                                 unsigned lanes) {
    constexpr unsigned size = 16 / sizeof(typename Op::element);
    const uint64_t packs = (part.end - part.first) / size;
    for (uint64_t p = lane; p < packs; p += lanes) {
        const uint64_t i = part.first + p * size;
        const auto x = given.first.source.template load<size>(part.at + i);
        const auto y = given.second.template load<size>(part.second_at + i);
        op.take(total, x.element, y.element, i, 1);
    }
    for (uint64_t i = part.first + packs * size + lane; i < part.end; i += lanes) {
        const typename Op::element x[] = {given.first.source[part.at + i]};
        const typename Op::second y[] = {given.second[part.second_at + i]};
        op.take(total, x, y, i, 1);
    }
}

template <class Op>
__device__ __forceinline__ pair_place place_in_row(const pair_arguments<Op> &given, uint64_t i) {
    const wf_axis_list &reduced = given.first.reduced;
    if (reduced.length == 1)
        return {int64_t(i) * reduced.axis[0].stride, int64_t(i) * given.reduced[0], 0};
    return pair_place_of(reduced, given.reduced, i);
}

template <class Op>
__device__ __forceinline__ void add_scattered_pairs(const pair_arguments<Op> &given, const Op &op,
                                                    typename Op::value &total, const pair_part &part, unsigned lane,
                                                    unsigned lanes) {
    uint64_t i = part.first + lane;
    for (; i + (axes_in_flight - 1) * lanes < part.end; i += axes_in_flight * lanes) {
        typename Op::element x[axes_in_flight];
        typename Op::second y[axes_in_flight];
#pragma unroll
        for (unsigned k = 0; k < axes_in_flight; k++) {
            const pair_place at = place_in_row(given, i + k * lanes);
            x[k] = given.first.source[part.at + uint64_t(at.element)];
            y[k] = given.second[part.second_at + uint64_t(at.second)];
        }
        op.take(total, x, y, i, lanes);
    }
    for (; i < part.end; i += lanes) {
        const pair_place at = place_in_row(given, i);
        const typename Op::element x[] = {given.first.source[part.at + uint64_t(at.element)]};
        const typename Op::second y[] = {given.second[part.second_at + uint64_t(at.second)]};
        op.take(total, x, y, i, 1);
    }
}

// What a team reduces, and where that goes.
struct pair_task {
    pair_part part;
    row_target to;
};

template <class Op>
__device__ __forceinline__ pair_task part_of_row(const pair_arguments<Op> &pair, uint64_t team) {
    const axes_arguments<Op> &given = pair.first;
    const bool exists = team < given.rows * given.parts;
    const uint64_t by = pair.neighbours_first != 0 ? given.rows : given.parts;
    const uint64_t above = quotient_of(exists ? team : 0, by), below = (exists ? team : 0) - above * by;
    const uint64_t row = pair.neighbours_first != 0 ? below : above, part = pair.neighbours_first != 0 ? above : below;
    const pair_place place = pair_place_of(given.kept, pair.kept, row);
    const uint64_t first = part * given.part_length, rest = given.length - first;
    const uint64_t end = !exists ? first : rest < given.part_length ? given.length : first + given.part_length;
    return {{given.origin + uint64_t(place.element), pair.second_origin + uint64_t(place.second), first, end},
            {exists, given.result_origin + uint64_t(place.result), given.length, row * given.parts + part}};
}

// Elements first to end of a segment.
template <class Op>
__device__ __forceinline__ pair_part part_of_segment(const pair_arguments<Op> &pair, uint64_t begin, uint64_t first,
                                                     uint64_t end) {
    return {begin, pair.second_origin + uint64_t(int64_t(begin) * pair.reduced[0]), first, end};
}

// A segment, unless it is long.
template <class Op>
__device__ __forceinline__ pair_task segment_of_team(const pair_arguments<Op> &pair, uint64_t team, unsigned lane,
                                                     unsigned lanes) {
    const segment_list &segments = pair.segments;
    const bool exists = team < segments.count;
    const segment_range range = exists ? segments.range(team) : segment_range{0, 0};
    const uint64_t length = range.end - range.begin;
    const bool is_long = segments.marks.size() != 0 && length > segments.chunk;
    if (is_long)
        segments.mark(team, range, lane, lanes);
    return {part_of_segment(pair, range.begin, 0, is_long ? 0 : length), {exists && !is_long, team, length, 0}};
}

// The part of a long segment in the chunk of a mark.
template <class Op>
__device__ __forceinline__ pair_task chunk_of_tile(const pair_arguments<Op> &pair, uint64_t mark) {
    const segment_list &segments = pair.segments;
    const uint64_t segment = mark < segments.marks.size() ? uint64_t(segments.marks[mark]) : 0;
    if (segment == 0)
        return {{0, 0, 0, 0}, {false, 0, 0, 0}};
    const segment_range range = segments.range(segment - 1);
    const uint64_t from = mark / 2 * segments.chunk, until = from + segments.chunk;
    const uint64_t first = from < range.begin ? range.begin : from, end = until < range.end ? until : range.end;
    return {part_of_segment(pair, range.begin, first - range.begin, end - range.begin),
            {true, segment - 1, end - first, mark}};
}

template <class Op>
__device__ __forceinline__ pair_task task_of(const pair_arguments<Op> &pair, uint64_t team, unsigned lane,
                                             unsigned lanes) {
    if (pair.segments.begins == nullptr)
        return part_of_row(pair, team);
    return pair.first.values != 0 ? chunk_of_tile(pair, team) : segment_of_team(pair, team, lane, lanes);
}

// lanes: a power of two up to the wave's width, or the tile's size.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_pair_rows(pair_arguments<Op> pair) {
    const axes_arguments<Op> &given = pair.first;
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    const unsigned lanes = 1u << given.lane_bits, lane = tidx.local % lanes;

    wait_for_earlier_kernels();
    const pair_task task = task_of(pair, team_of(tidx, given), lane, lanes);
    const pair_part &mine = task.part;
    row_target to = task.to;
    const Op op = given.op.prepared();
    auto total = Op::identity();
    if (given.is_packed != 0)
        add_packed_pairs(pair, op, total, mine, lane, lanes);
    else
        add_scattered_pairs(pair, op, total, mine, lane, lanes);
    total = fold_team<Width>(tidx, tile_data, total, lanes, op);

    if (lanes > Width && wave_of<Width>(tidx) != 0)
        return;
    to.length = counted_length(given.op, total, to.length);
    const bool leads = to.exists && lane == 0;
    if constexpr (may_be_lost<Op>) {
        const bool is_lost = team_is_lost<Width, Op>(tidx, to, total, lanes);
        if (ballot<Width>(tidx, is_lost) != 0) {
            const unsigned step = lanes < Width ? lanes : Width;
            const auto each = [&](const auto &visit) {
                if (is_lost)
                    for (uint64_t i = mine.first + lane; i < mine.end; i += step) {
                        const pair_place at = place_in_row(pair, i);
                        visit(op.term(given.source[mine.at + uint64_t(at.element)],
                                      pair.second[mine.second_at + uint64_t(at.second)]));
                    }
            };
            const term_as_is as_is;
            store_by_digits<Width>(tidx, given, lanes, terms_of(as_is, each), to, leads && is_lost);
            if (is_lost)
                return;
        }
    }
    if (leads)
        store_value(given, to, total);
}

} // namespace wf
