// Sums of floats as a pair of doubles: the sum so far, and what its additions rounded off. As long as no addition to
// the rest rounds, the pair is the exact sum; else the rest becomes NaN, and the row is added up digit by digit
// (sum_digits.hpp). So a row's bits depend on its elements alone, in whatever order they are added.
#ifndef WAVEFOLD_AXES_PAIR_SUMS_HPP
#define WAVEFOLD_AXES_PAIR_SUMS_HPP

#include "../reduce/exact/exact_value.hpp"
#include "axis_folds.hpp"

#include "exact/sum_pair.h"

namespace wf {

__device__ __forceinline__ double not_a_number() {
    return bits_as<double>(uint64_t(0x7ff8) << 48);
}

// Adds, and sets exact to false where that rounds: of a sum of two numbers the difference to the larger one is exact.
template <class T>
__device__ __forceinline__ T add_checked(T a, T b, bool &exact) {
    const T sum = a + b;
    exact = exact & (sum - a == b) & (sum - b == a);
    return sum;
}

__device__ __forceinline__ void add_term(wf_sum_pair &total, double x) {
    double off, off_again;
    total.sum = wf_two_sum(total.sum, x, &off);
    total.rest = wf_two_sum(total.rest, off, &off_again);
    total.rest = off_again == 0 ? total.rest : not_a_number();
}
__device__ __forceinline__ wf_sum_pair joined_pairs(wf_sum_pair a, const wf_sum_pair &b) {
    add_term(a, b.sum);
    double off;
    a.rest = wf_two_sum(a.rest, b.rest, &off);
    a.rest = off == 0 ? a.rest : not_a_number();
    return a;
}
// Also where the sum is not finite, though the mean may be.
__device__ __forceinline__ bool pair_is_lost(const wf_sum_pair &total) {
    const double whole = total.sum + total.rest;
    return !(whole - whole == 0);
}

// Squares: the terms are squares of elements, exact for f32 and narrower types, rounded for f64.
template <class Element, bool Squares>
struct pair_sum {
    using element = Element;
    using value = wf_sum_pair;
    using bits = typename unsigned_of_bytes<sizeof(Element)>::type;
    static constexpr unsigned parts = 1;
    static constexpr bool is_integer = std::is_integral_v<Element>;
    bits kept;          // bits of an element that count: all, or all but the sign
    uint32_t is_signed; // of integers
    uint32_t averages;
    wf_float_format to;

    static __device__ __forceinline__ value identity() { return {-0.0, 0}; }
    static __device__ __forceinline__ bool is_lost(const value &total) { return pair_is_lost(total); }
    __device__ __forceinline__ auto number(Element x) const {
        if constexpr (is_integer) {
            return is_signed != 0 ? double(std::make_signed_t<Element>(x)) : double(x);
        } else {
            using number_type = std::conditional_t<sizeof(Element) == 8, double, float>;
            return widen<number_type>(bits_as<Element>(bits(bits_as<bits>(x) & kept)));
        }
    }
    __device__ __forceinline__ double term(Element x) const {
        double made = double(number(x));
        if constexpr (Squares) {
            made = product_rounded(made, made);
        }
        return made;
    }
    // Sums of f64 are seldom exact: each term goes to the pair.
    static constexpr bool tries_exact = sizeof(Element) < 8;
    // Terms whose sum, and its sum with the total, are usually exact.
    template <unsigned Count>
    __device__ __forceinline__ double add_exactly(double total, const Element (&x)[Count], bool &exact) const {
        return add_checked(total, tree(x, exact), exact);
    }
    // The same where an addition rounds.
    template <unsigned Count>
    __device__ __forceinline__ void add_rounding(value &total, const Element (&x)[Count]) const {
        bool exact = true;
        const double few = tree(x, exact);
        if (exact)
            return add_term(total, few);
        WF_EXACT_LOOP
        for (unsigned k = 0; k < Count; k++)
            add_term(total, term(at(x, k)));
    }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        if constexpr (Count == 1 || !tries_exact) {
#pragma unroll
            for (unsigned k = 0; k < Count; k++)
                add_term(total, term(x[k]));
        } else {
            bool exact = true;
            const double sum = add_exactly(total.sum, x, exact);
            if (exact)
                total.sum = sum;
            else
                add_rounding(total, x);
        }
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    // One branch for all columns.
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        if constexpr (!tries_exact) {
            add_each_column(*this, totals, rows, index, step);
        } else {
            double sums[Columns];
            bool exact = true;
#pragma unroll
            for (unsigned c = 0; c < Columns; c++) {
                Element x[Rows];
#pragma unroll
                for (unsigned k = 0; k < Rows; k++)
                    x[k] = rows[k][c];
                sums[c] = add_exactly(totals[c].sum, x, exact);
            }
            if (exact) {
#pragma unroll
                for (unsigned c = 0; c < Columns; c++)
                    totals[c].sum = sums[c];
                return;
            }
            WF_EXACT_LOOP
            for (unsigned k = 0; k < Rows; k++) {
                const Pack row = row_at(rows, k);
#pragma unroll
                for (unsigned c = 0; c < Columns; c++)
                    add_term(totals[c], term(row[c]));
            }
        }
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return joined_pairs(a, b);
    }
    __device__ __forceinline__ result_parts finish(const value &total, uint64_t length) const {
        return {{wf_round_pair(&total, length, averages != 0, to), 0}};
    }

  private:
    // Element k, for a k that is not known when this is compiled: an index would put them into memory.
    template <class T, unsigned Count>
    static __device__ __forceinline__ T at(const T (&x)[Count], unsigned k) {
        T found = x[0];
#pragma unroll
        for (unsigned j = 1; j < Count; j++)
            found = j == k ? x[j] : found;
        return found;
    }
    // Of packs word by word: values, not addresses, are chosen.
    template <class Pack, unsigned Rows>
    static __device__ __forceinline__ Pack row_at(const Pack (&rows)[Rows], unsigned k) {
        constexpr unsigned words = sizeof(Pack) < 4 ? 1 : sizeof(Pack) / 4;
        using word = std::conditional_t<sizeof(Pack) < 4, uint16_t, uint32_t>;
        word found[words] = {};
#pragma unroll
        for (unsigned j = 0; j < Rows; j++) {
            word here[words];
            memcpy(here, &rows[j], sizeof here);
#pragma unroll
            for (unsigned w = 0; w < words; w++)
                found[w] = j == 0 || j == k ? here[w] : found[w];
        }
        Pack row;
        memcpy(&row, found, sizeof row);
        return row;
    }
    template <unsigned Count>
    __device__ __forceinline__ double tree(const Element (&x)[Count], bool &exact) const {
        const auto add_two = [&](auto a, auto b) { return add_checked(a, b, exact); };
        if constexpr (sizeof(Element) == 2 && !Squares) { // the first steps in f32, which is faster, and most are exact
            constexpr unsigned few = std::is_same_v<Element, bf16> && Count >= 8 ? 8 : 4;
            constexpr unsigned together = few < Count ? few : Count;
            return fold_tree<Count / together>(add_two, [&](unsigned k) {
                return double(fold_tree<together>(add_two, [&](unsigned j) { return number(x[together * k + j]); }));
            });
        } else {
            return fold_tree<Count>(add_two, [&](unsigned k) { return term(x[k]); });
        }
    }
};

} // namespace wf
#endif
