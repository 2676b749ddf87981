// Sums of blocks in the processor's floats, where these are exact: they must round to nearest and keep subnormals.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_WINDOWS_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_WINDOWS_HPP

#include "../default_float_environment.hpp"
#include "exact_floats.hpp"

#include "exact/sum_state.h"

namespace wf::host::native {
namespace {

constexpr int double_digits = 53;

// Of each word the f16 that its upper half is: its bits are those of a float 2^112 times smaller, but of what is not
// finite, which would come to 2^16 or more.
template <class Words>
inline auto upper_halves(Words words) {
    using floats = lanes<float, sizeof(Words) / sizeof(float)>;
    const floats magnitude = bits_as<floats>((words & 0x7fff0000u) >> 3) * 0x1p112f;
    const Words special = bits_as<Words>(magnitude >= 0x1p16f) & 0x7f800000u;
    return bits_as<floats>(bits_as<Words>(magnitude) | (words & 0x80000000u) | special);
}

// The terms of two vectors' worth of finite elements, in some order.
template <class T, wf_term Term, class Visit>
inline __attribute__((always_inline)) void visit_terms(const char *in, const Visit &visit) {
    constexpr size_t width = lane_count<double>;
    using halves = lanes<float, width>;
    // What is looked at before it is added leaves memory idle meanwhile: the next block can come.
    if constexpr (sizeof(T) < 8)
        __builtin_prefetch(in + block_length * sizeof(T));
    const auto visit_floats = [&](halves x) __attribute__((always_inline)) {
        visit(term_of<Term, double>(lift<double, float, width>(reinterpret_cast<const char *>(&x))));
    };
    if constexpr (std::is_same_v<T, bf16>) { // those of a word at once
        const auto pairs = load<lanes<uint32_t, width>>(in);
        visit_floats(bits_as<halves>(pairs << 16));
        visit_floats(bits_as<halves>(pairs & 0xffff0000u));
#ifndef __F16C__
    } else if constexpr (std::is_same_v<T, f16>) {
        const auto pairs = load<lanes<uint32_t, width>>(in);
        visit_floats(upper_halves(pairs << 16));
        visit_floats(upper_halves(pairs));
#endif
    } else {
        for (size_t half = 0; half < 2; half++, in += width * sizeof(T))
            visit(term_of<Term, double>(lift<double, T, width>(in)));
    }
}

// Terms that are whole numbers of 2^lowest, and below 2^above, add up in f64 without rounding if this holds.
constexpr bool adds_in_f64(int lowest, int above) {
    return above + int(block_bits) - lowest <= double_digits;
}

template <class T, wf_term Term, size_t... I>
inline double sum_in_f64(const char *block, size_t length, std::index_sequence<I...>) {
    constexpr size_t width = lane_count<double>;
    using vector = lanes<double, width>;
    static_assert(block_step % (2 * sizeof...(I) * width) == 0, "a step is whole vectors");
    vector sums[sizeof...(I)] = {(static_cast<void>(I), vector{})...};
    for (size_t i = 0; i < length; i += 2 * sizeof...(I) * width)
        (visit_terms<T, Term>(
             block + (i + 2 * I * width) * sizeof(T), [&](vector terms)
                                                          __attribute__((always_inline)) { sums[I] += terms; }),
         ...);
    for (size_t i = 1; i < sizeof...(I); i++)
        sums[0] += sums[i];
    return fold_lanes<double, width>(sums[0], add());
}

// A finite one; subnormals end where the least normal numbers do.
inline void add_double(int64_t *words, double sum) {
    const auto bits = bits_as<uint64_t>(sum);
    const uint64_t hidden = uint64_t(1) << (double_digits - 1), fraction = bits & (hidden - 1);
    const int exponent = int(bits >> (double_digits - 1) & 2047);
    wf_add_significand(words, exponent == 0 ? fraction : fraction | hidden, exponent == 0 ? 0 : exponent - 1,
                       bits >> 63 != 0);
}

// Two windows of bits, one below the other, through which terms are added in integers. To add 1.5 2^(52 + unit) to a
// term rounds it to a whole number of 2^unit, which the low bits of the sum then are: the window of that unit takes
// terms of up to 2^(unit + window_bits - 1), and leaves a rest of up to half of its unit, all of which the next takes.
// (Demmel and Nguyen 2013, "Fast reproducible floating-point summation", cut terms so, in floats.)
constexpr int window_bits = 52;
// So much of a sum is in a window at most: bits of a term, of the number of terms; and the sign.
static_assert(window_bits - 1 + block_bits < 63, "a block's sum must fit in 64 bits");

// 1.5 2^(52 + unit), for units of which this is a normal number, and also 2^(53 + unit), to which a term may round it.
constexpr int least_unit = -1074, most_unit = 1023 - 53;
inline double window_at(int unit) {
    return bits_as<double>(uint64_t(1023 + 52 + unit) << 52 | uint64_t(1) << 51);
}

// The upper window of terms below 2^above.
constexpr int upper_unit(int above) {
    const int unit = above - (window_bits - 1), least = least_unit + window_bits;
    return unit < least ? least : unit;
}

// What lower bits than the windows have is:
enum class rest {
    none,  // not there
    found, // looked for
    kept   // left for the next windows
};

struct windows {
    static constexpr size_t width = lane_count<double>;
    using vector = lanes<double, width>;
    using words = lanes<uint64_t, width>;

    double upper, lower;
    words upper_sums = {}, lower_sums = {}; // of the bits of what the terms are added to
    words strange = {};                     // not 0 in the sign or the exponent: some term was too large
    words lost = {};                        // not 0 but in the sign: some term had lower bits than the windows

    template <rest Rest>
    inline __attribute__((always_inline)) void take(vector term, char *rests) {
        const vector in_upper = term + upper;
        const vector below = term - (in_upper - upper);
        const vector in_lower = below + lower;
        upper_sums += bits_as<words>(in_upper);
        lower_sums += bits_as<words>(in_lower);
        if constexpr (Rest == rest::none)
            return;
        const vector left = below - (in_lower - lower);
        if constexpr (Rest == rest::found) {
            strange |= bits_as<words>(in_upper) ^ bits_as<uint64_t>(upper);
            lost |= bits_as<words>(left);
        } else {
            __builtin_memcpy(rests, &left, sizeof left);
        }
    }
};

inline uint64_t or_lanes(windows::words all) {
    return fold_lanes<uint64_t, windows::width>(all, bit_or());
}

struct window_sums {
    int64_t upper, lower; // in units of their windows
};

// Sums a block through the windows of which the upper has this unit: true; or, if it looks for what they do not hold,
// finds some. rests: block_length doubles, if they are kept.
template <rest Rest, class T, wf_term Term>
bool sum_through(int unit, const char *block, size_t length, char *rests, window_sums *to) {
    constexpr size_t width = windows::width;
    windows through{window_at(unit), window_at(unit - window_bits)};
    for (size_t i = 0; i < length; i += 2 * width)
        visit_terms<T, Term>(
            block + i * sizeof(T), [&](windows::vector terms) __attribute__((always_inline)) {
                through.take<Rest>(terms, rests);
                if constexpr (Rest == rest::kept)
                    rests += sizeof terms;
            });
    if (or_lanes(through.strange) >> 52 != 0 || or_lanes(through.lost) << 1 != 0)
        return false;
    const auto sum_of = [length](windows::words sums, double window) {
        return int64_t(fold_lanes<uint64_t, width>(sums, add()) - length * bits_as<uint64_t>(window));
    };
    *to = {sum_of(through.upper_sums, through.upper), sum_of(through.lower_sums, through.lower)};
    return true;
}

// Adds the sum, or nothing if it does not hold the block.
template <rest Rest, class T, wf_term Term>
bool add_through(int unit, const char *block, size_t length, int64_t *words, char *rests) {
    window_sums sums;
    if (!sum_through<Rest, T, Term>(unit, block, length, rests, &sums))
        return false;
    add_scaled(words, sums.upper, unit);
    add_scaled(words, sums.lower, unit - window_bits);
    return true;
}

// Two windows after two.
template <class T, wf_term Term>
void add_through_all(int lowest, int above, const char *block, size_t length, int64_t *words) {
    int unit = upper_unit(above);
    if (unit - window_bits <= lowest) {
        add_through<rest::none, T, Term>(unit, block, length, words, nullptr);
        return;
    }
    char rests[block_length * sizeof(double)];
    add_through<rest::kept, T, Term>(unit, block, length, words, rests);
    // The rests are below half of the last unit.
    for (unit = upper_unit(unit - window_bits); unit - window_bits > lowest; unit = upper_unit(unit - window_bits))
        add_through<rest::kept, double, WF_TERM_ELEMENT>(unit, rests, length, words, rests);
    add_through<rest::none, double, WF_TERM_ELEMENT>(unit, rests, length, words, nullptr);
}

// How many bits fit in so many windows as are faster than integers; measured on a Xeon (Cascade Lake), and where there
// are many short elements, whose integers are faster, but take a microsecond to begin and end, on an EPYC (Zen 5).
constexpr int bits_worth_windows = (register_bytes >= 64 ? 12 : register_bytes >= 32 ? 6 : 4) * window_bits;
constexpr int bits_worth_windows_of_many = (register_bytes >= 64 ? 12 : register_bytes >= 32 ? 4 : 2) * window_bits;
constexpr size_t many_elements = 16 * block_length;

} // namespace
} // namespace wf::host::native
#endif
