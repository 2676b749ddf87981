// What comes before a tile's sections, in an order that does not depend on which tiles are done first.
//
// A tile publishes what each of its sections comes to. The last of WF_SCAN_GROUP sections also publishes what the group
// comes to; the last of WF_SCAN_GROUP groups what all comes to up to there. So a tile waits for at most two groups'
// words and one more, and always combines the same ones. (With decoupled look-back it takes what it finds:
// look_back.hpp.) A group's word waits for that group's sections alone: if it waited for the groups before it, they
// would be published one after the other, each a round trip to memory later.
//
// Forward progress: tiles wait for tiles that have started. Many tiles draw their numbers when they start; of few, the
// numbers are those of the blocks, which GPUs start in that order (scan_launches.c).
#ifndef WAVEFOLD_SCAN_TILES_BEFORE_HPP
#define WAVEFOLD_SCAN_TILES_BEFORE_HPP

#include "../grid.hpp"
#include "../tile_status.hpp"
#include "scan_arguments.hpp"

namespace wf {

// The words of a row: for each section, each group and each span.
struct scan_status_places {
    unsigned sections, groups, spans; // where each begin

    __device__ __forceinline__ scan_status_places(uint64_t sections_of_row, uint64_t row) {
        const auto count = unsigned(sections_of_row), of_groups = (count + scan_group - 1) / scan_group,
                   of_spans = (of_groups + scan_group - 1) / scan_group;
        sections = unsigned(row) * (count + of_groups + of_spans);
        groups = sections + count;
        spans = groups + of_groups;
    }
};

// Cells of tile memory of scan_fixed_order: what each team of each section comes to, each section, and each level
// before the tile; the tile's ticket; and which half of the words it uses.
template <unsigned Sections>
struct scan_cells {
    static constexpr unsigned levels = 3; // sections, groups, spans
    static constexpr unsigned section = Sections * scan_teams, before = section + Sections, ticket = before + levels,
                              half = ticket + 1;
};

// The first count lanes' values, combined from the first to the last; count is at most scan_group. Several are brought
// at a time, since all later tiles may wait for the fold.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value fold_lanes(typename Op::value mine, unsigned count, const Op &op) {
    using value = typename Op::value;
    constexpr unsigned at_a_time = sizeof(value) <= 8 ? 4 : 1;
    value all = Op::identity();
    for (unsigned k = 0; k < count; k += at_a_time) {
        value next[at_a_time];
#pragma unroll
        for (unsigned j = 0; j < at_a_time; j++)
            next[j] = broadcast<Width>(mine, k + j);
#pragma unroll
        for (unsigned j = 0; j < at_a_time; j++)
            if (k + j < count)
                all = op(all, next[j]);
    }
    return all;
}

// What comes before the Sections sections of a tile. Three waves of the tile wait at the same time: the first one for
// the sections of the tile's group, the second for the groups of its span, the third for the span before.
template <class Op, unsigned Width, unsigned Sections>
class sections_before {
    using value = typename Op::value;
    using cell = scan_cells<Sections>;
    static_assert(scan_group % Sections == 0, "a tile lies in one group");
    static_assert(WF_SCAN_TILE / wide_wave >= cell::levels, "a wave for each level");

  public:
    __device__ __forceinline__ sections_before(const tile_status_array<value, Width> &states,
                                               const scan_status_places &at, unsigned first, uint64_t sections_of_row)
        : states_(states), at_(at), first_(first), existing_(unsigned(sections_of_row) - first),
          group_(first / scan_group), in_group_(first % scan_group) {}

    // Behind a barrier after which the teams' cells are there; a barrier must follow.
    __device__ __forceinline__ void wait(const tiled_index &tidx, const tile_static<value> &cells, const value &initial,
                                         const Op &op) const {
        const unsigned level = wave_of<Width>(tidx), lane = lane_of<Width>(tidx);
        if (level >= cell::levels)
            return;
        if (level == 0)
            publish_sections(lane, cells, op);
        const unsigned count = level == 0 ? in_group_ : level == 1 ? group_ % scan_group : span() != 0 ? 1 : 0;
        const unsigned place = level == 0   ? at_.sections + first_ - in_group_
                               : level == 1 ? at_.groups + group_ - count
                                            : at_.spans + span() - count;
        value mine = level == 2 ? initial : Op::identity();
        bool is_missing = lane < count;
        for (;;) {
            if (is_missing)
                is_missing = states_.load(place + lane, mine) == tile_status::invalid;
            if (ballot<Width>(tidx, is_missing) == 0)
                break;
            let_others_run();
        }
        const value all = level == 2 ? broadcast<Width>(mine, 0) : fold_lanes<Width>(mine, count, op);
        if (lane == 0) {
            cells[cell::before + level] = all;
            if (level == 0 && ends_group())
                states_.publish(at_.groups + group_, tile_status::aggregate, with_sections(cells, all, Sections, op));
        }
    }

    // What comes before section s. Behind the barrier.
    __device__ __forceinline__ value before(const tile_static<value> &cells, unsigned s, const Op &op) const {
        return op(op(cells[cell::before + 2], cells[cell::before + 1]),
                  with_sections(cells, cells[cell::before], s, op));
    }
    // By one thread of the tile, behind the barrier.
    __device__ __forceinline__ void publish_span(const tile_static<value> &cells, const Op &op) const {
        if (ends_group() && group_ % scan_group == scan_group - 1)
            states_.publish(at_.spans + span(), tile_status::aggregate,
                            op(cells[cell::before + 2],
                               op(cells[cell::before + 1], with_sections(cells, cells[cell::before], Sections, op))));
    }

  private:
    __device__ __forceinline__ unsigned span() const { return group_ / scan_group; }
    __device__ __forceinline__ bool ends_group() const { return in_group_ == scan_group - Sections; }

    // By one wave.
    __device__ __forceinline__ void publish_sections(unsigned lane, const tile_static<value> &cells,
                                                     const Op &op) const {
        value mine = Op::identity();
        if (lane < Sections) {
#pragma unroll
            for (unsigned t = 0; t < scan_teams; t++)
                mine = op(mine, cells[lane * scan_teams + t]);
            cells[cell::section + lane] = mine;
            if (lane < existing_)
                states_.publish(at_.sections + first_ + lane, tile_status::aggregate, mine);
        }
        wave_barrier();
    }
    // all, and the tile's first count sections.
    static __device__ __forceinline__ value with_sections(const tile_static<value> &cells, value all, unsigned count,
                                                          const Op &op) {
#pragma unroll
        for (unsigned s = 0; s < Sections; s++)
            if (s < count)
                all = op(all, cells[cell::section + s]);
        return all;
    }

    tile_status_array<value, Width> states_;
    scan_status_places at_;
    unsigned first_, existing_; // sections: the tile's first one, and those of the row from there on
    unsigned group_, in_group_; // of the first one
};

// The half of the words that this launch uses. The host need not clear it: the tiles of each launch clear the other
// half, and the last tile exchanges the halves. By then every tile knows which half is in use: its first thread reads
// that before the tile publishes anything. This holds for the tiles of one row. For several rows, and for arrays with
// more tiles, the host clears one half before each launch.
struct scan_halves {
    unsigned half;
    uint64_t half_words;

    __device__ __forceinline__ scan_halves(const scan_tiles &tiles, unsigned of_tile)
        : half(of_tile), half_words(tiles.status.size() / 2) {}

    static __device__ __forceinline__ unsigned read(const scan_tiles &tiles) {
        return tiles.used != 0 ? unsigned(read_word(tiles.words, WF_SCAN_WORD_HALF)) : 0;
    }
    __device__ __forceinline__ word_view mine(const scan_tiles &tiles) const {
        return tiles.status.section(half * half_words, half_words);
    }
    // By one wave of each tile.
    template <unsigned Width>
    __device__ __forceinline__ void clear_the_other(const tiled_index &tidx, const scan_tiles &tiles,
                                                    unsigned number) const {
        const uint64_t used = read_word(tiles.words, WF_SCAN_WORD_USED + 1 - half);
        for (uint64_t i = uint64_t(number) * Width + lane_of<Width>(tidx); i < used; i += tiles.all * Width)
            write_word(tiles.status, (1 - half) * half_words + i, 0);
    }
    // By one thread of the last tile.
    __device__ __forceinline__ void change(const scan_tiles &tiles) const {
        write_word(tiles.words, WF_SCAN_WORD_USED + half, tiles.used);
        write_word(tiles.words, WF_SCAN_WORD_HALF, 1 - half);
        if (tiles.draws != 0)
            tiles.ticket[0] = 0;
    }
};

} // namespace wf
#endif
