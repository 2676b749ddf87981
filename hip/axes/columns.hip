// Reductions along axes: columns, whose neighbours lie side by side.
//
// Idea:   a lane takes 16 bytes of neighbouring columns, four rows at once. Several lanes share the rows of the same
//         columns, and join what they have by shuffles, and in tile memory.
// Limit:  memory; arrays whose rows do not begin at aligned addresses: loads of single elements.
#include "../atomic.hpp"
#include "first_extremes.hpp"

namespace wf {

// Rows first, first + step, ... of those before end; load(i): the elements of row i in this lane's columns.
template <class Totals, class Load>
__device__ __forceinline__ void add_rows(Totals &totals, uint64_t first, uint64_t end, unsigned step,
                                         const Load &load) {
    using pack = decltype(load(first));
    uint64_t i = first;
    unsigned group = 0;
    for (; i + (axes_in_flight - 1) * step < end; i += axes_in_flight * step) {
        pack loaded[axes_in_flight];
#pragma unroll
        for (unsigned k = 0; k < axes_in_flight; k++)
            loaded[k] = load(i + k * step);
        totals.add(loaded, group);
        group++;
    }
    for (; i < end; i += step) {
        const pack loaded[] = {load(i)};
        totals.add(loaded, group);
    }
}

// What the lanes of a tile have of one column: a lane for every `across` columns. Those of the first row get it.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value join_column(const tiled_index &tidx,
                                                          const tile_static<typename Op::value> &tile_data,
                                                          typename Op::value total, unsigned across, const Op &op) {
    for (unsigned mask = across; mask < Width; mask *= 2)
        total = op(total, shuffle_xor<Width>(tidx, total, mask));
    if (across == tidx.tile_size)
        return total;
    const unsigned lane = lane_of<Width>(tidx), waves = tidx.tile_size / Width;
    const unsigned apart = across < Width ? across : Width; // columns of a wave
    tidx.barrier.wait();
    if (lane < apart)
        tile_data[wave_of<Width>(tidx) * apart + lane] = total;
    tidx.barrier.wait();
    if (tidx.local >= across)
        return total;
    const unsigned step = across / apart; // waves side by side
    total = Op::identity();
    for (unsigned wave = wave_of<Width>(tidx); wave < waves; wave += step)
        total = op(total, typename Op::value(tile_data[wave * apart + lane % apart]));
    return total;
}

// The index in an array of interleaved columns; most values have none.
template <class Value>
__device__ __forceinline__ auto spread_index(Value &value, uint64_t times, unsigned more)
    -> decltype(void(value.index)) {
    value.index = value.index == ~uint64_t(0) ? value.index : value.index * times + more;
}
template <class... Any>
__device__ __forceinline__ void spread_index(const Any &...) {}

// One element as a pack of them.
template <class Element>
struct single_element {
    Element element;
    __device__ __forceinline__ Element operator[](unsigned) const { return element; }
};

// A tile takes 2^lane_bits rows at once, and as many columns as it has lanes for: lane l has column l modulo those.
//
// A few narrow columns without gaps are reduced as given.interleaved times as many, which fill a pack: row r of those
// has rows r * interleaved and on of the array. They are stored as that many parts of each column.
template <class Op, unsigned Width, unsigned Columns>
__device__ __forceinline__ void reduce_columns(const axes_arguments<Op> &given) {
    using element = typename Op::element;
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    const unsigned across_bits = axes_tile_bits - given.lane_bits, across = 1u << across_bits;
    const unsigned lanes = 1u << given.lane_bits, column = tidx.local % across, y = tidx.local >> across_bits;
    const uint64_t tile = given.first_tile + tidx.tile;
    const uint64_t block = given.parts == 1 ? tile : quotient_of(tile, given.parts);
    const uint64_t part = tile - block * given.parts, row = (block * across + column) * Columns;
    const bool exists = row < given.rows;
    const axis_place place = exists ? place_of(given.kept, row) : axis_place{0, 0};
    const uint64_t at = given.origin + uint64_t(place.element);
    const uint64_t first = part * given.part_length, rest = given.length - first;
    const uint64_t end = !exists ? first : rest < given.part_length ? given.length : first + given.part_length;

    wait_for_earlier_kernels();
    column_totals<Op, Columns> mine(given.op);
    const uint64_t interleaved = given.interleaved;
    const auto columns = unsigned(Columns / interleaved); // of the array, where they are interleaved
    add_rows(mine, first + y, end, lanes, [&](uint64_t i) {
        const uint64_t from = at + element_offset(given.reduced, i);
        if constexpr (Columns > 1)
            return element_pack<element>{given.source.load_line(from, 0)};
        else
            return single_element<element>{given.source[from]};
    });

    const int64_t result_stride = given.kept.length != 0 ? given.kept.axis[given.kept.length - 1].result_stride : 0;
    const auto target_of = [&](unsigned c) -> row_target {
        return {exists, given.result_origin + uint64_t(place.result + int64_t(c) * result_stride), given.length,
                interleaved == 1 ? (row + c) * given.parts + part
                                 : c % columns * given.values + part * interleaved + c / columns};
    };
    uint32_t lost = 0; // a bit for each column
#pragma unroll 1
    for (unsigned c = 0; c < Columns; c++) {
        const auto look = [&](unsigned group, auto &found) {
            const uint64_t from = first + y + uint64_t(group) * axes_in_flight * lanes;
            element x[axes_in_flight] = {}; // all on the way at once
#pragma unroll
            for (unsigned k = 0; k < axes_in_flight; k++)
                if (from + k * lanes < end)
                    x[k] = given.source[at + c + element_offset(given.reduced, from + k * lanes)];
#pragma unroll
            for (unsigned k = 0; k < axes_in_flight; k++)
                if (from + k * lanes < end) {
                    const element one[] = {x[k]};
                    given.op.add(found, one, from + k * lanes, 1);
                }
        };
        auto total = join_column<Width>(tidx, tile_data, mine.next(look), across, given.op);
        if (!exists || y != 0)
            continue;
        if (interleaved != 1)
            spread_index(total, interleaved, c / columns);
        bool is_lost = false;
        if constexpr (may_be_lost<Op>)
            is_lost = Op::is_lost(total);
        if (is_lost)
            lost |= 1u << c;
        else
            store_value(given, target_of(c), total);
    }
    if constexpr (may_be_lost<Op>) {
        for (unsigned c = 0; c < Columns; c++) {
            const bool is_lost = (lost >> c & 1) != 0;
            if (ballot<Width>(tidx, is_lost) == 0)
                continue;
            const auto each = [&](const auto &visit) {
                if (is_lost)
                    for (uint64_t i = first; i < end; i++)
                        visit(element(given.source[at + c + element_offset(given.reduced, i)]));
            };
            store_by_digits<Width>(tidx, given, 1, terms_of(given.op, each), target_of(c), is_lost);
        }
    }
}

template <class Op, unsigned Width>
__global__ void WF_BOUNDS(axes_tile, 3 * axes_tile) axes_columns(axes_arguments<Op> given) {
    if constexpr (!is_seldom<Op>)
        if (given.is_packed != 0)
            return reduce_columns<Op, Width, element_pack<typename Op::element>::size>(given);
    reduce_columns<Op, Width, 1>(given);
}

} // namespace wf
