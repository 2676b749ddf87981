// Sums by exponent, in integers: of finite terms however far they lie apart.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_BINS_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_BINS_HPP

#include "exact_floats.hpp"

#include "exact/sum_state.h"

namespace wf::host::native {
namespace {

// A bin has the sum of the significands of terms whose elements have one exponent.
template <class T, wf_term Term>
class exponent_bins {
    using layout = float_layout<T>;
    using word = typename layout::bits;

    int64_t sums_[layout::most_exponent + 1];
    bool is_used_ = false; // else sums_ is not initialised
    int64_t *const words_;

    static int position(size_t exponent) { return layout::lowest(int(exponent), Term) - WF_SUM_UNIT; }

    static int64_t significand(word bits, uint64_t exponent) {
        const uint64_t fraction = bits & layout::fraction;
        uint64_t term = fraction | uint64_t(exponent != 0) << (layout::digits - 1);
        if constexpr (Term == WF_TERM_SQUARE)
            term *= term;
        const uint64_t minus = Term == WF_TERM_ELEMENT ? -uint64_t(bits >> (8 * sizeof bits - 1)) : 0;
        return int64_t((term ^ minus) - minus);
    }

    void add(size_t exponent, int64_t term) {
        int64_t sum;
        const bool wrapped = __builtin_add_overflow(sums_[exponent], term, &sum);
        sums_[exponent] = sum;
        if (__builtin_expect(wrapped, 0)) // the sum has lost 2^64
            wf_add_significand(words_, 1, position(exponent) + 64, term < 0);
    }

    // In two loops, as there are vectors for the first; both of a known length.
    template <size_t Count>
    void add_few(const char *in) {
        uint64_t exponents[Count];
        int64_t terms[Count];
        for (size_t j = 0; j < Count; j++) {
            const auto bits = load<word>(in + j * sizeof(T));
            exponents[j] = uint64_t(bits >> (layout::digits - 1)) & layout::most_exponent;
            terms[j] = significand(bits, exponents[j]);
        }
        for (size_t j = 0; j < Count; j++)
            add(exponents[j], terms[j]);
    }

  public:
    explicit exponent_bins(int64_t *words) : words_(words) {}

    void add_block(const char *block, size_t length) {
        if (!is_used_)
            __builtin_memset(sums_, 0, sizeof sums_);
        is_used_ = true;
        size_t i = 0;
        for (; length - i >= 2 * block_step; i += 2 * block_step)
            add_few<2 * block_step>(block + i * sizeof(T));
        if (i < length)
            add_few<block_step>(block + i * sizeof(T));
    }

    void drain() {
        if (!is_used_)
            return;
        for (size_t exponent = 0; exponent < layout::most_exponent; exponent++)
            if (sums_[exponent] != 0) // a few elements are in a few bins
                add_scaled(words_, sums_[exponent], layout::lowest(int(exponent), Term));
        is_used_ = false;
    }
};

// For elements of up to 4 bytes that are added as they are. A bin is of one sign and exponent, and has in one word the
// sum of its elements' fractions, and above that how many they are. An element takes its bits apart and one addition.
template <class T, wf_term Term>
class packed_bins {
    using layout = float_layout<T>;
    using word = typename layout::bits;
    static constexpr size_t bins = 2 * (layout::most_exponent + 1);
    static constexpr size_t copies = 4; // neighbours of one exponent would wait for each other
    static constexpr int count_bits = 20, fraction_bits = 64 - count_bits;
    static constexpr size_t most_blocks = ((size_t(1) << count_bits) - 1) / (block_length / copies);
    static_assert(layout::digits - 1 + count_bits <= fraction_bits, "as many fractions as are counted must fit");
    static_assert(block_step % copies == 0, "a step has each copy's part");
    static_assert(sizeof(T) <= 4 && Term != WF_TERM_SQUARE, "fractions must be short, and the elements the terms");

    uint64_t sums_[copies][bins];
    size_t blocks_ = 0; // in sums_, which are not initialised if there are none
    int64_t *const words_;

  public:
    explicit packed_bins(int64_t *words) : words_(words) {}

    void add_block(const char *block, size_t length) {
        if (blocks_ == 0)
            __builtin_memset(sums_, 0, sizeof sums_);
        constexpr uint64_t one = uint64_t(1) << fraction_bits;
        for (size_t i = 0; i < length; i += copies)
            for (size_t copy = 0; copy < copies; copy++) {
                const auto bits = load<word>(block + (i + copy) * sizeof(T));
                sums_[copy][bits >> (layout::digits - 1)] += one | (bits & layout::fraction);
            }
        if (++blocks_ == most_blocks)
            drain();
    }

    void drain() {
        if (blocks_ == 0)
            return;
        blocks_ = 0;
        for (size_t bin = 0; bin < bins; bin++) {
            uint64_t count = 0, sum = 0;
            for (size_t copy = 0; copy < copies; copy++) {
                count += sums_[copy][bin] >> fraction_bits;
                sum += sums_[copy][bin] & ((uint64_t(1) << fraction_bits) - 1);
            }
            const size_t exponent = bin & layout::most_exponent;
            if (exponent != 0)
                sum += count << (layout::digits - 1);
            if (sum != 0)
                wf_add_significand(words_, sum, layout::lowest(int(exponent), Term) - WF_SUM_UNIT,
                                   Term == WF_TERM_ELEMENT && bin > layout::most_exponent);
        }
    }
};

template <class T, wf_term Term>
constexpr bool are_packed = sizeof(T) <= 4 && Term != WF_TERM_SQUARE;

} // namespace
} // namespace wf::host::native
#endif
