// Reductions along axes: rows, whose elements one lane, some lanes of a wave, or a tile share.
//
// Idea:   as many lanes for a row as give each of them some 64 bytes: they load 16 bytes at a time where a row lies
//         without gaps, and join by shuffles, or in tile memory.
// Limit:  memory; for rows that do not begin at aligned addresses also the loads of single elements at both ends.
#include "../atomic.hpp"
#include "fold_team.hpp"
#include "run_of_elements.hpp"

namespace wf {

// Elements first to end of a row, whose element 0 stands at `at`.
struct row_part {
    uint64_t at, first, end;
};

template <class Op>
__device__ __forceinline__ void add_packed(const axes_arguments<Op> &given, typename Op::value &total,
                                           const row_part &part, unsigned lane, unsigned lanes) {
    const wf_axis_list &reduced = given.reduced;
    const uint64_t run = reduced.axis[reduced.length - 1].count;
    for (uint64_t first = part.first; first < part.end;) {
        const uint64_t along = reduced.length == 1 ? first : first - quotient_of(first, run) * run;
        const uint64_t left = reduced.length == 1 ? part.end - first : run - along;
        const uint64_t count = left < part.end - first ? left : part.end - first;
        add_run(given, total, part.at + element_offset(reduced, first), count, first, lane, lanes);
        first += count;
    }
}

template <class Op>
__device__ __forceinline__ void add_scattered(const axes_arguments<Op> &given, typename Op::value &total,
                                              const row_part &part, unsigned lane, unsigned lanes) {
    using element = typename Op::element;
    const auto load = [&](uint64_t i) -> element { return given.source[part.at + element_offset(given.reduced, i)]; };
    uint64_t i = part.first + lane;
    for (; i + (axes_in_flight - 1) * lanes < part.end; i += axes_in_flight * lanes) {
        element loaded[axes_in_flight];
#pragma unroll
        for (unsigned k = 0; k < axes_in_flight; k++)
            loaded[k] = load(i + k * lanes);
        given.op.add(total, loaded, i, lanes);
    }
    for (; i < part.end; i += lanes) {
        const element one[] = {load(i)};
        given.op.add(total, one, i, 1);
    }
}

// lanes: a power of two up to the wave's width, or the tile's size.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_rows(axes_arguments<Op> given) {
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    const unsigned lanes = 1u << given.lane_bits, lane = tidx.local % lanes;
    const uint64_t team = team_of(tidx, given);
    const uint64_t row = given.parts == 1 ? team : quotient_of(team, given.parts);
    const bool exists = row < given.rows;
    const axis_place place = exists ? place_of(given.kept, row) : axis_place{0, 0};
    const uint64_t first = (team - row * given.parts) * given.part_length, rest = given.length - first;
    const uint64_t end = !exists ? first : rest < given.part_length ? given.length : first + given.part_length;
    const row_part part = {given.origin + uint64_t(place.element), first, end};
    const row_target to = {exists, given.result_origin + uint64_t(place.result), given.length, team};

    wait_for_earlier_kernels();
    auto total = Op::identity();
    if (!is_seldom<Op> && given.is_packed != 0)
        add_packed(given, total, part, lane, lanes);
    else
        add_scattered(given, total, part, lane, lanes);
    total = fold_team<Width>(tidx, tile_data, total, lanes, given.op);

    if (lanes > Width && wave_of<Width>(tidx) != 0)
        return;
    const bool leads = exists && lane == 0;
    if constexpr (may_be_lost<Op>) {
        const bool is_lost = team_is_lost<Width, Op>(tidx, to, total, lanes);
        if (ballot<Width>(tidx, is_lost) != 0) {
            const unsigned step = lanes < Width ? lanes : Width;
            const auto each = [&](const auto &visit) {
                if (is_lost)
                    for (uint64_t i = part.first + lane; i < part.end; i += step)
                        visit(typename Op::element(given.source[part.at + element_offset(given.reduced, i)]));
            };
            store_by_digits<Width>(tidx, given, lanes, terms_of(given.op, each), to, leads && is_lost);
            if (is_lost)
                return;
        }
    }
    if (leads)
        store_value(given, to, total);
}

} // namespace wf
