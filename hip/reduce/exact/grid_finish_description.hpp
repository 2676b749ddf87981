// Rounds the sums of a description of floats, by one wave of the launch: quick_described_sums() for most, and
// finish_described_sums() for all.
#ifndef WAVEFOLD_REDUCE_EXACT_GRID_FINISH_DESCRIPTION_HPP
#define WAVEFOLD_REDUCE_EXACT_GRID_FINISH_DESCRIPTION_HPP

#include "grid_finish_sum.hpp"

namespace wf {

// The sums of a description: sum and mean as bits of f64; distances is the sum of all distances from the pivot.
struct described_sums {
    uint64_t count, sum, mean;
    double distances;
};

// A double times a count: magnitude 2^(WF_SUM_UNIT + position).
struct multiple {
    wide magnitude;
    int position;
    bool negative, is_exact;
};
// The position is the base, or the double's own if that is larger. Exact if no bit of the double lies below the base.
__device__ __forceinline__ multiple times(double of, uint64_t count, int base) {
    const auto bits = bits_as<uint64_t>(of);
    const auto exponent = int(float_format<double>::exponent_of(bits)), own = exponent == 0 ? 0 : exponent - 1;
    const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1), hidden = uint64_t(exponent == 0 ? 0 : 1) << 52;
    const int down = base > own ? base - own : 0;
    const uint64_t significand = fraction | hidden, kept = down < 64 ? significand >> down : 0;
    return {product(kept, count), own + down, bits >> 63 != 0, kept << down % 64 == significand};
}

// True if the pivot times the count, less a total below 2^126, fits a wide. The pivot may lie far above the window:
// elements of a group that is added in f64 may cancel.
__device__ __forceinline__ bool pivot_fits(double pivot, int base) {
    return int(float_format<double>::exponent_of(bits_as<uint64_t>(pivot))) + 52 - base < window_end;
}

// Fast path: a sum as in round_to_f64, and a mean whose rounding the quotient's next digits decide. share: about
// 1 / count. Returns false if the slow path must round.
__device__ __forceinline__ bool quick_described_sums(wide total, int base, uint64_t count, double share, double pivot,
                                                     described_sums &sums) {
    // Shifted up to where round_to_f64 rounds: a window that holds every f16 lies lower than most sums.
    constexpr int up_by = 53;
    if (total.high == uint64_t(int64_t(total.low) >> 63)) {
        total = {total.low << up_by, uint64_t(int64_t(total.low) >> (64 - up_by))};
        base -= up_by;
    }
    using f64 = float_format<double>;
    const int unit_exponent = WF_SUM_UNIT + base;
    const double unit = bits_as<double>(uint64_t(f64::bias + unit_exponent) << 52);
    uint64_t bits = 0;
    const bool is_usual = unit_exponent > -1000 && round_to_f64(total, base, bits);
    // off: what was rounded off, up to 2^62 units, as the sum is below 2^116. The sum is 2^67 or more: modulo 2^64,
    // only bits of the fraction are left of it.
    const int up = int(f64::exponent_of(bits)) - (f64::bias + 52) - unit_exponent; // 15 to 63 if is_usual
    const uint64_t units = bits << (up & 63);
    const double off = double(int64_t(total.low - (is_negative(total) ? -units : units))) * unit;
    const auto sum = bits_as<double>(bits);
    const double n = double(count);
    double quotient = sum * share;
    opaque(quotient); // rounded before the addition: compilers must not fuse the two
    compute_barrier(quotient);
    const double left = std::fma(-quotient, n, sum), next = (left + off) * share;
    const double error = (std::fabs(left) + std::fabs(off)) * share * 0x1p-48;
    const double mean = quotient + (next - error);
    sums = {count, bits, bits_as<uint64_t>(mean), std::fma(-pivot, n, sum) + off};
    constexpr double least = 0x1p-900, most = 0x1p900;
    return is_usual && mean == quotient + (next + error) && std::fabs(mean) > least && std::fabs(mean) < most;
}

// A description's sums before they are rounded.
struct sums_to_round {
    wf_magnitude sum, distances;
    bool sum_is_negative, distances_are_negative;
    wf_sum_counts counts;
};
// The elements that count: ignored NaN do not.
__device__ __forceinline__ uint64_t count_numbers(const exact_request &want, wf_sum_counts &counts) {
    if (want.ignores_nan != 0) {
        counts.count -= counts.nans;
        counts.nans = 0;
    }
    return uint64_t(counts.count);
}
// Sums that one window does not hold. Returns false if launches follow.
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool describe_words(const exact_request want, const wide total, int base, bool others,
                                              double pivot, sums_to_round &sums) {
    const tiled_index tidx;
    grid_words<Width> words = all_words<Width>(tidx, want, total, base, others);
    if (want.is_last == 0)
        return false;
    sums.counts = words.counts(want.count);
    const multiple pivots = times(pivot, count_numbers(want, sums.counts), 0);
    grid_words<Width> rest = words;
    rest.add(pivots.negative ? pivots.magnitude : -pivots.magnitude, pivots.position);
    rest.carry();
    sums.distances = rest.magnitude(sums.distances_are_negative);
    sums.sum = words.magnitude(sums.sum_is_negative);
    return true;
}

// Called by a wave, with the total in every lane. Lane 0 has the result, if no launch follows.
template <unsigned Width>
__device__ WF_OUT_OF_LINE described_sums finish_described_sums(const exact_request want, const wide total,
                                                               uint32_t flags, int base, double pivot) {
    const tiled_index tidx;
    const bool others = (flags & exact_others) != 0;
    const multiple pivots = times(pivot, want.count, base);
    const bool is_in_window = want.is_first != 0 && want.is_last != 0 && (flags & exact_spilled) == 0 &&
                              magnitude_of(total).high >> 62 == 0 && pivot_fits(pivot, base) && pivots.is_exact;
    sums_to_round all;
    if (is_in_window) {
        all.counts = {int64_t(want.count), 0, 0, 0, others ? 1 : 0};
        const wide there = shifted(pivots.magnitude, pivots.position - base);
        const wide rest = total + (pivots.negative ? there : -there);
        all.sum = magnitude_in_window(total, base);
        all.sum_is_negative = is_negative(total);
        all.distances = magnitude_in_window(rest, base);
        all.distances_are_negative = is_negative(rest);
    } else if (!describe_words<Width>(want, total, base, others, pivot, all)) {
        return {};
    }
    if (lane_of<Width>(tidx) != 0)
        return {};
    described_sums sums = {uint64_t(all.counts.count), 0, 0, 0};
    using format = float_format<double>;
    const wf_float_format f64 = {format::digits, format::exponent_bits};
    const wf_sum_counts finite = {all.counts.count, 0, 0, 0, 1};
#pragma unroll 1
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t bits = k < 2 ? wf_rounded_total(all.sum, all.sum_is_negative, &all.counts, k == 1, f64)
                                    : wf_rounded_total(all.distances, all.distances_are_negative, &finite, false, f64);
        sums.sum = k == 0 ? bits : sums.sum;
        sums.mean = k == 1 ? bits : sums.mean;
        sums.distances = k == 2 ? bits_as<double>(bits) : sums.distances;
    }
    return sums;
}

} // namespace wf
#endif
