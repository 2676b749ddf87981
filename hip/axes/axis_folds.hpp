// What reductions along axes fold, for all operators but sums of floats (pair_sums.hpp). Each has
//
//   element, value           what is read; what is folded: words of 4 bytes, 16 bytes at the most
//   parts                    numbers of a result
//   identity()               changes nothing
//   add(total, x, i, step)   takes a few elements; x[k] has the index i + k * step among those of its row
//   add_pack(total, pack, i) the same for 16 bytes of neighbours; a lane's packs come with ascending indices
//   add_rows(totals, packs, i, step)
//                            the same for a few rows of as many columns as a pack has elements
//   operators with an index have largest_of(), and largest_of_columns(), instead of the latter: see first_extremes.hpp
//   op(a, b)                 folds two values of one row
//   finish(total, length)    the numbers of the result, as bits
//
// Types that differ in a detail share an operator, which gets the difference as a parameter when it is launched.
#ifndef WAVEFOLD_AXES_AXIS_FOLDS_HPP
#define WAVEFOLD_AXES_AXIS_FOLDS_HPP

#include "../reduce/fold_pack.hpp"
#include "axes/request.h"
#include "rank_rule.hpp"

namespace wf {

// The bits of a result's numbers.
struct result_parts {
    uint64_t part[2];
};

// Most operators take a pack's elements one by one.
template <class Op, class Value, class Element>
__device__ __forceinline__ void add_each(const Op &op, Value &total, const element_pack<Element> &pack,
                                         uint64_t index) {
    Element x[element_pack<Element>::size];
#pragma unroll
    for (unsigned k = 0; k < element_pack<Element>::size; k++)
        x[k] = pack[k];
    op.add(total, x, index, 1);
}

// Most operators take the columns of a few rows one by one.
template <class Op, class Value, class Pack, unsigned Columns, unsigned Rows>
__device__ __forceinline__ void add_each_column(const Op &op, Value (&totals)[Columns], const Pack (&rows)[Rows],
                                                uint64_t index, uint64_t step) {
#pragma unroll
    for (unsigned c = 0; c < Columns; c++) {
        typename Op::element x[Rows];
#pragma unroll
        for (unsigned k = 0; k < Rows; k++)
            x[k] = rows[k][c];
        op.add(totals[c], x, index, step);
    }
}

// Of elements of up to 16 bits: the largest rank of each pair of them in a word's place, over a few packs.
// found[0]: of pairs, or even bytes; found[1]: of odd bytes.
template <class Element, unsigned Packs>
__device__ __forceinline__ void rank_words(const rank_rule<Element> &rule, const element_pack<Element> (&packs)[Packs],
                                           unsigned word, uint32_t (&found)[2], uint32_t &magnitudes) {
    found[0] = found[1] = 0;
#pragma unroll
    for (unsigned k = 0; k < Packs; k++) {
        const uint32_t bits = packs[k].words[word];
        if constexpr (sizeof(Element) == 1) {
            found[0] = larger_of_pairs(found[0], rule.of_even_bytes(bits));
            found[1] = larger_of_pairs(found[1], rule.of_odd_bytes(bits));
        } else {
            found[0] = larger_of_pairs(found[0], rule.of_pair(bits));
            magnitudes = larger_of_pairs(magnitudes, bits & rule.magnitude * 0x00010001u);
        }
    }
}

// Column c's.
template <class Element>
__device__ __forceinline__ uint32_t rank_in_words(const uint32_t (&found)[4][2], unsigned c) {
    const uint32_t both = found[c * sizeof(Element) / 4][sizeof(Element) == 1 ? c % 2 : 0];
    const bool is_upper = (sizeof(Element) == 1 ? c / 2 : c) % 2 != 0;
    return is_upper ? both >> 16 : both & 0xffffu;
}

// The largest rank of a pack of such; false if there is a NaN.
template <class Element>
__device__ __forceinline__ bool largest_in_pack(const rank_rule<Element> &rule, const element_pack<Element> &pack,
                                                uint32_t &largest) {
    uint32_t best = 0, magnitudes = 0;
    const element_pack<Element> packs[] = {pack};
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        uint32_t found[2];
        rank_words(rule, packs, w, found, magnitudes);
        best = larger_of_pairs(best, larger_of_pairs(found[0], found[1]));
    }
    largest = best >> 16 > (best & 0xffffu) ? best >> 16 : best & 0xffffu;
    return !rule.is_nan_in_pair(magnitudes);
}

// Sums of integers with a sign by those without: with the sign bit turned each is larger by 2^(bits - 1), which the end
// takes away again.
template <class Element>
struct integer_sum {
    using element = Element;
    using value = uint64_t;
    static constexpr unsigned parts = 1;
    Element turn;
    uint32_t averages;

    static __device__ __forceinline__ value identity() { return 0; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        using few = std::conditional_t<(sizeof(Element) < 4), uint32_t, uint64_t>;
        total += fold_tree<Count>(sum<few>(), [&](unsigned k) { return few(Element(x[k] ^ turn)); });
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        if constexpr (sizeof(Element) == 1) {
            int32_t few = 0;
#pragma unroll
            for (const uint32_t word : pack.words)
                few = add_bytes<uint8_t>(word ^ turn * 0x01010101u, few);
            total += uint32_t(few);
        } else if constexpr (sizeof(Element) == 2) {
            uint32_t few = 0;
#pragma unroll
            for (const uint32_t word : pack.words) {
                const uint32_t turned = word ^ turn * 0x00010001u;
                few += (turned & 0xffffu) + (turned >> 16);
            }
            total += few;
        } else {
            add_each(*this, total, pack, index);
        }
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        if constexpr (sizeof(Element) == 1 && Columns > 1) {
#pragma unroll
            for (unsigned w = 0; w < 4; w++) {
                uint32_t even = 0, odd = 0; // in each half the sum of one column
#pragma unroll
                for (unsigned k = 0; k < Rows; k++) {
                    const uint32_t turned = rows[k].words[w] ^ turn * 0x01010101u;
                    even += turned & 0x00ff00ffu;
                    odd += turned >> 8 & 0x00ff00ffu;
                }
                totals[4 * w] += even & 0xffffu;
                totals[4 * w + 1] += odd & 0xffffu;
                totals[4 * w + 2] += even >> 16;
                totals[4 * w + 3] += odd >> 16;
            }
        } else {
            add_each_column(*this, totals, rows, index, step);
        }
    }
    __device__ __forceinline__ value operator()(value a, value b) const {
        return a + b;
    }
    __device__ __forceinline__ result_parts finish(value total, uint64_t length) const {
        total -= turn * length;
        if (averages == 0)
            return {{total, 0}};
        const double whole = turn != 0 ? double(int64_t(total)) : double(total);
        return {{bits_as<uint64_t>(whole / double(length)), 0}};
    }
};

// Sums of magnitudes, or of squares.
template <class Element>
struct integer_term_sum {
    using element = Element;
    using value = uint64_t;
    static constexpr unsigned parts = 1;
    Element sign; // of numbers without one: 0
    uint32_t squares;

    static __device__ __forceinline__ value identity() { return 0; }
    __device__ __forceinline__ uint64_t term(Element x) const {
        const uint64_t magnitude = (x & sign) != 0 ? Element(0 - x) : x;
        return squares != 0 ? magnitude * magnitude : magnitude;
    }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total += fold_tree<Count>(sum<uint64_t>(), [&](unsigned k) { return term(x[k]); });
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return a + b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const { return {{total, 0}}; }
};

template <class Element>
struct integer_product {
    using element = Element;
    using value = uint64_t;
    static constexpr unsigned parts = 1;
    Element turn;

    static __device__ __forceinline__ value identity() { return 1; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total *= fold_tree<Count>(*this, [&](unsigned k) { return uint64_t(Element(x[k] ^ turn)) - turn; });
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return a * b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const { return {{total, 0}}; }
};

template <class Element, class Accumulator>
struct float_product {
    using element = Element;
    using value = Accumulator;
    static constexpr unsigned parts = 1;

    static __device__ __forceinline__ value identity() { return 1; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total *= fold_tree<Count>(*this, [&](unsigned k) { return widen<Accumulator>(x[k]); });
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return a * b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const {
        return {{bits_as<typename unsigned_of_bytes<sizeof(Accumulator)>::type>(total), 0}};
    }
};

// And, or, xor.
template <class Element>
struct integer_bits {
    using element = Element;
    using value = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    static constexpr unsigned parts = 1;
    value flip; // all ones makes "or" of what is folded "and" of what it was
    uint32_t exclusive;

    static __device__ __forceinline__ value identity() { return 0; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total = (*this)(total, fold_tree<Count>(*this, [&](unsigned k) { return value(x[k] ^ flip); }));
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(value a, value b) const { return exclusive != 0 ? a ^ b : a | b; }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const { return {{total ^ flip, 0}}; }
};

template <class Rank>
struct larger {
    __device__ __forceinline__ Rank operator()(Rank a, Rank b) const { return a > b ? a : b; }
};

// Min or max.
template <class Element>
struct axis_extreme {
    using element = Element;
    using value = typename rank_rule<Element>::rank;
    static constexpr unsigned parts = 1;
    rank_rule<Element> rule;

    static __device__ __forceinline__ value identity() { return 0; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total = (*this)(total, fold_tree<Count>(larger<value>(), [&](unsigned k) { return rule.of(x[k]); }));
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        if constexpr (sizeof(Element) <= 2) {
            uint32_t largest;
            if (largest_in_pack(rule, pack, largest)) {
                total = (*this)(total, largest);
                return;
            }
        }
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        if constexpr (sizeof(Element) <= 2 && Columns > 1) {
            uint32_t found[4][2], magnitudes = 0;
#pragma unroll
            for (unsigned w = 0; w < 4; w++)
                rank_words(rule, rows, w, found[w], magnitudes);
            if (!rule.is_nan_in_pair(magnitudes)) {
#pragma unroll
                for (unsigned c = 0; c < Columns; c++)
                    totals[c] = (*this)(totals[c], rank_in_words<Element>(found, c));
                return;
            }
        }
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(value a, value b) const {
        return a > b ? a : b;
    }
    __device__ __forceinline__ result_parts finish(value total, uint64_t) const {
        return {{rule.back(total), 0}};
    }
};

// Min and max.
template <class Element>
struct axis_extremes {
    using element = Element;
    using rank = typename rank_rule<Element>::rank;
    struct value {
        rank least, most;
    };
    static constexpr unsigned parts = 2;
    rank_rule<Element> low, high;

    static __device__ __forceinline__ value identity() { return {0, 0}; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t, uint64_t) const {
        total = (*this)(total, {fold_tree<Count>(larger<rank>(), [&](unsigned k) { return low.of(x[k]); }),
                                fold_tree<Count>(larger<rank>(), [&](unsigned k) { return high.of(x[k]); })});
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void add_rows(value (&totals)[Columns], const Pack (&rows)[Rows], uint64_t index,
                                             uint64_t step) const {
        add_each_column(*this, totals, rows, index, step);
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        const larger<rank> of;
        return {of(a.least, b.least), of(a.most, b.most)};
    }
    __device__ __forceinline__ result_parts finish(const value &total, uint64_t) const {
        return {{low.back(total.least), high.back(total.most)}};
    }
};

// Argmin or argmax: the lower index wins among equals, so the order of folding does not matter.
template <class Element>
struct axis_first_extreme {
    using element = Element;
    using rank = typename rank_rule<Element>::rank;
    struct value {
        uint64_t best; // 8 bytes also where ranks have 4: no padding
        uint64_t index;
    };
    static constexpr unsigned parts = 2;
    static constexpr uint64_t nowhere = ~uint64_t(0);
    rank_rule<Element> rule;

    static __device__ __forceinline__ value identity() { return {0, nowhere}; }
    template <unsigned Count>
    __device__ __forceinline__ void add(value &total, const Element (&x)[Count], uint64_t first, uint64_t step) const {
        rank best;
        unsigned item;
        if constexpr (sizeof(Element) <= 2) { // the rank, and below it a number that is larger for an earlier item
            const uint32_t found =
                fold_tree<Count>(larger<uint32_t>(), [&](unsigned k) { return rule.of(x[k]) << 16 | (0xffffu - k); });
            best = found >> 16;
            item = 0xffffu - (found & 0xffffu);
        } else {
            best = rule.of(x[0]);
            item = 0;
#pragma unroll
            for (unsigned k = 1; k < Count; k++) {
                const rank here = rule.of(x[k]);
                item = here > best ? k : item;
                best = here > best ? here : best;
            }
        }
        // Among floats none but a NaN that is skipped has the least rank.
        const bool is_none = rule.is_float() && best == 0;
        total = (*this)(total, {best, is_none ? nowhere : first + item * step});
    }
    __device__ __forceinline__ void add_pack(value &total, const element_pack<Element> &pack, uint64_t index) const {
        add_each(*this, total, pack, index);
    }
    // The largest rank of a pack.
    __device__ __forceinline__ rank largest_of(const element_pack<Element> &pack) const {
        if constexpr (sizeof(Element) <= 2) {
            uint32_t largest;
            if (largest_in_pack(rule, pack, largest))
                return largest;
        }
        return fold_tree<element_pack<Element>::size>(larger<rank>(), [&](unsigned k) { return rule.of(pack[k]); });
    }
    // The largest ranks of the columns of a few rows.
    template <class Pack, unsigned Columns, unsigned Rows>
    __device__ __forceinline__ void largest_of_columns(const Pack (&rows)[Rows], rank (&largest)[Columns]) const {
        if constexpr (sizeof(Element) <= 2 && Columns > 1) {
            uint32_t found[4][2], magnitudes = 0;
#pragma unroll
            for (unsigned w = 0; w < 4; w++)
                rank_words(rule, rows, w, found[w], magnitudes);
            if (!rule.is_nan_in_pair(magnitudes)) {
#pragma unroll
                for (unsigned c = 0; c < Columns; c++)
                    largest[c] = rank_in_words<Element>(found, c);
                return;
            }
        }
#pragma unroll
        for (unsigned c = 0; c < Columns; c++)
            largest[c] = fold_tree<Rows>(larger<rank>(), [&](unsigned k) { return rule.of(rows[k][c]); });
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        const bool take_a = a.best > b.best || (a.best == b.best && a.index < b.index);
        return {take_a ? a.best : b.best, take_a ? a.index : b.index};
    }
    __device__ __forceinline__ result_parts finish(const value &total, uint64_t) const {
        return {{rule.back(rank(total.best)), total.index}};
    }
};

} // namespace wf
#endif
