// scan_fixed_order: one launch; the order of additions is that of the elements' indices alone.
//
// Idea:   tiles still pass on what they come to, but each combines the same parts: the sections of its group, the
//         groups of its span, and all spans before (tiles_before.hpp). Teams have 32 lanes, whatever a wave has. So
//         sums of floats have the same bits in every run, and on every GPU and CPU.
// Limit:  waiting. A tile holds its registers until the slowest tile before it has its elements, as it cannot take a
//         prefix that happens to be there.
// Beside: look_back
// Change: a look back over at most 31 sections and 31 groups replaces one that goes on until it finds a prefix.
// Diff:   longer, because teams stand apart from waves, tiles of long rows hold four sections, which makes fewer tiles
//         wait, and two halves of the words take turns, so that no launch has to clear them.
#include "../grid.hpp"
#include "../scan/scan_arguments.hpp"
#include "../scan/tiles_before.hpp"
#include "../wave.hpp"

namespace wf {

// Threads whose registers a multiprocessor has: four tiles of one section, or two of four.
template <class Op, unsigned Sections>
constexpr unsigned scan_at_once = scan_cut<Op>::most_sections == 1 ? WF_SCAN_TILE
                                  : Sections == 1                  ? 1024
                                                                   : 512;

template <class Op, unsigned Width, unsigned Sections>
__global__ void WF_BOUNDS(WF_SCAN_TILE, (scan_at_once<Op, Sections>))
    scan_fixed_order(array_view<const typename Op::element> source, scan_arguments<Op> given, scan_tiles tiles) {
    using value = typename Op::value;
    using cut = scan_cut<Op>;
    constexpr unsigned elements = Sections * cut::section, rows = Sections * cut::lane_rows;
    constexpr unsigned words = sizeof(value) / sizeof(unsigned), ticket_cell = scan_cells<Sections>::ticket * words,
                       half_cell = scan_cells<Sections>::half * words;
    const tiled_index tidx;
    const tile_static<value> cells(tidx);
    const tile_static<unsigned> word_cells(tidx);
    const unsigned number =
        unsigned(given.first_tile) * (tiles.draws == 0) +
        (tiles.draws != 0 ? wave_uniform(draw_number(tidx, tiles.ticket, word_cells, ticket_cell)) : tidx.tile);
    const bool shares = tiles.sections > 1;
    const unsigned half = shares && tidx.local == 0 ? scan_halves::read(tiles) : 0;
    const auto row_number = quotient_of(number, tiles.of_row);
    const auto tile = unsigned(number - row_number * tiles.of_row);
    const unsigned team = tidx.local / scan_lanes, lane = tidx.local % scan_lanes;
    const scan_row row(given, row_number);
    const uint64_t begin = uint64_t(tile) * elements, first = begin + team * cut::team + lane * cut::pack;
    const auto offset_of = [](unsigned r) {
        return r / cut::lane_rows * cut::section + r % cut::lane_rows * cut::lane_row;
    };

    value held[rows][cut::pack], totals[rows];
    // Large values come one by one: with both loops AMD's compiler keeps them in memory.
    if (sizeof(value) <= 16 && are_whole_packs(given, source, row.element, given.stride, begin, elements)) {
#pragma unroll
        for (unsigned r = 0; r < rows; r++)
            load_values<true>(given, source, row, first + offset_of(r), held[r]);
    } else {
#pragma unroll
        for (unsigned r = 0; r < rows; r++)
            load_values<false>(given, source, row, first + offset_of(r), held[r]);
    }
#pragma unroll
    for (unsigned r = 0; r < rows; r++) {
#pragma unroll
        for (unsigned k = 1; k < cut::pack; k++)
            held[r][k] = given.op(held[r][k - 1], held[r][k]);
        totals[r] = held[r][cut::pack - 1];
    }
    team_scan<Width>(tidx, scan_lanes, totals, given.op);
    value rows_before = Op::identity();
#pragma unroll
    for (unsigned r = 0; r < rows; r++) { // totals[r] becomes what is before this lane's pack in its team
        const value all = shuffle<Width>(totals[r], lane_of<Width>(tidx) | (scan_lanes - 1));
        const value lanes_before = shuffle_up<Width>(tidx, totals[r], 1);
        totals[r] = given.op(rows_before, lane == 0 ? Op::identity() : lanes_before);
        rows_before = given.op(rows_before, all);
        if (r % cut::lane_rows == cut::lane_rows - 1) {
            if (lane == 0)
                cells[r / cut::lane_rows * scan_teams + team] = rows_before;
            rows_before = Op::identity();
        }
    }
    if (tidx.local == 0)
        word_cells[half_cell] = half;
    tidx.barrier.wait();

    const scan_halves halves(tiles, word_cells[half_cell]);
    value teams_before[Sections], before[Sections]; // in each section
#pragma unroll
    for (unsigned s = 0; s < Sections; s++) {
        teams_before[s] = Op::identity();
        for (unsigned t = 0; t < team; t++)
            teams_before[s] = given.op(teams_before[s], cells[s * scan_teams + t]);
    }
    const value initial = initial_value(given.op, given.initial);
    const sections_before<Op, Width, Sections> sections(tile_status_array<value, Width>(halves.mine(tiles)),
                                                        scan_status_places(tiles.sections, row_number), tile * Sections,
                                                        tiles.sections);
    if (shares) {
        sections.wait(tidx, cells, initial, given.op);
        tidx.barrier.wait();
        if (tidx.local == 0)
            sections.publish_span(cells, given.op);
    }
#pragma unroll
    for (unsigned s = 0; s < Sections; s++)
        before[s] = given.op(shares ? sections.before(cells, s, given.op)
                                    : given.op(given.op(initial, Op::identity()), Op::identity()),
                             teams_before[s]);
    const bool are_whole = are_whole_results(given, row, begin, elements);
#pragma unroll
    for (unsigned r = 0; r < rows; r++)
        store_results(given, row, first + offset_of(r), are_whole, given.op(before[r / cut::lane_rows], totals[r]),
                      held[r]);

    if (shares && tiles.used != 0 && wave_of<Width>(tidx) == 0) {
        halves.template clear_the_other<Width>(tidx, tiles, number);
        if (tidx.local == 0 && number == tiles.all - 1)
            halves.change(tiles);
    }
}

} // namespace wf
