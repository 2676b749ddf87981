// finish_exact_sum(): what becomes of a sum, by one wave of the launch.
#ifndef WAVEFOLD_REDUCE_EXACT_FINISH_HPP
#define WAVEFOLD_REDUCE_EXACT_FINISH_HPP

#include "../atomic.hpp"
#include "../wave.hpp"
#include "exact_words.hpp"
#include "wavefold_sum.h"

#include "message/message_part.h"

#include <cstddef>

namespace wf {

// What becomes of the sum.
struct exact_request {
    uint8_t digits, exponent_bits; // of the type into which it is rounded
    uint8_t averages, result;      // wf_exact_result
    uint8_t is_first, is_last;     // of the launches that the sum takes
    uint8_t ignores_nan;           // NaN are no elements
    uint8_t is_usual;              // one launch takes it all, and the sum is rounded, to which type: usual_is_own
    uint64_t count;                // of elements in all launches
    int64_t *words;   // WF_SUM_WORDS: of the sum, then nans, positive_infinities, negative_infinities and others
    uint32_t request; // for the check of a message
    uint32_t lets_next_start; // many tiles do
};

__device__ __forceinline__ void store_sum(void *result, wf_float_format format, uint64_t bits) {
    const int bytes = (format.digits + format.exponent_bits) / 8;
    if (bytes == 8)
        array_view<uint64_t>(static_cast<uint64_t *>(result), 1)[0] = bits;
    else if (bytes == 4)
        array_view<uint32_t>(static_cast<uint32_t *>(result), 1)[0] = uint32_t(bits);
    else
        array_view<uint16_t>(static_cast<uint16_t *>(result), 1)[0] = uint16_t(bits);
}

// The type to which sums usually are rounded is the elements', where the compiler makes less of that, or any.
template <class Element>
constexpr bool usual_is_own = sizeof(Element) > 2;

template <class Element>
__device__ __forceinline__ wf_float_format usual_format(const exact_request &want) {
    using layout = float_layout<Element>;
    const wf_float_format own = {layout::digits, layout::exponent_bits}, asked = {want.digits, want.exponent_bits};
    return usual_is_own<Element> ? own : asked;
}

// The usual sum: a normal number, with digits enough for the hardware to round it, to nearest even. By as few
// instructions as can be, as a small sum waits for each of them. false: it is another. Proof: docs/exact.md, "The end".
__device__ __forceinline__ bool round_to_f32(const wide &total, int base, uint64_t &bits) {
    // 64 bits with the highest ones: the lowest, those from 2^32, or from 2^64 on. The rest counts as one bit more.
    const bool is_low = total.high == uint64_t(int64_t(total.low) >> 63);
    const bool is_middle = (total.high + (uint64_t(1) << 31)) >> 32 == 0;
    const uint64_t middle = total.high << 32 | total.low >> 32;
    const uint64_t rest = is_low ? 0 : is_middle ? total.low << 32 : total.low;
    const uint64_t whole = is_low ? total.low : is_middle ? middle : total.high;
    const auto rounded = bits_as<uint32_t>(float(int64_t(whole | (rest != 0 ? 1 : 0))));
    const int up = (is_low ? 0 : is_middle ? 32 : 64) + WF_SUM_UNIT + base, exponent = int(rounded >> 23 & 0xff);
    bits = rounded + (uint32_t(up) << 23);
    return rounded != 0 && exponent + up > 0 && exponent + up < 255;
}
__device__ __forceinline__ bool round_to_f64(const wide &total, int base, uint64_t &bits) {
    const uint64_t lower = total.low >> 11 | ((total.low & 0x7ff) != 0 ? 1 : 0);
    const auto upper = double(int64_t(total.high)); // exact, or it is too large
    const auto rounded = bits_as<uint64_t>(std::fma(upper, 0x1p53, double(int64_t(lower))));
    constexpr int bias = 1023;
    const int exponent = int(rounded >> 52 & 0x7ff);
    bits = rounded + (uint64_t(11 + WF_SUM_UNIT + base) << 52);
    return exponent >= bias + 56 && exponent < bias + 105; // windows end below 2^942: no other number is too large
}
// The same to any type.
__device__ __forceinline__ bool round_to_any(const wide &total, int base, wf_float_format to, uint64_t &bits) {
    const wide magnitude = magnitude_of(total);
    // Of four words of 32 bits the three highest ones that are not 0, in a row, with the top bit first.
    const bool has_fourth = magnitude.high >> 32 != 0, has_third = magnitude.high != 0;
    const uint64_t shorter = has_third ? magnitude.high << 32 | magnitude.low >> 32 : magnitude.low;
    const uint64_t high = has_fourth ? magnitude.high : shorter;
    const uint64_t low = has_fourth ? magnitude.low : has_third ? magnitude.low << 32 : 0;
    if (high == 0)
        return false;
    const int zeros = leading_zeros(high); // 32 and more only where low is 0
    const uint64_t top = high << zeros | low >> 32 >> (32 - zeros % 32), rest = low << zeros;
    const int bias = (1 << (to.exponent_bits - 1)) - 1;
    const int exponent = (has_fourth ? 127 : has_third ? 95 : 63) - zeros + WF_SUM_UNIT + base + bias;
    if (exponent < 1 || exponent > 2 * bias)
        return false;
    const uint64_t kept = top >> (64 - to.digits), off = top << to.digits;
    const bool up = off >> 63 != 0 && ((off << 1 | rest) != 0 || (kept & 1) != 0);
    const uint64_t sign = is_negative(total) ? 1 : 0;
    // The hidden bit adds 1 to the exponent. So does a carry out of the digits; that of the largest number is infinity.
    bits = (uint64_t(exponent - 1) << (to.digits - 1)) + kept + (up ? 1 : 0) +
           (sign << (to.digits - 1 + to.exponent_bits));
    return true;
}

// The words become a state, or are added to one; what is none is left alone. By a wave.
template <unsigned Width>
__device__ __forceinline__ void put_state(const tiled_index &tidx, const exact_request &want, exact_words<Width> words,
                                          wf_sum_counts counts, void *result) {
    const bool leads = lane_of<Width>(tidx) == 0;
    auto *message = static_cast<uint64_t *>(result);
    for (int i = 0; i < WF_MESSAGE_CHECK_WORDS && want.result == WF_EXACT_MESSAGE; i++, message++)
        if (leads)
            *message = wf_message_check_word(i, want.request);
    auto *const state = reinterpret_cast<wf_sum_state *>(message);
    const array_view<int64_t> limbs(state->limb, WF_SUM_LIMBS);
    if (want.result == WF_EXACT_ADDED) {
        const wf_sum_head before = wf_head_of_state(state);
        if (wf_flaw_of_head(&before) >= 0 || before.counts.count > INT64_MAX - counts.count)
            return;
        exact_words<Width> there(tidx);
        there.take_limbs(limbs);
        if (there.any_limb([&before](unsigned i, int64_t limb) {
                return wf_is_flawed_limb(int(i), limb, before.merged, before.counts.others != 0);
            }))
            return;
        there.carry(); // it may be the sum of many
        words.add(there);
        words.carry();
        if (there.overflows() || words.overflows())
            return;
        counts.count += before.counts.count;
        counts.nans += before.counts.nans;
        counts.positive_infinities += before.counts.positive_infinities;
        counts.negative_infinities += before.counts.negative_infinities;
        counts.others |= before.counts.others;
    }
    wave_barrier(); // all lanes have read it
    words.put_limbs(limbs);
    if (!leads)
        return;
    state->version = WF_SUM_STATE_VERSION;
    state->merged = 1;
    state->count = counts.count;
    state->nans = counts.nans;
    state->positive_infinities = counts.positive_infinities;
    state->negative_infinities = counts.negative_infinities;
    state->others = counts.others != 0 ? 1 : 0;
}

// What a window holds, as a state, or as a message with one: each lane has its words alone, and none waits for a carry.
template <unsigned Width>
__device__ __forceinline__ void put_window(const tiled_index &tidx, const exact_request &want, const wide &total,
                                           int base, bool others, void *result) {
    constexpr unsigned counts = WF_MESSAGE_CHECK_WORDS, limbs = counts + WF_SUM_STATE_BYTES / 8 - WF_SUM_LIMBS;
    constexpr unsigned words = limbs + WF_SUM_LIMBS;
    const unsigned left_out = want.result == WF_EXACT_MESSAGE ? 0 : counts;
    const array_view<uint64_t> message(static_cast<uint64_t *>(result) - left_out, words);
#pragma unroll 1
    for (unsigned i = left_out + lane_of<Width>(tidx); i < words; i += Width) {
        message[i] = i < counts        ? wf_message_check_word(int(i), want.request)
                     : i == counts     ? uint64_t(WF_SUM_STATE_VERSION)
                     : i == counts + 1 ? 1
                     : i == counts + 2 ? want.count
                     : i == limbs - 1  ? (others ? 1u : 0u)
                     : i < limbs       ? 0
                                       : uint64_t(word_of(total, base, i - limbs));
    }
}

template <class Element>
__device__ __forceinline__ bool round_usual(const wide &total, int base, wf_float_format to, uint64_t &bits) {
    if constexpr (sizeof(Element) == 8)
        return round_to_f64(total, base, bits);
    else if constexpr (sizeof(Element) == 4)
        return round_to_f32(total, base, bits);
    else
        return to.digits == 24 ? round_to_f32(total, base, bits) : round_to_any(total, base, to, bits);
}

// The words of a sum that one window does not hold: what tiles and launches have added, and this window, carried. If
// launches follow, they are left to those.
template <unsigned Width>
__device__ __forceinline__ exact_words<Width> all_words(const tiled_index &tidx, const exact_request &want,
                                                        const wide &total, int base, bool others) {
    const array_view<int64_t> sum_words(want.words, WF_SUM_WORDS);
    exact_words<Width> words(tidx);
    words.take(sum_words);
    words.add(total, base);
    words.add_others(others);
    words.carry();
    if (want.is_last == 0)
        words.put(sum_words);
    return words;
}
__device__ __forceinline__ wf_magnitude magnitude_in_window(const wide &total, int base) {
    const wide magnitude = magnitude_of(total);
    return {magnitude.high, magnitude.low, WF_SUM_UNIT + base, false};
}

__device__ __forceinline__ void store_rounded(const exact_request &want, const wf_magnitude &x, bool negative,
                                              const wf_sum_counts &counts, void *result) {
    const wf_float_format format = {want.digits, want.exponent_bits};
    store_sum(result, format, wf_rounded_total(x, negative, &counts, want.averages != 0, format));
}

// Any sum that one window does not hold, or of several launches, or that is added to a state: see finish_exact_sum().
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool finish_words(const exact_request want, const wide total, int base, bool others,
                                            void *result) {
    const tiled_index tidx;
    exact_words<Width> words = all_words<Width>(tidx, want, total, base, others);
    if (want.is_last == 0)
        return false;
    const wf_sum_counts counts = words.counts(want.count);
    if (want.result == WF_EXACT_ROUNDED) {
        bool negative;
        const wf_magnitude x = words.magnitude(negative);
        if (lane_of<Width>(tidx) == 0)
            store_rounded(want, x, negative, counts, result);
    } else {
        put_state<Width>(tidx, want, words, counts, result);
    }
    return true;
}

// Any sum, by a wave, of which every lane has the total: see finish_exact_sum(). Functions of their own, as a small sum
// waits until their instructions are fetched.
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool finish_any_sum(const exact_request want, const wide total, uint32_t flags, int base,
                                              void *result) {
    const tiled_index tidx;
    const bool others = (flags & exact_others) != 0, adds = want.result == WF_EXACT_ADDED;
    if (want.is_first == 0 || want.is_last == 0 || (flags & exact_spilled) != 0 || adds)
        return finish_words<Width>(want, total, base, others, result);
    if (want.result != WF_EXACT_ROUNDED) {
        put_window<Width>(tidx, want, total, base, others, result);
    } else if (lane_of<Width>(tidx) == 0) {
        const wf_sum_counts counts = {int64_t(want.count), 0, 0, 0, others ? 1 : 0};
        store_rounded(want, magnitude_in_window(total, base), is_negative(total), counts, result);
    }
    return true;
}

// By a wave, of which every lane has the total. false: later parts follow, and want.words wait for them.
template <class Element, unsigned Width>
__device__ __forceinline__ bool finish_exact_sum(const tiled_index &tidx, const exact_request &want, const wide &total,
                                                 uint32_t flags, int base, void *result) {
    const wf_float_format to = usual_format<Element>(want);
    uint64_t bits;
    if (__builtin_expect(
            want.is_usual != 0 && (flags & exact_spilled) == 0 && round_usual<Element>(total, base, to, bits), 1)) {
        if (lane_of<Width>(tidx) == 0)
            store_sum(result, to, bits);
        return true;
    }
    return finish_any_sum<Width>(want, total, flags, base, result);
}

// Of a description, with the bits of f64: distances, from a pivot, is what they add up to.
struct described_sums {
    uint64_t count, sum, mean;
    double distances;
};

// A double so many times.
struct multiple {
    wide magnitude;
    int position; // in units of 2^WF_SUM_UNIT
    bool negative, is_exact;
};
// In units of the base, or of a double's own if that is larger. Exact if no bit of it lies below the base.
__device__ __forceinline__ multiple times(double of, uint64_t count, int base) {
    const auto bits = bits_as<uint64_t>(of);
    const int exponent = int(bits >> 52 & 0x7ff), own = exponent == 0 ? 0 : exponent - 1;
    const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1), hidden = uint64_t(exponent == 0 ? 0 : 1) << 52;
    const int down = base > own ? base - own : 0;
    const uint64_t significand = fraction | hidden, kept = down < 64 ? significand >> down : 0;
    return {product(kept, count), own + down, bits >> 63 != 0, kept << down % 64 == significand};
}

// Whether so many pivots, less a total below 2^126, fit a wide. A group that was added in f64 may have elements far
// above the window, or below it, which cancel; the pivot may be one of them.
__device__ __forceinline__ bool pivot_fits(double pivot, int base) {
    return int(bits_as<uint64_t>(pivot) >> 52 & 0x7ff) + 52 - base < window_end;
}

// The usual case: a sum as in round_to_f64, and a mean for which the quotient's next digits tell how it is rounded. In
// few instructions. share: 1 / count, about. false: it is another.
__device__ __forceinline__ bool usual_described_sums(wide total, int base, uint64_t count, double share, double pivot,
                                                     described_sums &sums) {
    // Up to where round_to_f64 rounds: a window that holds every element (of f16) lies lower than most sums.
    constexpr int up_by = 53;
    if (total.high == uint64_t(int64_t(total.low) >> 63)) {
        total = {total.low << up_by, uint64_t(int64_t(total.low) >> (64 - up_by))};
        base -= up_by;
    }
    const int unit_exponent = WF_SUM_UNIT + base;
    const double unit = bits_as<double>(uint64_t(1023 + unit_exponent) << 52);
    uint64_t bits = 0;
    const bool is_usual = unit_exponent > -1000 && round_to_f64(total, base, bits);
    // What was rounded off, up to 2^62 units: the sum is below 2^116. As it is 2^67 or more, of its bits those of the
    // fraction alone stay below 2^64.
    const int up = int(bits >> 52 & 0x7ff) - (1023 + 52) - unit_exponent; // 15 to 63, if it is usual
    const uint64_t units = bits << (up & 63);
    const double off = double(int64_t(total.low - (is_negative(total) ? -units : units))) * unit;
    const auto sum = bits_as<double>(bits);
    const double n = double(count);
    double quotient = sum * share;
    opaque(quotient); // that it is rounded before it is added to: no compiler may make one operation of both
    compute_barrier(quotient);
    const double left = std::fma(-quotient, n, sum), next = (left + off) * share;
    const double error = (std::fabs(left) + std::fabs(off)) * share * 0x1p-48;
    const double mean = quotient + (next - error);
    sums = {count, bits, bits_as<uint64_t>(mean), std::fma(-pivot, n, sum) + off};
    constexpr double least = 0x1p-900, most = 0x1p900;
    return is_usual && mean == quotient + (next + error) && std::fabs(mean) > least && std::fabs(mean) < most;
}

// What is known of a description's sums before they are rounded.
struct sums_to_round {
    wf_magnitude sum, distances;
    bool sum_is_negative, distances_are_negative;
    wf_sum_counts counts;
};
// NaN that are ignored are no elements.
__device__ __forceinline__ uint64_t count_numbers(const exact_request &want, wf_sum_counts &counts) {
    if (want.ignores_nan != 0) {
        counts.count -= counts.nans;
        counts.nans = 0;
    }
    return uint64_t(counts.count);
}
// false: a launch follows.
template <unsigned Width>
__device__ WF_OUT_OF_LINE bool describe_words(const exact_request want, const wide total, int base, bool others,
                                              double pivot, sums_to_round &sums) {
    const tiled_index tidx;
    exact_words<Width> words = all_words<Width>(tidx, want, total, base, others);
    if (want.is_last == 0)
        return false;
    sums.counts = words.counts(want.count);
    const multiple pivots = times(pivot, count_numbers(want, sums.counts), 0);
    exact_words<Width> rest = words;
    rest.add(pivots.negative ? pivots.magnitude : -pivots.magnitude, pivots.position);
    rest.carry();
    sums.distances = rest.magnitude(sums.distances_are_negative);
    sums.sum = words.magnitude(sums.sum_is_negative);
    return true;
}

// Every lane of a wave has the total; the first has the result, if no launch follows.
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
    const wf_float_format f64 = {53, 11};
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
