// scan_fixed_order: one launch; the order of additions is that of the elements' indices alone.
//
// Idea:   tiles still pass on what they come to, but each combines the same ones: the tiles of its group, the groups of
//         its span, and all spans before (tiles_before.hpp). Teams have 32 lanes, whatever a wave has. So sums of
//         floats have the same bits in every run, and on every GPU and CPU.
// Limit:  memory. What the order costs: a tile cannot take a prefix that happens to be there, and waits longer.
// Beside: look_back
// Change: a look back over at most 31 tiles and 31 groups replaces one that goes on until it finds a prefix.
// Diff:   longer, because teams stand apart from waves, a tile may belong to a row of several, and two halves of the
//         tiles' words take turns, so that nobody has to clear them before a launch.
#include "../grid.hpp"
#include "../scan/scan_arguments.hpp"
#include "../scan/tiles_before.hpp"
#include "../wave.hpp"

namespace wf {

template <class Op, unsigned Width>
__global__ void __launch_bounds__(WF_SCAN_TILE)
    scan_fixed_order(array_view<const typename Op::element> source, scan_arguments<Op> given, scan_tiles tiles) {
    using value = typename Op::value;
    using cut = scan_cut<Op>;
    const tiled_index tidx;
    const tile_static<value> cells(tidx);
    const unsigned before_cell = scan_teams, ticket_cell = (scan_teams + 1) * sizeof(value) / sizeof(unsigned);
    const unsigned number =
        unsigned(given.first_tile) * (tiles.draws == 0) +
        (tiles.draws != 0 ? wave_uniform(draw_number(tidx, tiles.ticket, tile_static<unsigned>(tidx), ticket_cell))
                          : tidx.tile);
    const bool shares = tiles.of_row > 1;
    const scan_halves halves(tiles, shares && wave_of<Width>(tidx) == 0);
    const auto row_number = quotient_of(number, tiles.of_row);
    const auto tile = unsigned(number - row_number * tiles.of_row);
    const unsigned team = tidx.local / scan_lanes, lane = tidx.local % scan_lanes;
    const scan_row row(given, row_number);
    const uint64_t first = uint64_t(tile) * cut::tile + team * cut::team + lane * cut::pack;

    value held[cut::lane_rows][cut::pack], totals[cut::lane_rows];
#pragma unroll
    for (unsigned r = 0; r < cut::lane_rows; r++)
        load_values(given, source, row, first + r * cut::lane_row, held[r]);
#pragma unroll
    for (unsigned r = 0; r < cut::lane_rows; r++) {
#pragma unroll
        for (unsigned k = 1; k < cut::pack; k++)
            held[r][k] = given.op(held[r][k - 1], held[r][k]);
        totals[r] = held[r][cut::pack - 1];
    }
    team_scan<Width>(tidx, scan_lanes, totals, given.op);
    value rows_before = Op::identity();
#pragma unroll
    for (unsigned r = 0; r < cut::lane_rows; r++) { // totals[r] becomes what is before this lane's pack in its team
        const value all = shuffle<Width>(totals[r], lane_of<Width>(tidx) | (scan_lanes - 1));
        const value lanes_before = shuffle_up<Width>(tidx, totals[r], 1);
        totals[r] = given.op(rows_before, lane == 0 ? Op::identity() : lanes_before);
        rows_before = given.op(rows_before, all);
    }
    if (lane == 0)
        cells[team] = rows_before;
    tidx.barrier.wait();

    value before = initial_value(given.op, given.initial);
    if (shares) {
        if (wave_of<Width>(tidx) == 0) {
            value own = Op::identity();
            for (unsigned t = 0; t < scan_teams; t++)
                own = given.op(own, cells[t]);
            const tile_status_array<value, Width> states(halves.mine(tiles));
            before = fold_tiles_before<Width>(tidx, states, scan_status_places(tiles.of_row, row_number), tile, own,
                                              before, given.op);
            if (tidx.local == 0)
                cells[before_cell] = before;
            if (tiles.used != 0) {
                halves.template clear_the_other<Width>(tidx, tiles, number);
                if (tidx.local == 0 && number == tiles.all - 1)
                    halves.change(tiles);
            }
        }
        tidx.barrier.wait();
        before = cells[before_cell];
    } else {
        before = given.op(given.op(before, Op::identity()), Op::identity());
    }
    value teams_before = Op::identity();
    for (unsigned t = 0; t < team; t++)
        teams_before = given.op(teams_before, cells[t]);
    before = given.op(before, teams_before);
#pragma unroll
    for (unsigned r = 0; r < cut::lane_rows; r++)
        store_results(given, row, first + r * cut::lane_row, given.op(before, totals[r]), held[r]);
}

} // namespace wf
