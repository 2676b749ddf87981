// What the tiles before one come to, in an order that does not depend on which of them are done first.
//
// A tile publishes what its elements come to. The last of WF_SCAN_GROUP tiles also publishes what the group comes to;
// the last of as many groups what all comes to up to there. So a tile waits for at most two groups' words and one more,
// and always combines the same ones. (With decoupled look-back it takes what it finds: look_back.hpp.)
//
// Forward progress: tiles wait for tiles that have started, as they draw their numbers then; or all run at once.
#ifndef WAVEFOLD_SCAN_TILES_BEFORE_HPP
#define WAVEFOLD_SCAN_TILES_BEFORE_HPP

#include "../grid.hpp"
#include "../tile_status.hpp"
#include "scan_arguments.hpp"

namespace wf {

// The words of a row: for each tile, each group and each span.
struct scan_status_places {
    unsigned tiles, groups, spans; // where each begin

    __device__ __forceinline__ scan_status_places(uint64_t tiles_of_row, uint64_t row) {
        const auto count = unsigned(tiles_of_row), of_groups = (count + scan_group - 1) / scan_group,
                   of_spans = (of_groups + scan_group - 1) / scan_group;
        tiles = unsigned(row) * (count + of_groups + of_spans);
        groups = tiles + count;
        spans = groups + of_groups;
    }
};

// The first count lanes' values, combined from the first to the last.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value fold_lanes(typename Op::value mine, unsigned count, const Op &op) {
    typename Op::value all = Op::identity();
    for (unsigned k = 0; k < count; k++)
        all = op(all, broadcast<Width>(mine, k));
    return all;
}

// By one wave. tile: its number in the row; own: what it comes to.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value
fold_tiles_before(const tiled_index &tidx, const tile_status_array<typename Op::value, Width> &states,
                  const scan_status_places &at, unsigned tile, const typename Op::value &own,
                  const typename Op::value &initial, const Op &op) {
    using value = typename Op::value;
    const unsigned lane = lane_of<Width>(tidx);
    const unsigned group = tile / scan_group, in_group = tile % scan_group;
    const unsigned span = group / scan_group, in_span = group % scan_group;
    const bool ends_group = in_group == scan_group - 1, ends_span = ends_group && in_span == scan_group - 1;
    if (lane == 0)
        states.publish(at.tiles + tile, tile_status::aggregate, own);

    value of_tile = Op::identity(), of_group = Op::identity(), of_spans = initial;
    bool waits_for_tile = lane < in_group, waits_for_group = lane < in_span, waits_for_span = lane == 0 && span > 0;
    for (;;) {
        if (waits_for_span)
            waits_for_span = states.load(at.spans + span - 1, of_spans) == tile_status::invalid;
        if (waits_for_group)
            waits_for_group = states.load(at.groups + group - in_span + lane, of_group) == tile_status::invalid;
        if (waits_for_tile)
            waits_for_tile = states.load(at.tiles + tile - in_group + lane, of_tile) == tile_status::invalid;
        if (ballot<Width>(tidx, waits_for_tile || waits_for_group || waits_for_span) == 0)
            break;
        let_others_run();
    }
    const value tiles = fold_lanes<Width>(of_tile, in_group, op), groups = fold_lanes<Width>(of_group, in_span, op);
    const value spans = broadcast<Width>(of_spans, 0);
    if (ends_group && lane == 0) {
        const value all = op(tiles, own);
        states.publish(at.groups + group, tile_status::aggregate, all);
        if (ends_span)
            states.publish(at.spans + span, tile_status::aggregate, op(spans, op(groups, all)));
    }
    return op(op(spans, groups), tiles);
}

// Which half of the words this launch uses. Nobody has to clear them before: its tiles clear the other half, and the
// last one in the order of numbers changes the halves. All others have read the first word then, or it
// could not be through: a wave reads it before its tile publishes anything. That holds for tiles of one row alone: for
// several rows, and for arrays of more tiles, the host clears one half before each launch.
struct scan_halves {
    unsigned half;
    uint64_t half_words;

    // is_asked: this wave needs it.
    __device__ __forceinline__ scan_halves(const scan_tiles &tiles, bool is_asked)
        : half(is_asked && tiles.used != 0 ? unsigned(read_word(tiles.words, WF_SCAN_WORD_HALF)) : 0),
          half_words(tiles.status.size() / 2) {}

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
