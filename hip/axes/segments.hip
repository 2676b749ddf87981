// Reductions of segments, whose lengths differ.
//
// Idea:   as many lanes for a segment as suit the average length; the whole wave reduces a longer one. What is longer
//         than a chunk of the array is left to a second launch, in which each chunk has a tile; a third joins those.
// Limit:  memory; where lengths differ much, the longest segment of each wave.
#include "../atomic.hpp"
#include "fold_team.hpp"
#include "joined_parts.hpp"
#include "run_of_elements.hpp"
#include "segment_list.hpp"

namespace wf {

template <unsigned Width, class Op>
__device__ __forceinline__ void store_segment(const tiled_index &tidx, const axes_arguments<Op> &given,
                                              const typename Op::value &total, const segment_range &range,
                                              unsigned lanes, const row_target &to) {
    const unsigned lane = tidx.local % lanes, step = lanes < Width ? lanes : Width;
    const bool leads = to.exists && lane == 0;
    if constexpr (may_be_lost<Op>) {
        const bool is_lost = team_is_lost<Width, Op>(tidx, to, total, lanes);
        if (ballot<Width>(tidx, is_lost) != 0) {
            const auto each = [&](const auto &visit) {
                if (is_lost)
                    for (uint64_t i = range.begin + lane; i < range.end; i += step)
                        visit(typename Op::element(given.source[i]));
            };
            store_by_digits<Width>(tidx, given, lanes, terms_of(given.op, each), to, leads && is_lost);
            if (is_lost)
                return;
        }
    }
    if (leads)
        store_value(given, to, total);
}

template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_segments(axes_arguments<Op> given, segment_list segments) {
    const tiled_index tidx;
    const unsigned lanes = 1u << given.lane_bits, lane = tidx.local % lanes;
    const uint64_t segment = team_of(tidx, given);
    const bool exists = segment < segments.count;

    wait_for_earlier_kernels();
    const segment_range mine = exists ? segments.range(segment) : segment_range{0, 0};
    const uint64_t length = mine.end - mine.begin;
    const bool is_long = segments.marks.size() != 0 && length > segments.chunk;
    const bool takes_wave = !is_long && length > segments.most_of_team;
    if (is_long)
        segments.mark(segment, mine, lane, lanes);

    auto total = Op::identity();
    const bool takes_team = exists && !is_long && !takes_wave;
    if (takes_team)
        add_run(given, total, mine.begin, length, 0, lane, lanes);
    total = fold_lanes<Width>(tidx, total, lanes, given.op);
    store_segment<Width>(tidx, given, total, mine, lanes, {takes_team, segment, length, 0});

    for (uint64_t left = ballot<Width>(tidx, takes_wave && lane == 0); left != 0;) {
        const unsigned from = last_lane(left);
        left ^= uint64_t(1) << from;
        const auto range = broadcast<Width>(mine, from);
        const auto of = broadcast<Width>(segment, from);
        auto of_wave = Op::identity();
        add_run(given, of_wave, range.begin, range.end - range.begin, 0, lane_of<Width>(tidx), Width);
        of_wave = fold_lanes<Width>(tidx, of_wave, Width, given.op);
        store_segment<Width>(tidx, given, of_wave, range, Width, {true, of, range.end - range.begin, 0});
    }
}

// Each tile takes some of the chunks: those that are marked have parts of one or two long segments.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_long_segments(axes_arguments<Op> given, segment_list segments) {
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    wait_for_earlier_kernels();
    const uint64_t marks = segments.marks.size();
    for (uint64_t mark = given.first_tile + tidx.tile; mark < marks; mark += tidx.tiles) {
        const uint64_t segment = segments.marks[mark];
        if (segment == 0)
            continue;
        const uint64_t from = mark / 2 * segments.chunk, until = from + segments.chunk;
        const auto [begin, end] = segments.range(segment - 1);
        const segment_range part = {from < begin ? begin : from, until < end ? until : end};
        auto total = Op::identity();
        add_run(given, total, part.begin, part.end - part.begin, part.begin - begin, tidx.local, axes_tile);
        tidx.barrier.wait(); // between two folds of the tile
        total = fold_team<Width>(tidx, tile_data, total, axes_tile, given.op);
        if (wave_of<Width>(tidx) == 0)
            store_segment<Width>(tidx, given, total, part, axes_tile, {true, segment - 1, part.end - part.begin, mark});
    }
}

// The values of a segment's chunks.
struct chunk_values {
    uint64_t first, next; // of the first chunk, and of the second
    uint64_t count;

    __device__ __forceinline__ uint64_t operator[](uint64_t i) const { return i == 0 ? first : next + 2 * (i - 1); }
};

template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_join_segments(axes_arguments<Op> given, segment_list segments) {
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    wait_for_earlier_kernels();
    const uint64_t marks = segments.marks.size(), chunk = segments.chunk;
    for (uint64_t mark = given.first_tile + tidx.tile; mark < marks; mark += tidx.tiles) {
        const uint64_t segment = segments.marks[mark];
        if (segment == 0)
            continue;
        const auto [begin, end] = segments.range(segment - 1);
        if (begin / chunk != mark / 2) // its first chunk is another
            continue;
        const chunk_values values = {mark, (mark / 2 + 1) * 2, (end - 1) / chunk - mark / 2 + 1};
        auto total = Op::identity();
        for (uint64_t i = tidx.local; i < values.count; i += axes_tile)
            total = given.op(total, typename Op::value(given.partials[values[i]]));
        tidx.barrier.wait(); // between two folds of the tile
        total = fold_team<Width>(tidx, tile_data, total, axes_tile, given.op);
        if (wave_of<Width>(tidx) != 0)
            continue;
        const row_target to = {true, segment - 1, end - begin, 0};
        store_joined<Width>(tidx, given, total, values, axes_tile, to);
    }
}

} // namespace wf
