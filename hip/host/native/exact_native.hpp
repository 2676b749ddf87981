// Exact sums of pieces, as states, block by block: in f64 where that does not round, through windows where the terms
// lie within about a hundred bits, else by exponent in integers.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_NATIVE_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_NATIVE_HPP

#include "exact_bfloats.hpp"
#include "exact_bins.hpp"
#include "exact_floats.hpp"
#include "exact_halves.hpp"
#include "exact_windows.hpp"
#include "native.hpp"
#include "wavefold_sum.h"

namespace wf::host::native {
namespace {

// How terms are added that lie too far apart for windows, and how many bits of so many terms are not too far.
template <class T, wf_term Term>
struct bins_for {
    using type = std::conditional_t<are_packed<T, Term>, packed_bins<T, Term>, exponent_bins<T, Term>>;
    static constexpr int worth_windows(size_t count) {
        return are_packed<T, Term> && count >= many_elements ? bits_worth_windows_of_many : bits_worth_windows;
    }
};
#ifdef __AVX512BW__
template <wf_term Term>
struct bfloat_bins_for {
    using type = bfloat_bins<Term>;
    static constexpr int worth_windows(size_t) { return 2 * window_bits; } // of 2^9 elements as of 2^26
};
template <>
struct bins_for<bf16, WF_TERM_ELEMENT> : bfloat_bins_for<WF_TERM_ELEMENT> {};
template <>
struct bins_for<bf16, WF_TERM_MAGNITUDE> : bfloat_bins_for<WF_TERM_MAGNITUDE> {};
#endif

template <class T, wf_term Term>
class exact_sum {
    using layout = float_layout<T>;
    using word = typename layout::bits;
    static constexpr bool is_double = sizeof(T) == 8;
    static constexpr word infinity = word(word(layout::most_exponent) << (layout::digits - 1));

    wf_sum_state *const to_;
    const bool ignores_nan_; // they are counted all the same
    typename bins_for<T, Term>::type bins_;
    // Of f64: where the last block's upper window was, and whether it held the block.
    int unit_ = 0;
    bool is_held_ = true;
    int worth_windows_ = 0;

    // Some term is not -0. NaN that are to be ignored are no terms.
    bool has_others(const char *in, size_t count) const {
        if (Term != WF_TERM_ELEMENT)
            return count != 0;
        for (size_t i = 0; i < count; i++) {
            const auto bits = load<word>(in + i * sizeof(T));
            if (bits != layout::sign && !(ignores_nan_ && word(bits & word(~layout::sign)) > infinity))
                return true;
        }
        return false;
    }

    // Counts infinities and NaN, and copies the block with zeros in their place.
    void take_out_specials(const char *block, size_t length, char *finite) {
        int64_t nans = 0, infinities = 0, negative = 0;
        for (size_t i = 0; i < length; i++) {
            const auto bits = load<word>(block + i * sizeof(T));
            const word magnitude = bits & word(~layout::sign);
            nans += magnitude > infinity;
            infinities += magnitude == infinity;
            negative += bits == word(infinity | layout::sign);
            put(magnitude < infinity ? bits : word(0), finite + i * sizeof(T));
        }
        if (Term != WF_TERM_ELEMENT)
            negative = 0;
        to_->nans += nans;
        to_->positive_infinities += infinities - negative;
        to_->negative_infinities += negative;
    }

    bool add_in_floats(const exponents &found, const char *block, size_t length) {
        const int lowest = layout::lowest(found.least, Term), above = layout::above(found.most, Term);
        if (!is_double && adds_in_f64(lowest, above)) {
            add_double(to_->limb, sum_in_f64<T, Term>(block, length, std::make_index_sequence<8>()));
            return true;
        }
        unit_ = upper_unit(above);
        is_held_ = unit_ - window_bits <= lowest;
        if (above - lowest > worth_windows_ || unit_ > most_unit)
            return false;
        add_through_all<T, Term>(lowest, above, block, length, to_->limb);
        return true;
    }

    void add_block(const char *block, size_t length) {
        // Looking at f64 first would cost more than to try.
        if constexpr (has_float_environment && is_double)
            if (is_held_ && unit_ <= most_unit &&
                add_through<rest::found, T, Term>(unit_, block, length, to_->limb, nullptr))
                return;
        if constexpr (has_float_environment && std::is_same_v<T, f16> && Term != WF_TERM_SQUARE) {
            const double sum = sum_halves<Term>(block, length);
            if (sum - sum == 0) {
                add_double(to_->limb, sum);
                return;
            }
        }
        exponents found = exponents_of<T>(block, length);
        char finite[block_length * sizeof(T)];
        if (found.most == layout::most_exponent) {
            take_out_specials(block, length, finite);
            block = finite;
            found = exponents_of<T>(block, length);
        }
        if (found.all_zero)
            return;
        if (!has_float_environment || !add_in_floats(found, block, length))
            bins_.add_block(block, length);
    }

  public:
    exact_sum(wf_sum_state *to, bool ignores_nan) : to_(to), ignores_nan_(ignores_nan), bins_(to->limb) {}

    void add(const char *in, size_t count) {
        worth_windows_ = bins_for<T, Term>::worth_windows(count);
        char filled[block_step * sizeof(T)];
        for (size_t length; count > 0; count -= length, in += length * sizeof(T)) {
            const bool is_filled_up = count < block_step;
            length = is_filled_up ? count : count < block_length ? count / block_step * block_step : block_length;
            if (to_->others == 0)
                to_->others = has_others(in, length);
            if (is_filled_up) {
                __builtin_memset(filled, 0, sizeof filled);
                __builtin_memcpy(filled, in, length * sizeof(T));
            }
            add_block(is_filled_up ? filled : in, is_filled_up ? block_step : length);
        }
        bins_.drain();
    }
};

template <class T, wf_term Term>
__attribute__((noinline)) void sum_terms(const char *in, size_t count, bool ignores_nan, wf_sum_state *to) {
    exact_sum<T, Term>(to, ignores_nan).add(in, count);
}

template <class T>
void sum_elements(const job &what, uint64_t begin, uint64_t end, wf_sum_state *to) {
    const char *const in = what.in + begin * sizeof(T);
    const size_t count = end - begin;
    const bool ignores_nan = what.nan == WF_NAN_IGNORE;
    switch (wf_facts_of_op(what.op).term) {
    case WF_TERM_ELEMENT:
        return sum_terms<T, WF_TERM_ELEMENT>(in, count, ignores_nan, to);
    case WF_TERM_MAGNITUDE:
        return sum_terms<T, WF_TERM_MAGNITUDE>(in, count, ignores_nan, to);
    case WF_TERM_SQUARE: // f64 has none
        if constexpr (sizeof(T) < 8)
            return sum_terms<T, WF_TERM_SQUARE>(in, count, ignores_nan, to);
    }
}

inline void sum_typed(const job &what, uint64_t begin, uint64_t end, wf_sum_state *to) {
    switch (what.type) {
    case WF_F64:
        return sum_elements<double>(what, begin, end, to);
    case WF_F32:
        return sum_elements<float>(what, begin, end, to);
    case WF_F16:
        return sum_elements<f16>(what, begin, end, to);
    case WF_BF16:
        return sum_elements<bf16>(what, begin, end, to);
    case WF_I32:
    case WF_I64:
    case WF_U32:
    case WF_U64:
    case WF_I8:
    case WF_I16:
    case WF_U8:
    case WF_U16:
    case WF_TYPE_COUNT: // no floats
        break;
    }
}

// The terms of elements begin to end - 1, normalised.
inline void sum_exactly(const job &what, uint64_t begin, uint64_t end, wf_sum_state *to) {
    wf_start_state(to);
    to->count = int64_t(end - begin);
    constexpr uint64_t between_carries = uint64_t(1) << 30; // an addition for each, and some thousands in the end
    for (uint64_t i = begin; i < end; i += between_carries) {
        const uint64_t next = end - i < between_carries ? end : i + between_carries;
        if (i != begin)
            wf_carry_words(to->limb);
        sum_typed(what, i, next, to);
    }
    wf_normalise_state(to);
}

// A separate function: a product that is contracted with an addition would not be rounded.
template <class T>
__attribute__((noinline)) void make_products(const char *x, const char *y, size_t count, double *products) {
    constexpr size_t width = lane_count<double>;
    size_t i = 0;
    for (; count - i >= width; i += width) {
        const auto made = lift<double, T, width>(x + i * sizeof(T)) * lift<double, T, width>(y + i * sizeof(T));
        __builtin_memcpy(products + i, &made, sizeof made);
    }
    for (; i < count; i++)
        products[i] = lift_one<double, T>(x + i * sizeof(T)) * lift_one<double, T>(y + i * sizeof(T));
}

template <class T>
void sum_products_of(const char *x, const char *y, uint64_t count, wf_sum_state *to) {
    exact_sum<double, WF_TERM_ELEMENT> sum(to, false);
    constexpr uint64_t between_carries = uint64_t(1) << 18; // blocks
    double products[block_length];
    uint64_t blocks = 0;
    for (size_t length; count > 0; count -= length, x += length * sizeof(T), y += length * sizeof(T)) {
        length = count < block_length ? count : block_length;
        make_products<T>(x, y, length, products);
        sum.add(reinterpret_cast<const char *>(products), length);
        if (++blocks % between_carries == 0)
            wf_carry_words(to->limb);
    }
}

inline void sum_products(wf_type type, const char *x, const char *y, uint64_t count, wf_sum_state *to) {
    wf_start_state(to);
    to->count = int64_t(count);
    if (type == WF_F64)
        sum_products_of<double>(x, y, count, to);
    else if (type == WF_F32)
        sum_products_of<float>(x, y, count, to);
    else if (type == WF_F16)
        sum_products_of<f16>(x, y, count, to);
    else
        sum_products_of<bf16>(x, y, count, to);
    wf_normalise_state(to);
}

// Adds a chunk to a state, whose words stay carried.
template <class T>
void add_chunk_exactly(const char *in, size_t count, wf_sum_state *to) {
    to->count += int64_t(count);
    sum_terms<T, WF_TERM_ELEMENT>(in, count, false, to); // without NaN, or they count
    wf_carry_words(to->limb);
}

} // namespace
} // namespace wf::host::native
#endif
