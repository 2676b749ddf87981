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

  public:
    explicit exponent_bins(int64_t *words) : words_(words) {}

    void add_block(const char *block) {
        if (!is_used_)
            __builtin_memset(sums_, 0, sizeof sums_);
        is_used_ = true;
        // In two steps, as there are vectors for the first.
        constexpr size_t few = 256;
        static_assert(block_length % few == 0, "blocks are taken apart");
        for (size_t i = 0; i < block_length; i += few) {
            uint64_t exponents[few];
            int64_t terms[few];
            for (size_t j = 0; j < few; j++) {
                const auto bits = load<word>(block + (i + j) * sizeof(T));
                exponents[j] = uint64_t(bits >> (layout::digits - 1)) & layout::most_exponent;
                terms[j] = significand(bits, exponents[j]);
            }
            for (size_t j = 0; j < few; j++)
                add(exponents[j], terms[j]);
        }
    }

    void drain() {
        if (!is_used_)
            return;
        for (size_t exponent = 0; exponent < layout::most_exponent; exponent++)
            add_scaled(words_, sums_[exponent], layout::lowest(int(exponent), Term));
        is_used_ = false;
    }
};

} // namespace
} // namespace wf::host::native
#endif
