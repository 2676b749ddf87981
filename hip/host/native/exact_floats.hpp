// What the exact sums know of a float type, and of the floats of a block.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_FLOATS_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_FLOATS_HPP

#include "arithmetic.hpp"
#include "simd.hpp"

#include "exact/sum_words.h"

namespace wf::host::native {
namespace {

// So many elements are looked at together: the more, the less it costs to add what they come to, and the larger the
// range of their exponents.
constexpr size_t block_bits = 11, block_length = size_t(1) << block_bits;
// A shorter block is filled up with zeros to whole steps, so that a few elements take no longer than one.
constexpr size_t block_step = 128;

template <class T>
struct float_layout {
    using bits = std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
    static constexpr int exponent_bits = sizeof(T) == 8 ? 11 : std::is_same_v<T, f16> ? 5 : 8;
    static constexpr int digits = 8 * int(sizeof(T)) - exponent_bits;
    static constexpr int most_exponent = (1 << exponent_bits) - 1, bias = most_exponent / 2;
    static constexpr bits sign = bits(bits(1) << (8 * sizeof(T) - 1));
    static constexpr bits fraction = bits((bits(1) << (digits - 1)) - 1);

    // Of a term whose element has this exponent: the power of two of its lowest bit, and one that it stays below.
    static constexpr int lowest(int exponent, wf_term term) {
        const int of_element = (exponent == 0 ? 1 : exponent) - bias - (digits - 1);
        return term == WF_TERM_SQUARE ? 2 * of_element : of_element;
    }
    static constexpr int above(int exponent, wf_term term) {
        const int of_element = (exponent == 0 ? 1 : exponent) - bias + 1;
        return term == WF_TERM_SQUARE ? 2 * of_element : of_element;
    }
};

// Adds sum 2^exponent.
inline void add_scaled(int64_t *words, int64_t sum, int exponent) {
    const bool negative = sum < 0;
    wf_add_significand(words, negative ? -uint64_t(sum) : uint64_t(sum), exponent - WF_SUM_UNIT, negative);
}

// Of a block: exponents of its largest element and of its smallest that is not 0.
struct exponents {
    int most, least;
    bool all_zero;
};

// In two vectors each, for the processor to work on both. In words without the sign, 1 is what a zero lacks to be the
// largest of all; with 2 less, that of a zero is.
template <class T>
inline exponents exponents_of(const char *block, size_t length) {
    using layout = float_layout<T>;
    using word = typename layout::bits;
    constexpr size_t width = lane_count<word>;
    using vector = lanes<word, width>;
    vector most[2] = {}, least[2] = {~vector{}, ~vector{}};
    static_assert(block_step % (2 * width) == 0, "a step is whole vectors");
    for (size_t i = 0; i < length; i += 2 * width)
        for (size_t half = 0; half < 2; half++) {
            const auto bits = load<vector>(block + (i + half * width) * sizeof(T));
            const vector magnitude = bits + bits, less = magnitude - word(2);
            most[half] = magnitude > most[half] ? magnitude : most[half];
            least[half] = less < least[half] ? less : least[half];
        }
    const auto larger = [](auto a, auto b) { return a > b ? a : b; };
    const auto smaller = [](auto a, auto b) { return a < b ? a : b; };
    const word top = fold_lanes<word, width>(larger(most[0], most[1]), larger);
    const word bottom = word(fold_lanes<word, width>(smaller(least[0], least[1]), smaller) + 2);
    return {int(top >> layout::digits), int(bottom >> layout::digits), top == 0};
}

} // namespace
} // namespace wf::host::native
#endif
