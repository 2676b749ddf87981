// Descriptions of rows, each by one lane, some lanes of a wave, or a tile.
//
// Idea:   one reading gives count, extremes and sums. Floats are read again, for the distances from the mean: then all
//         is exact or rounded element by element, and no result depends on how lanes share a row.
// Limit:  the instructions for each element. A row longer than all others keeps one tile busy.
#include "../atomic.hpp"
#include "describe_folds.hpp"
#include "fold_team.hpp"

namespace wf {

// Of a wf_description, 8 bytes each.
constexpr unsigned words_of_description = 8;

template <class Element>
struct describe_arguments {
    array_view<const Element> source; // from the lowest element to the highest
    uint64_t origin;                  // the element at index 0 of every axis
    described<Element> op;
    wf_axis_list kept, reduced;
    uint64_t rows, length, first_tile;
    uint32_t lane_bits;         // 2^lane_bits lanes share a row
    array_view<uint64_t> words; // of wf_description, from the lowest result to the highest
    uint64_t result_origin;     // in results
    uint64_t min_of_none, max_of_none;
};

// The elements of a row that a lane has.
template <class Element>
struct lane_of_row {
    const describe_arguments<Element> &given;
    uint64_t at, length; // 0: there is no such row
    unsigned lane, lanes;

    __device__ __forceinline__ Element load(uint64_t i) const {
        return given.source[at + element_offset(given.reduced, i)];
    }
    template <class Visit>
    __device__ __forceinline__ void each(const Visit &visit) const {
        uint64_t i = lane;
        for (; i + (axes_in_flight - 1) * lanes < length; i += axes_in_flight * lanes) {
            Element loaded[axes_in_flight];
#pragma unroll
            for (unsigned k = 0; k < axes_in_flight; k++)
                loaded[k] = load(i + k * lanes);
#pragma unroll
            for (unsigned k = 0; k < axes_in_flight; k++)
                visit(loaded[k], i + k * lanes);
        }
        for (; i < length; i += lanes)
            visit(load(i), i);
    }
};

// Behind an earlier fold of the tile.
template <unsigned Width, class Op>
__device__ __forceinline__ typename Op::value fold_row(const tiled_index &tidx, const typename Op::value &mine,
                                                       unsigned lanes, const Op &op) {
    const tile_static<typename Op::value> tile_data(tidx);
    if (lanes > Width)
        tidx.barrier.wait();
    return fold_team<Width>(tidx, tile_data, mine, lanes, op);
}

// What the first lane of a row has.
template <unsigned Width, class T>
__device__ __forceinline__ T broadcast_in_row(const tiled_index &tidx, const T &mine, unsigned lanes) {
    if (lanes <= Width)
        return shuffle<Width>(mine, lane_of<Width>(tidx) & ~(lanes - 1));
    const tile_static<T> tile_data(tidx);
    tidx.barrier.wait();
    if (tidx.local == 0)
        tile_data[0] = mine;
    tidx.barrier.wait();
    return tile_data[0];
}

// The numbers of a description but for extremes; sum and mean as bits.
struct row_numbers {
    uint64_t count, sum, mean;
    double variance;
};

template <class Element, class Extremes>
__device__ __forceinline__ void store_description(const describe_arguments<Element> &given, uint64_t at,
                                                  const Extremes &extremes, const row_numbers &numbers) {
    using rank = typename Extremes::rank;
    const auto &[low, high] = given.op.extremes;
    const bool is_none = numbers.count == 0;
    const array_view<uint64_t> words = given.words.section(at * words_of_description, words_of_description);
    words[0] = numbers.count;
    words[1] = numbers.sum;
    words[2] = is_none ? given.min_of_none : given.op.number(low.rule.back(rank(extremes.least.best)));
    words[3] = is_none ? given.max_of_none : given.op.number(high.rule.back(rank(extremes.most.best)));
    words[4] = extremes.least.index;
    words[5] = extremes.most.index;
    words[6] = is_none ? bits_as<uint64_t>(not_a_number()) : numbers.mean;
    words[7] = bits_as<uint64_t>(is_none ? not_a_number() : numbers.variance);
}

// Of integers.
template <unsigned Width, class Element, class Extremes>
__device__ __forceinline__ row_numbers numbers_of(const tiled_index &, const lane_of_row<Element> &row,
                                                  const Extremes &, const all_moments &all) {
    const double count = double(row.length), share = 1 / count;
    const wide sum = all.sum_without(row.given.op.bias, row.length);
    return {row.length, sum.low, bits_as<uint64_t>(quotient(double_of(sum), count, share)),
            all.variance(row.length, share)};
}

// Sum and mean of floats, by all lanes of a wave; right in the first lane of a row.
template <unsigned Width, class Element>
__device__ __forceinline__ row_numbers rounded_sums(const tiled_index &tidx, const lane_of_row<Element> &row,
                                                    const sum_of_numbers::value &all) {
    using format = float_format<double>;
    const wf_float_format f64 = {format::digits, format::exponent_bits};
    const uint64_t count = row.length - all.ignored;
    const unsigned step = row.lanes < Width ? row.lanes : Width, first = lane_of<Width>(tidx) & ~(step - 1);
    const bool is_lost = shuffle<Width>(pair_is_lost(all.sum) ? 1u : 0u, first) != 0;
    if (ballot<Width>(tidx, is_lost) != 0) {
        const auto each = [&](const auto &visit) {
            if (is_lost)
                for (uint64_t i = row.lane; i < row.length; i += step)
                    visit(row.given.op.term(row.load(i)));
        };
        const term_as_is as_is;
        digit_window window;
        uint32_t flags;
        const bool is_negative = sum_by_digits<Width>(tidx, row.lanes, terms_of(as_is, each), flags,
                                                      [&](int, uint32_t digit) { window.take(digit); });
        if (is_lost) {
            digit_window again = window;
            return {count, round_digits(flags, window, is_negative, count, false, f64),
                    round_digits(flags, again, is_negative, count, true, f64), 0};
        }
    }
    return {count, wf_round_pair(&all.sum, count, false, f64), wf_round_pair(&all.sum, count, true, f64), 0};
}

// Of floats, which are read again.
template <unsigned Width, class Element, class Extremes>
__device__ __forceinline__ row_numbers numbers_of(const tiled_index &tidx, const lane_of_row<Element> &row,
                                                  const Extremes &extremes, const sum_of_numbers::value &all) {
    const auto &op = row.given.op;
    row_numbers numbers = {0, 0, 0, 0};
    if (row.lanes <= Width || wave_of<Width>(tidx) == 0)
        numbers = rounded_sums<Width>(tidx, row, all);
    const auto number = [](uint64_t bits) { return bits_as<double>(bits); };
    const auto &[low, high] = op.extremes;
    const auto scale = broadcast_in_row<Width>(
        tidx,
        wf_deviation_scale_of(number(op.number(low.rule.back(typename Extremes::rank(extremes.least.best)))),
                              number(op.number(high.rule.back(typename Extremes::rank(extremes.most.best)))),
                              number(numbers.mean)),
        row.lanes);
    const double power = wf_power_of_two(-scale.exponent);
    auto deviations = joined_deviations::identity();
    if (scale.is_needed != 0)
        row.each([&](Element x, uint64_t) {
            const double distant = op.wide_of(x);
            if (distant == distant) // NaN are ignored: else none is needed
                wf_add_deviation(&deviations, distant, scale.pivot, power);
        });
    deviations = fold_row<Width>(tidx, deviations, row.lanes, joined_deviations());
    numbers.variance =
        scale.is_needed != 0 ? wf_variance_of_deviations(&deviations, scale.exponent, numbers.count) : scale.variance;
    return numbers;
}

// lanes: a power of two up to the wave's width, or the tile's size.
template <class Element, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_describe_rows(describe_arguments<Element> given) {
    using bits = typename described<Element>::bits;
    const tiled_index tidx;
    const unsigned lanes = 1u << given.lane_bits, lane = tidx.local % lanes;
    const uint64_t teams = given.first_tile + tidx.tile;
    const uint64_t row = (teams << (axes_tile_bits - given.lane_bits)) + (tidx.local >> given.lane_bits);
    const bool exists = row < given.rows;
    const axis_place place = exists ? place_of(given.kept, row) : axis_place{0, 0};
    const lane_of_row<Element> mine = {given, given.origin + uint64_t(place.element), exists ? given.length : 0, lane,
                                       lanes};

    wait_for_earlier_kernels();
    auto extremes = first_extremes<bits>::identity();
    typename described<Element>::sums sums(given.op);
    mine.each([&](Element x, uint64_t i) {
        given.op.extremes.add(extremes, bits_as<bits>(x), i);
        sums.add(x);
    });
    extremes = fold_row<Width>(tidx, extremes, lanes, given.op.extremes);
    const auto all = fold_row<Width>(tidx, sums.value(), lanes, typename described<Element>::sums_of());
    const row_numbers numbers = numbers_of<Width>(tidx, mine, extremes, all);
    if (exists && lane == 0)
        store_description(given, given.result_origin + uint64_t(place.result), extremes, numbers);
}

} // namespace wf
