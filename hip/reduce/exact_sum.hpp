// What an exact sum is made of (docs/exact.md has the proofs).
//
//   exact_value           the sum of what fits a window: a 128-bit integer in units of 2^(WF_SUM_UNIT + base)
//   exact_cells           the sum of what does not, of a tile: long integers in tile memory
//   exact_terms           a thread's part: takes packs, and puts each term into the one or the other
//   window_base()         where the window lies, from a few elements of the array: the same in all threads
//   finish_exact_sum()    rounds all that, or makes a state of it
//
// A term is what the operator adds of an element: significand 2^(WF_SUM_UNIT + position).
#ifndef WAVEFOLD_REDUCE_EXACT_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_SUM_HPP

#include "packed_array.hpp"
#include "reduce_operators.hpp"

#include "../atomic.hpp"

#define WF_EXACT_FUNCTION static __device__ __forceinline__
#define WF_EXACT_LOOP _Pragma("unroll 1")
#define WF_LEADING_ZEROS(word) wf::leading_zeros(word)
#include "backend.h"
#include "exact/sum_words.h"

namespace wf {

// 128 bits, in two's complement where there is a sign. (Not __int128: for RDNA clang 19 crashes on those that are the
// same in all lanes.)
struct wide {
    uint64_t low, high;
};
__device__ __forceinline__ wide operator+(const wide &a, const wide &b) {
    const uint64_t low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}
__device__ __forceinline__ wide operator-(const wide &a) {
    return {uint64_t(0) - a.low, ~a.high + (a.low == 0 ? 1u : 0u)};
}
__device__ __forceinline__ bool is_negative(const wide &a) {
    return a.high >> 63 != 0;
}
__device__ __forceinline__ wide magnitude_of(const wide &a) {
    return is_negative(a) ? -a : a;
}
// By 0 to 127.
__device__ __forceinline__ wide shifted(uint64_t word, int shift) {
    const uint64_t to = word << (shift & 63), over = word >> 1 >> (63 - (shift & 63));
    return shift < 64 ? wide{to, over} : wide{0, to};
}
__device__ __forceinline__ wide widened(int64_t word) {
    return {uint64_t(word), uint64_t(word >> 63)};
}

// ---- What a tile publishes ------------------------------------------------------------------------------------------

struct exact_value {
    uint32_t words[4]; // of the sum: two's complement, the lowest first
    uint32_t flags;    // of exact_flags
};
enum exact_flags : uint32_t {
    exact_others = 1, // some term is not -0
    exact_spilled = 2 // some term is not in the window
};

__device__ __forceinline__ wide sum_of(const exact_value &value) {
    wide sum;
    memcpy(&sum, value.words, sizeof sum);
    return sum;
}
__device__ __forceinline__ exact_value exact_value_of(const wide &sum, uint32_t flags) {
    exact_value value;
    memcpy(value.words, &sum, sizeof sum);
    value.flags = flags;
    return value;
}

struct exact_add {
    static __device__ __forceinline__ exact_value identity() { return {{0, 0, 0, 0}, 0}; }
    __device__ __forceinline__ exact_value operator()(const exact_value &a, const exact_value &b) const {
        return exact_value_of(sum_of(a) + sum_of(b), a.flags | b.flags);
    }
};

// ---- Terms ----------------------------------------------------------------------------------------------------------

template <class Element>
struct float_layout;
template <>
struct float_layout<float> {
    static constexpr int digits = 24, exponent_bits = 8;
    using bits = uint32_t;
};
template <>
struct float_layout<double> {
    static constexpr int digits = 53, exponent_bits = 11;
    using bits = uint64_t;
};
template <>
struct float_layout<f16> {
    static constexpr int digits = 11, exponent_bits = 5;
    using bits = uint16_t;
};
template <>
struct float_layout<bf16> {
    static constexpr int digits = 8, exponent_bits = 8;
    using bits = uint16_t;
};

// Of the terms of elements, or of their squares.
template <class Element, bool Squares>
struct term_layout : float_layout<Element> {
    using layout = float_layout<Element>;
    static constexpr int power = Squares ? 2 : 1, bias = (1 << (layout::exponent_bits - 1)) - 1;
    static constexpr int digits = power * layout::digits;
    static constexpr uint64_t hidden = uint64_t(1) << (layout::digits - 1);
    static constexpr unsigned most_exponent = (1u << layout::exponent_bits) - 1;
    // Where a term with exponent bits e ends.
    static constexpr int position_of(int e) { return power * (e - bias - (layout::digits - 1)) - WF_SUM_UNIT; }
};

// A thread keeps at most so much, in bits beyond the base; what becomes more goes to the cells. 2^21 threads, which is
// more than a launch has, then stay below 2^127.
constexpr int most_thread_bits = 105;
// A window takes terms of so many digits whose position is up to so many beyond its base: 2^20 of them and what was
// there before stay below 2^127, and so often, at the most, a thread looks.
template <int Digits>
constexpr int window_reach = most_thread_bits - 2 - Digits;

// ---- What is not in the window --------------------------------------------------------------------------------------

// Two integers, of the positive and of the negative terms: a carry out of a word is known from what the word was, and
// goes on to the next. Words are of 32 bits, which every GPU's tile memory adds to in one instruction. There are
// several copies, of which lanes take one each, so that they seldom meet.
template <class Layout>
class exact_cells {
  public:
    // From where the least term ends to where the sum of 2^34 of the largest does.
    static constexpr int first_word = Layout::position_of(1) / 32;
    static constexpr int words =
        (Layout::position_of(Layout::most_exponent) + Layout::digits + 34) / 32 - first_word + 2;
    static constexpr unsigned copies = words > 32 ? 4 : 16;
    enum counter { nans, positive_infinities, negative_infinities, users, counters };
    static constexpr unsigned cells = words * 2 * copies + counters;

    // start: the first cell.
    __device__ __forceinline__ exact_cells(const tiled_index &tidx, unsigned start)
        : memory_(tidx), start_(start), copy_(tidx.local % copies) {}
    // A barrier must follow.
    __device__ __forceinline__ void clear(const tiled_index &tidx) const {
        for (unsigned i = tidx.local; i < cells; i += tidx.tile_size)
            memory_[start_ + i] = 0u;
    }
    __device__ __forceinline__ void count(counter what) const {
        add_to_cell(memory_, start_ + words * 2 * copies + what, 1u);
    }
    __device__ __forceinline__ unsigned counted(counter what) const {
        return memory_[start_ + words * 2 * copies + what];
    }
    __device__ __forceinline__ void add(uint64_t significand, int position, bool negative) const {
        const unsigned shift = unsigned(position) % 32;
        unsigned word = unsigned(position) / 32 - unsigned(first_word);
        wide left = shifted(significand, int(shift));
        unsigned carry = 0;
#pragma unroll 1
        while ((left.low | left.high | carry) != 0) {
            const unsigned part = unsigned(left.low) + carry;
            carry = part < carry ? 1 : 0; // then part is 0, and changes nothing
            if (part != 0) {
                const unsigned before = add_to_cell(memory_, index(word, negative), part);
                carry = before + part < part ? 1 : 0;
            }
            left = {left.low >> 32 | left.high << 32, left.high >> 32};
            word++;
        }
    }
    // What a word of the sum is.
    __device__ __forceinline__ int64_t word(unsigned i) const {
        int64_t sum = 0;
#pragma unroll 1
        for (unsigned c = 0; c < copies; c++) {
            const unsigned positive = memory_[start_ + 2 * i * copies + c];
            const unsigned negative = memory_[start_ + (2 * i + 1) * copies + c];
            sum += int64_t(positive) - int64_t(negative);
        }
        return sum;
    }

  private:
    __device__ __forceinline__ unsigned index(unsigned word, bool negative) const {
        return start_ + (2 * word + (negative ? 1 : 0)) * copies + copy_;
    }
    tile_static<unsigned> memory_;
    unsigned start_, copy_;
};

// ---- A thread's part ------------------------------------------------------------------------------------------------

// Whether a group of so many elements always adds up to an integer below 2^53, and if not, how far their exponents may
// lie apart for that.
template <class Element, unsigned Terms>
struct group_layout {
    using layout = float_layout<Element>;
    static constexpr int log2_terms = Terms <= 8 ? 3 : Terms <= 16 ? 4 : 5;
    static_assert(Terms <= 32, "log2_terms is no less than that of the terms");
    static constexpr int most_apart = 53 - layout::digits - log2_terms;
    static constexpr bool always_fits = (1 << layout::exponent_bits) - 4 <= most_apart;
};

// The largest magnitude of some floats, and the least of those that are not 0, from words of one float or of two.
template <unsigned Bytes>
class magnitude_range {
  public:
    __device__ __forceinline__ void take(uint32_t word) {
        if constexpr (Bytes == 4) {
            const uint32_t magnitude = word << 1;
            most_ = magnitude > most_ ? magnitude : most_;
            least_ = magnitude - 1 < least_ ? magnitude - 1 : least_; // zeros wrap
        } else {
            const uint32_t magnitudes = word & 0x7fff7fffu;
            most_ = larger_of_pairs(most_, magnitudes);
            least_ = smaller_of_pairs(least_, one_less_of_pairs(magnitudes));
        }
    }
    // At the least: one less may be of the exponent below.
    __device__ __forceinline__ int exponents_apart(int exponent_bits) const {
        if constexpr (Bytes == 4)
            return int(most_ >> (32 - exponent_bits)) - int(least_ >> (32 - exponent_bits));
        const uint32_t most = larger_of_pairs(most_, most_ >> 16) & 0xffffu;
        const uint32_t least = smaller_of_pairs(least_, least_ >> 16) & 0xffffu;
        return int(most >> (15 - exponent_bits)) - int(least >> (15 - exponent_bits));
    }

  private:
    uint32_t most_ = 0, least_ = ~0u;
};

// A window for doubles: two of 52 bits each. A number is added to one and a half times the power of two of which the
// last place is the upper window's; what that rounds off is added to such a number of the lower window. So the bits of
// the two sums are integers in the windows' units, but for those of the constants (Demmel and Hida, Collange et al.:
// docs/exact.md).
class double_window {
  public:
    // base: the position of the lower window's unit.
    explicit __device__ __forceinline__ double_window(int base) : upper_(constant(base + 52)), lower_(constant(base)) {}

    // flags becomes other than 0 in its upper 12 bits, or rest other than 0, if x is not held exactly.
    __device__ __forceinline__ void add(double x, uint32_t &flags, uint32_t &rest) {
        const double t = x + upper_, r = x - (t - upper_);
        const double u = r + lower_, v = r - (u - lower_);
        const auto t_bits = bits_as<uint64_t>(t), v_bits = bits_as<uint64_t>(v);
        upper_sum_ += t_bits;
        lower_sum_ += bits_as<uint64_t>(u);
        flags |= uint32_t(t_bits >> 32) ^ uint32_t(bits_as<uint64_t>(upper_) >> 32);
        rest |= uint32_t(v_bits >> 32) | uint32_t(v_bits); // of -0 too: it is not worth an instruction
    }
    static __device__ __forceinline__ bool fits(uint32_t flags, uint32_t rest) { return (flags >> 20 | rest) == 0; }
    // What the numbers since the last call come to, in units of the base; there may be up to 4095.
    __device__ __forceinline__ wide take(unsigned count) {
        const auto upper = int64_t(upper_sum_ - count * bits_as<uint64_t>(upper_));
        const auto lower = int64_t(lower_sum_ - count * bits_as<uint64_t>(lower_));
        upper_sum_ = lower_sum_ = 0;
        return wide{uint64_t(upper) << 52, uint64_t(upper >> 12)} + widened(lower);
    }

  private:
    // 1.5 2^(52 + WF_SUM_UNIT + position)
    static __device__ __forceinline__ double constant(int position) {
        return bits_as<double>(uint64_t(52 + WF_SUM_UNIT + 1023 + position) << 52 | uint64_t(1) << 51);
    }
    double upper_, lower_;
    uint64_t upper_sum_ = 0, lower_sum_ = 0;
};

// InF64: doubles go to a window of doubles; others are added in f64, a group at a time, whose sum does. A group is one
// sum of integers below 2^53, so exact, while its exponents lie close enough together. What does not fit goes one by
// one. Else: elements go to a window of integers.
template <class Element, bool Squares, bool InF64>
class exact_terms {
  public:
    using layout = term_layout<Element, Squares>;
    using bits = typename layout::bits;
    using cells = exact_cells<layout>;
    static constexpr unsigned in_pack = element_pack<Element>::size;
    static constexpr int window_digits = InF64 ? 53 : layout::digits;

    // keep: the bits of an element that count; the sign does not where magnitudes are added.
    __device__ __forceinline__ exact_terms(const cells &spill, bits keep, int base)
        : spill_(spill), keep_(keep), base_(base), window_(base) {}

    template <unsigned Packs>
    __device__ __forceinline__ void add_packs(const element_pack<Element> (&packs)[Packs]) {
        if constexpr (InF64) {
            add_group(packs);
        } else {
#pragma unroll
            for (const element_pack<Element> &pack : packs)
                add_pack(pack);
        }
    }
    __device__ __forceinline__ void add_one(Element element) {
        add_slowly(bits_as<bits>(element) & keep_);
    }
    __device__ __forceinline__ exact_value value() {
        flush();
        return exact_value_of(total_, flags_);
    }

  private:
    // The exponents of f64's subnormals and of what is not finite are in no window (window_base()).
    static constexpr bool window_misses_ends = layout::digits == 53;
    static constexpr bits minus_zero = bits(bits(1) << (8 * sizeof(bits) - 1));
    static constexpr unsigned between_flushes = 4000;

    static __device__ __forceinline__ wide term_at(uint64_t significand, int shift, bool negative) {
        const wide term = shifted(significand, shift);
        return negative ? -term : term;
    }

    // What is in the windows goes to the total; and what that is too large for, to the cells.
    __device__ __forceinline__ void flush() {
        if constexpr (InF64)
            total_ = total_ + window_.take(count_);
        count_ = 0;
        const wide magnitude = magnitude_of(total_);
        if (__builtin_expect(magnitude.high >> (most_thread_bits - 64) != 0, 0)) {
            const bool negative = is_negative(total_);
            spill(magnitude.low, base_, negative);
            spill(magnitude.high, base_ + 64, negative);
            total_ = {0, 0};
        }
    }
    __device__ __forceinline__ void count(unsigned terms) {
        count_ += terms;
        if (__builtin_expect(count_ > between_flushes, 0))
            flush();
    }

    // All of them, or none.
    __device__ __forceinline__ void add_pack(const element_pack<Element> &pack) {
        wide sum = {0, 0};
        uint32_t misfits = 0, others = 0;
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
        // AMD's scalar registers hold the conditions.
        [[maybe_unused]] constexpr unsigned at_a_time = Squares ? 1 : in_pack;
#pragma unroll at_a_time
        for (unsigned k = 0; k < in_pack; k++) {
            const bits element = take_element(halves) & keep_;
            unsigned exponent = unsigned(element >> (float_layout<Element>::digits - 1)) & layout::most_exponent;
            const bool is_zero = bits(element << 1) == 0;
            uint64_t significand = (element & (layout::hidden - 1)) | layout::hidden;
            if constexpr (!window_misses_ends) {
                misfits |= exponent == layout::most_exponent ? 1u : 0u;
                if (exponent == 0) { // subnormals end where the least normal numbers do
                    significand ^= layout::hidden;
                    exponent = 1;
                }
            }
            const int shift = layout::position_of(int(exponent)) - base_;
            misfits |= unsigned(shift) > unsigned(window_reach<layout::digits>) && !is_zero ? 1u : 0u;
            others |= element == minus_zero ? 0u : exact_others;
            if constexpr (Squares)
                significand *= significand;
            sum = sum + term_at(is_zero ? 0 : significand, shift & 127, !Squares && (element & minus_zero) != 0);
        }
        if (__builtin_expect(misfits != 0, 0))
            return add_each(pack);
        total_ = total_ + sum;
        flags_ |= others;
        count(in_pack);
    }

    template <unsigned Packs>
    __device__ __forceinline__ void add_group(const element_pack<Element> (&packs)[Packs]) {
        constexpr unsigned terms = Packs * in_pack;
        double_window next = window_;
        uint32_t flags = 0, rest = 0;
        bool fits = true, is_zero = false, others = true;
        if constexpr (sizeof(Element) == 8) {
            uint64_t any = 0;
#pragma unroll
            for (const element_pack<Element> &pack : packs)
#pragma unroll
                for (unsigned k = 0; k < in_pack; k++) {
                    const uint64_t element = bits_as<uint64_t>(pack[k]) & keep_;
                    any |= element ^ minus_zero;
                    next.add(bits_as<double>(element), flags, rest);
                }
            others = any != 0;
        } else {
            const double sum = add_in_f64(packs, fits);
            next.add(sum, flags, rest);
            is_zero = fits && sum == 0;
        }
        if (is_zero)
            others = any_other_than_minus_zero(packs);
        if (__builtin_expect(!fits || !double_window::fits(flags, rest), 0))
            return add_each_of(packs);
        window_ = next;
        flags_ |= others ? exact_others : 0u;
        count(sizeof(Element) == 8 ? terms : 1);
    }

    // The group's sum; fits becomes false if that is not exact. A sum that is not finite does not fit a window.
    template <unsigned Packs>
    __device__ __forceinline__ double add_in_f64(const element_pack<Element> (&packs)[Packs], bool &fits) const {
        using group = group_layout<Element, Packs * in_pack>;
        magnitude_range<sizeof(Element)> range;
        double sums[4] = {0, 0, 0, 0};
#pragma unroll
        for (unsigned p = 0; p < Packs; p++)
#pragma unroll
            for (unsigned w = 0; w < 4; w++) {
                const auto keep = uint32_t(keep_);
                const uint32_t word = packs[p].words[w] & (sizeof(Element) == 4 ? keep : keep << 16 | keep);
                if constexpr (!group::always_fits)
                    range.take(word);
                if constexpr (sizeof(Element) == 4) {
                    sums[w] += widen<double>(bits_as<Element>(word));
                } else {
                    sums[w % 2] += widen<double>(bits_as<Element>(uint16_t(word)));
                    sums[w % 2 + 2] += widen<double>(bits_as<Element>(uint16_t(word >> 16)));
                }
            }
        if constexpr (!group::always_fits)
            fits = range.exponents_apart(float_layout<Element>::exponent_bits) <= group::most_apart;
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    template <unsigned Packs>
    __device__ __forceinline__ bool any_other_than_minus_zero(const element_pack<Element> (&packs)[Packs]) const {
        bits any = 0;
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (unsigned k = 0; k < in_pack; k++)
                any |= bits((bits_as<bits>(pack[k]) & keep_) ^ minus_zero);
        return any != 0;
    }

    template <unsigned Packs>
    __device__ __forceinline__ void add_each_of(const element_pack<Element> (&packs)[Packs]) {
        element_pack<Element> left[Packs]; // the first is next: an index would put them into memory
#pragma unroll
        for (unsigned p = 0; p < Packs; p++)
            left[p] = packs[p];
#pragma unroll 1
        for (unsigned done = 0; done < Packs; done++) {
            add_each(left[0]);
#pragma unroll
            for (unsigned p = 0; p + 1 < Packs; p++)
                left[p] = left[p + 1];
        }
    }
    __device__ __forceinline__ void add_each(const element_pack<Element> &pack) {
        uint64_t halves[2];
        memcpy(halves, pack.words, sizeof halves);
#pragma unroll 1
        for (unsigned k = 0; k < in_pack; k++)
            add_slowly(take_element(halves) & keep_);
    }
    // The first element; the others move up.
    static __device__ __forceinline__ bits take_element(uint64_t (&halves)[2]) {
        constexpr unsigned step = 8 * sizeof(Element);
        const auto first = bits(halves[0]);
        if constexpr (step == 64)
            halves[0] = halves[1];
        else
            halves[0] = halves[0] >> step | halves[1] << (64 - step);
        halves[1] >>= step % 64;
        return first;
    }

    __device__ __forceinline__ void add_slowly(bits element) {
        if (element != minus_zero)
            flags_ |= exact_others;
        if (bits(element << 1) == 0)
            return;
        const wf_sum_term term =
            wf_sum_term_of(element, {float_layout<Element>::digits, float_layout<Element>::exponent_bits},
                           Squares ? WF_TERM_SQUARE : WF_TERM_ELEMENT);
        const int shift = term.position - base_;
        if (term.is_nan || term.is_infinite) {
            note_spill();
            spill_.count(term.is_nan     ? cells::nans
                         : term.negative ? cells::negative_infinities
                                         : cells::positive_infinities);
        } else if (unsigned(shift) <= unsigned(window_reach<layout::digits>)) {
            total_ = total_ + term_at(term.significand, shift, term.negative);
            slow_count_++;
            if (slow_count_ % between_flushes == 0)
                flush();
        } else {
            spill(term.significand, term.position, term.negative);
        }
    }
    __device__ __forceinline__ void spill(uint64_t significand, int position, bool negative) {
        note_spill();
        spill_.add(significand, position, negative);
    }
    __device__ __forceinline__ void note_spill() {
        if ((flags_ & exact_spilled) == 0)
            spill_.count(cells::users);
        flags_ |= exact_spilled;
    }

    cells spill_;
    bits keep_;
    int base_;
    double_window window_; // without InF64 not used
    unsigned count_ = 0, slow_count_ = 0;
    wide total_ = {0, 0};
    uint32_t flags_ = 0;
};

// ---- Where the window lies ------------------------------------------------------------------------------------------

// The largest of some elements lies a few bits below the window's top, for what they add up to. A guess: what does not
// fit is slower, not wrong. A window that holds every element of the type needs none.
template <class Terms, class Element, bool Aligned>
__device__ __forceinline__ int window_base(const packed_array<Element, Aligned> &source) {
    using layout = typename Terms::layout;
    using bits = typename layout::bits;
    constexpr bool in_doubles = Terms::window_digits > layout::digits || layout::digits == 53;
    constexpr int end = in_doubles ? 52 + 51 : window_reach<layout::digits> + layout::digits;
    constexpr int guard = 8;
    if constexpr (layout::position_of(layout::most_exponent) + layout::digits + guard - end <= layout::position_of(1))
        return layout::position_of(1);
    unsigned most = 0;
    const auto look_at = [&](Element element) {
        const unsigned exponent =
            unsigned(bits_as<bits>(element) >> (float_layout<Element>::digits - 1)) & layout::most_exponent;
        most = exponent != layout::most_exponent && exponent > most ? exponent : most;
    };
    if (source.packs() > 0) {
        element_pack<Element> packs[4];
#pragma unroll
        for (unsigned quarter = 0; quarter < 4; quarter++)
            packs[quarter] = source.load(source.packs() / 4 * quarter, 0);
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (unsigned k = 0; k < Terms::in_pack; k++)
                look_at(pack[k]);
    } else if (source.edges() > 0) {
        look_at(source.read(source.index_of_edge(0)));
    }
    if (most == 0)
        most = layout::bias;
    const int base = layout::position_of(int(most)) + layout::digits + guard - end;
    // So that the constants of a window of doubles are doubles, and no exponent of infinity is in another.
    constexpr int most_base = 1900;
    return base < 0 ? 0 : base < most_base ? base : most_base;
}

// ---- The end --------------------------------------------------------------------------------------------------------

// What becomes of the sum.
struct exact_request {
    uint8_t digits, exponent_bits; // of the type into which it is rounded
    uint8_t averages, result;      // wf_exact_result
    uint8_t is_first, is_last;     // of the launches that the sum takes
    uint64_t count;                // of elements in all launches
    int64_t *words; // WF_SUM_WORDS: of the sum, then nans, positive_infinities, negative_infinities and others
};

__device__ __forceinline__ wf_float_format format_of(const exact_request &want) {
    return {want.digits, want.exponent_bits};
}
__device__ __forceinline__ void store_sum(void *result, const exact_request &want, uint64_t bits) {
    const unsigned bytes = (want.digits + want.exponent_bits) / 8u;
    if (bytes == 8)
        *static_cast<uint64_t *>(result) = bits;
    else if (bytes == 4)
        *static_cast<uint32_t *>(result) = uint32_t(bits);
    else
        *static_cast<uint16_t *>(result) = uint16_t(bits);
}

// The common case: everything is in the window.
__device__ __forceinline__ uint64_t round_window(const exact_request &want, const exact_value &total, int base,
                                                 const wf_sum_counts &counts) {
    uint64_t bits;
    if (wf_special_sum(&counts, want.averages != 0, format_of(want), &bits))
        return bits;
    const bool negative = is_negative(sum_of(total));
    const wide magnitude = magnitude_of(sum_of(total));
    const wf_magnitude x = {magnitude.high, magnitude.low, WF_SUM_UNIT + base, false};
    return wf_rounded_finite_sum(x, negative, &counts, want.averages != 0, format_of(want));
}

__device__ __forceinline__ void add_to_words(int64_t *words, const exact_value &total, int base) {
    const bool negative = is_negative(sum_of(total));
    const wide magnitude = magnitude_of(sum_of(total));
    if (magnitude.low != 0)
        wf_add_significand(words, magnitude.low, base, negative);
    if (magnitude.high != 0)
        wf_add_significand(words, magnitude.high, base + 64, negative);
    words[WF_SUM_LIMBS + 3] += total.flags & exact_others;
}

// The words become a state, or are added to one.
__device__ __forceinline__ void put_state(const exact_request &want, const wf_sum_counts &counts, wf_sum_state *state) {
    const bool adds = want.result == WF_EXACT_ADDED;
    if (adds && (wf_flaw_of_state(state) >= 0 || state->count > INT64_MAX - counts.count))
        return; // no state, or one that would not be
    if (adds)
        wf_carry_words(state->limb); // it may be the sum of many
    const wf_sum_counts none = {0, 0, 0, 0, 0};
    wf_sum_counts before = none;
    if (adds)
        before = {state->count, state->nans, state->positive_infinities, state->negative_infinities, state->others};
#pragma unroll 1
    for (int i = 0; i < WF_SUM_LIMBS; i++)
        state->limb[i] = (adds ? state->limb[i] : 0) + want.words[i];
    wf_carry_words(state->limb);
    state->version = WF_SUM_STATE_VERSION;
    state->merged = 1;
    state->count = before.count + counts.count;
    state->nans = before.nans + counts.nans;
    state->positive_infinities = before.positive_infinities + counts.positive_infinities;
    state->negative_infinities = before.negative_infinities + counts.negative_infinities;
    state->others = before.others != 0 || counts.others != 0 ? 1 : 0;
}

// By one thread. false: later parts follow, and the words wait for them.
__device__ __forceinline__ bool finish_exact_sum(const exact_request &want, const exact_value &total, int base,
                                                 void *result) {
    const auto terms = int64_t(want.count);
    if (want.is_first != 0 && want.is_last != 0 && (total.flags & exact_spilled) == 0 &&
        want.result == WF_EXACT_ROUNDED) {
        const wf_sum_counts counts = {terms, 0, 0, 0, int64_t(total.flags & exact_others)};
        store_sum(result, want, round_window(want, total, base, counts));
        return true;
    }
    int64_t *const words = want.words;
    add_to_words(words, total, base);
    wf_carry_words(words);
    if (want.is_last == 0)
        return false;
    const wf_sum_counts counts = {terms, words[WF_SUM_LIMBS], words[WF_SUM_LIMBS + 1], words[WF_SUM_LIMBS + 2],
                                  words[WF_SUM_LIMBS + 3]};
    if (want.result == WF_EXACT_ROUNDED)
        store_sum(result, want, wf_rounded_sum(words, &counts, want.averages != 0, format_of(want)));
    else
        put_state(want, counts, static_cast<wf_sum_state *>(result));
#pragma unroll 1
    for (int i = 0; i < WF_SUM_WORDS; i++)
        words[i] = 0;
    return true;
}

} // namespace wf
#endif
