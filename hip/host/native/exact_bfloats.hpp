// Sums of bf16 by exponent, 32 elements at a time, by AVX-512.
//
// Sixteen exponents make a bin. An element of exponent 16 b + 8 h + l is its significand times 2^l, which 16 bits hold,
// times 1 or 2^8, as h says. That factor, and 0 for the elements of other bins, is looked up for each bin: so the bin
// takes the products of 32 elements, added in pairs, by three instructions.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_BFLOATS_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_BFLOATS_HPP

#include "exact_floats.hpp"

namespace wf::host::native {
namespace {

#ifdef __AVX512BW__

template <wf_term Term>
class bfloat_bins {
    using layout = float_layout<bf16>;
    static_assert(Term != WF_TERM_SQUARE, "the elements must be the terms");
    static constexpr size_t bins = (layout::most_exponent + 1) / 16, width = 32;
    static_assert(block_step % width == 0, "a step is whole vectors");
    using elements = lanes<uint16_t, width>;
    using products = lanes<uint32_t, width / 2>; // of 31 bits and a sign
    using sums = lanes<int64_t, width / 4>;
    // 255 2^7 is the largest element in 16 bits, and 2^8 its largest factor.
    static_assert(int64_t(255 << 15) * int64_t(2 * (block_length / width)) <= INT32_MAX,
                  "a block's products must fit in 32 bits");

    sums sums_[bins];
    bool is_used_ = false; // else sums_ is not initialised
    int64_t *const words_;

    // Looks up bytes in a table of 16, which two words are. An index of 0x80 and more gives 0; of others the lower four
    // bits count.
    static elements look_up(uint64_t lower, uint64_t upper, elements indices) {
        const lanes<uint64_t, 8> table = {lower, upper, lower, upper, lower, upper, lower, upper};
        return bits_as<elements>(_mm512_shuffle_epi8(bits_as<__m512i>(table), bits_as<__m512i>(indices)));
    }

    // Elements without their exponents above the last three bits.
    static elements shifted_significands(elements bits, elements exponents) {
        constexpr uint64_t powers = 0x8040201008040201;
        const auto subnormal = bits_as<elements>(exponents == 0);
        const elements hidden = ~subnormal & uint16_t(layout::fraction + 1);
        const elements significands = (bits & layout::fraction) | hidden;
        // Subnormals end where the least normal numbers do: as with an exponent of 1.
        const elements magnitudes = significands * look_up(powers, 0, ((exponents - subnormal) & 7) | 0x8000);
        if constexpr (Term == WF_TERM_MAGNITUDE)
            return magnitudes;
        const auto minus = bits_as<elements>(bits >= layout::sign);
        return (magnitudes ^ minus) - minus;
    }

    // For each element two bytes, of which bin b, whose table has a 1 at 2 b, makes 1 if its h is 0, and 2^8 if it is
    // 1: the lower has the exponent's upper five bits, the upper the same with the h turned. What they have beyond four
    // bits says that the element is in an upper bin.
    static elements indices(elements exponents) {
        const elements eighths = (exponents >> 3) + 0x70; // 0x80 and more from 16 on
        return (eighths | eighths << 8) ^ 0x0100;
    }

  public:
    explicit bfloat_bins(int64_t *words) : words_(words) {}

    void add_block(const char *block, size_t length) {
        if (!is_used_)
            __builtin_memset(sums_, 0, sizeof sums_);
        is_used_ = true;
        products added[bins] = {};
        for (size_t i = 0; i < length; i += width) {
            __builtin_prefetch(block + (i + block_length) * sizeof(bf16)); // as visit_terms()
            const auto bits = load<elements>(block + i * sizeof(bf16));
            const elements exponents = bits >> (layout::digits - 1) & uint16_t(layout::most_exponent);
            const auto factors = bits_as<__m512i>(shifted_significands(bits, exponents));
            const elements lower = indices(exponents), upper = lower ^ 0x8080;
#pragma GCC unroll 16
            for (size_t bin = 0; bin < bins; bin++) {
                const uint64_t one = uint64_t(1) << 16 * (bin % 4); // the byte 2 bin
                const elements powers = look_up(bin % 8 < 4 ? one : 0, bin % 8 < 4 ? 0 : one, bin < 8 ? lower : upper);
                added[bin] += bits_as<products>(_mm512_madd_epi16(factors, bits_as<__m512i>(powers)));
            }
        }
        for (size_t bin = 0; bin < bins; bin++) {
            const auto pairs = bits_as<sums>(added[bin]); // of products
            sums_[bin] += (pairs >> 32) + (bits_as<sums>(bits_as<lanes<uint64_t, width / 4>>(pairs) << 32) >> 32);
        }
    }

    void drain() {
        if (!is_used_)
            return;
        is_used_ = false;
        for (size_t bin = 0; bin < bins; bin++) {
            const auto join = [](auto a, auto b) { return a + b; };
            add_scaled(words_, fold_lanes<int64_t, width / 4>(sums_[bin], join),
                       16 * int(bin) - layout::bias - (layout::digits - 1));
        }
    }
};

#endif

} // namespace
} // namespace wf::host::native
#endif
