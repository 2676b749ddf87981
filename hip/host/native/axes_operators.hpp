// What a reduction along axes does with elements: blocks of accumulators side by side, in arrays that compilers turn
// into vectors. Each operator has the same five functions:
//
//   block          the accumulators of some results
//   start(c)       result c has no elements
//   add(c, x, i)   takes an element, and its index among those of the result
//   join(c, o, k)  takes what result k of block o has, whose elements follow
//   finish(...)    writes a result; it may read the elements again
#ifndef WAVEFOLD_HOST_NATIVE_AXES_OPERATORS_HPP
#define WAVEFOLD_HOST_NATIVE_AXES_OPERATORS_HPP

#include "arithmetic.hpp"
#include "axes_kernels.hpp"
#include "axes_tiles.hpp"
#include "extremes.hpp"
#include "ordered.hpp"

#include "axes/request.h"
#include "exact/sum_pair.h"
#include "exact/sum_state.h"

namespace wf::host::native {
namespace {

// A result whose elements are read again: visit(address) for each, in C order.
class axes_row {
  public:
    axes_row(const wf_axes_request &request, const char *first, size_t element_bytes)
        : request_(request), first_(first), element_bytes_(element_bytes) {}
    template <class Visit>
    void each(const Visit &visit) const {
        uint64_t index[WF_MOST_DIMENSIONS] = {};
        const wf_axis_list &reduced = request_.reduced;
        const char *at = first_;
        for (uint64_t i = 0; i < request_.length; i++) {
            visit(at);
            for (uint32_t d = reduced.length; d-- > 0;) {
                const wf_axis &axis = reduced.axis[d];
                const auto step = axis.stride * int64_t(element_bytes_);
                at += step;
                if (++index[d] < axis.count)
                    break;
                at -= step * int64_t(axis.count);
                index[d] = 0;
            }
        }
    }

  private:
    const wf_axes_request &request_;
    const char *first_;
    size_t element_bytes_;
};

// Integer sums, products of every type.
template <class Element, class Accumulator, class Op, wf_term Term>
struct axes_arithmetic {
    using element = Element;
    static constexpr bool is_ordered = false;
    using number = std::conditional_t<std::is_floating_point_v<Accumulator>, Accumulator,
                                      std::conditional_t<sizeof(Accumulator) == 8, uint64_t, uint32_t>>;
    struct block {
        number total[axes_block::most];
        explicit block(const wf_axes_request &) {}
        void start(size_t c) { total[c] = static_cast<number>(Op::identity); }
        void add(size_t c, const char *at, uint64_t) {
            total[c] = Op()(total[c], term_of<Term, Element>(lift_one<number, Element>(at)));
        }
        void join(size_t c, const block &other, size_t k) { total[c] = Op()(total[c], other.total[k]); }
        void finish(const wf_axes_request &request, size_t c, const axes_row &, void *result) const {
            const auto sum = static_cast<Accumulator>(total[c]);
            if (request.op != WF_MEAN)
                put(sum, result);
            else if (request.length == 0)
                put(bits_as<double>(wf_nan_bits(WF_F64)), result);
            else
                put(static_cast<double>(sum) / static_cast<double>(request.length), result);
        }
    };
};

// Sums of floats, exact and rounded once; and means of integers in f64, whose elements are rounded to f64 first.
template <class Element, wf_term Term>
struct axes_float_sum {
    using element = Element;
    using tile = std::conditional_t<is_float<Element>, tile_sums<Element, Term>, no_tiles>;
    static constexpr bool is_ordered = false;
    static double term(const char *at) {
        // The product is made before it is added: contracted, the sum would not have its rounding.
        double made = lift_one<double, Element>(at);
        made = Term == WF_TERM_MAGNITUDE ? __builtin_fabs(made) : term_of<Term, double>(made); // 0 for -0, too
        if constexpr (Term == WF_TERM_SQUARE && sizeof(Element) == 8)
            __asm__("" : "+x"(made));
        return made;
    }
    struct block {
        double sum[axes_block::most], rest[axes_block::most];
        uint64_t lost[axes_block::most];
        tile tiles;
        explicit block(const wf_axes_request &) {}
        void start(size_t c) {
            sum[c] = -0.0;
            rest[c] = 0;
            lost[c] = has_float_environment ? 0 : 1; // else subnormals may count as 0
        }
        void add(size_t c, const char *at, uint64_t) { add_term(c, term(at)); }
        // Neighbours in a row, at most block_length, if their sum is exact in a few doubles.
        bool add_neighbours(size_t c, const char *at, size_t count) {
            tile_parts parts;
            if (!tiles.add_neighbours(at, count, &parts))
                return false;
            for (size_t i = 0; i < parts.count; i++)
                add_term(c, parts.value[i]);
            return true;
        }
        // Rows of `count` neighbours, at most rows_at_once, each for a result of its own.
        bool add_columns(const char *at, int64_t step, size_t rows, size_t count) {
            double sums[axes_block::most];
            if (!tile::add_columns(at, step, rows, count, sums))
                return false;
            for (size_t c = 0; c < count; c++)
                add_term(c, sums[c]);
            return true;
        }
        void join(size_t c, const block &other, size_t k) {
            add_term(c, other.sum[k]);
            double off;
            rest[c] = wf_two_sum(rest[c], other.rest[k], &off);
            lost[c] |= other.lost[k] | (off == 0 ? uint64_t(0) : uint64_t(1));
        }
        void finish(const wf_axes_request &request, size_t c, const axes_row &row, void *result) const {
            const bool averages = request.op == WF_MEAN;
            const wf_type to = std::is_integral_v<Element> ? WF_F64 : request.accumulator;
            uint64_t bits;
            const double whole = sum[c] + rest[c]; // may overflow where the mean does not
            if (lost[c] != 0 || whole - whole != 0) {
                bits = sum_again(request, row, to);
            } else {
                const wf_sum_pair pair = {sum[c], rest[c]};
                bits = wf_round_pair(&pair, request.length, averages, wf_format_of(to));
            }
            __builtin_memcpy(result, &bits, wf_bytes_of_type(to)); // the low bytes
        }

      private:
        void add_term(size_t c, double x) {
            double off, off_again;
            sum[c] = wf_two_sum(sum[c], x, &off);
            rest[c] = wf_two_sum(rest[c], off, &off_again);
            lost[c] |= off_again == 0 ? uint64_t(0) : uint64_t(1);
        }
        // By long integers.
        static __attribute__((noinline)) uint64_t sum_again(const wf_axes_request &request, const axes_row &row,
                                                            wf_type to) {
            wf_sum_state state;
            wf_start_state(&state);
            state.count = int64_t(request.length);
            uint64_t added = 0;
            row.each([&](const char *at) {
                const auto of = bits_as<uint64_t>(term(at));
                const uint64_t hidden = uint64_t(1) << 52, fraction = of & (hidden - 1);
                const int exponent = int(of >> 52 & 2047);
                state.others |= of != uint64_t(1) << 63;
                if (exponent == 2047) {
                    (fraction != 0   ? state.nans
                     : of >> 63 != 0 ? state.negative_infinities
                                     : state.positive_infinities)++;
                    return;
                }
                wf_add_significand(state.limb, exponent == 0 ? fraction : fraction | hidden,
                                   exponent == 0 ? 0 : exponent - 1, of >> 63 != 0);
                if (++added % (uint64_t(1) << 30) == 0)
                    wf_carry_words(state.limb);
            });
            wf_normalise_state(&state);
            return wf_round_state(&state, request.op == WF_MEAN, to);
        }
    };
};

template <class Element, class Op>
struct axes_bitwise {
    using element = Element;
    static constexpr bool is_ordered = false;
    struct block {
        Element bits[axes_block::most];
        explicit block(const wf_axes_request &) {}
        void start(size_t c) { bits[c] = static_cast<Element>(Op::identity); }
        void add(size_t c, const char *at, uint64_t) { bits[c] = Op()(bits[c], load<Element>(at)); }
        void join(size_t c, const block &other, size_t k) { bits[c] = Op()(bits[c], other.bits[k]); }
        void finish(const wf_axes_request &, size_t c, const axes_row &, void *result) const { put(bits[c], result); }
    };
};

// Ranks that grow towards the wanted extreme: those of min are turned round. NaN has one end of the range: the upper
// one if it propagates, the lower one if it is skipped.
template <class Element>
struct axes_extreme {
    using rank = typename ranks<Element>::rank;
    rank flip, of_nan;
    axes_extreme(const wf_axes_request &request, bool largest)
        : flip(largest ? rank(0) : rank(~rank(0))),
          of_nan(request.nan == WF_NAN_IGNORE ? ranks<Element>::least : ranks<Element>::most) {}
    static constexpr rank none = ranks<Element>::least;
    rank of(const char *at) const {
        const rank plain = ranks<Element>::of(load<rank>(at));
        return ranks<Element>::is_nan(plain) ? of_nan : rank(plain ^ flip);
    }
    Element back(rank value) const {
        const rank plain = rank(value ^ flip);
        if constexpr (is_float<Element>) {
            const bool is_nan = value == ranks<Element>::most || value == ranks<Element>::least;
            return bits_as<Element>(is_nan ? ranks<Element>::quiet_nan : ranks<Element>::of(plain));
        } else {
            return bits_as<Element>(plain);
        }
    }
    // The result of no elements: the identity, or NaN where NaN is skipped.
    Element of_none(const wf_axes_request &request, bool largest) const {
        if constexpr (is_float<Element>) {
            const rank infinity = request.nan == WF_NAN_IGNORE ? ranks<Element>::quiet_nan : ranks<Element>::infinity;
            const rank sign = rank(~ranks<Element>::most);
            return bits_as<Element>(request.nan != WF_NAN_IGNORE && largest ? rank(infinity | sign) : infinity);
        } else {
            return bits_as<Element>(largest ? ranks<Element>::least : ranks<Element>::most);
        }
    }
};

template <class Element>
struct axes_extremes { // min, max, minmax
    using element = Element;
    static constexpr bool is_ordered = false;
    using rank = typename axes_extreme<Element>::rank;
    struct block {
        rank least[axes_block::most], most[axes_block::most];
        axes_extreme<Element> low, high;
        explicit block(const wf_axes_request &request) : low(request, false), high(request, true) {}
        void start(size_t c) { least[c] = most[c] = axes_extreme<Element>::none; }
        void add(size_t c, const char *at, uint64_t) {
            least[c] = greater()(least[c], low.of(at));
            most[c] = greater()(most[c], high.of(at));
        }
        void join(size_t c, const block &other, size_t k) {
            least[c] = greater()(least[c], other.least[k]);
            most[c] = greater()(most[c], other.most[k]);
        }
        void finish(const wf_axes_request &request, size_t c, const axes_row &, void *result) const {
            const bool is_empty = request.length == 0;
            auto *to = static_cast<char *>(result);
            if (request.op != WF_MAX) {
                put(is_empty ? low.of_none(request, false) : low.back(least[c]), to);
                to += sizeof(Element);
            }
            if (request.op != WF_MIN)
                put(is_empty ? high.of_none(request, true) : high.back(most[c]), to);
        }
    };
};

template <class Element>
struct axes_first_extreme { // argmin, argmax
    using element = Element;
    static constexpr bool is_ordered = false;
    using rank = typename axes_extreme<Element>::rank;
    struct block {
        rank best[axes_block::most];
        uint64_t index[axes_block::most];
        axes_extreme<Element> which;
        explicit block(const wf_axes_request &request) : which(request, request.op == WF_ARGMAX) {}
        void start(size_t c) {
            best[c] = axes_extreme<Element>::none;
            index[c] = nowhere;
        }
        void add(size_t c, const char *at, uint64_t i) {
            const rank here = which.of(at);
            // Of floats only a NaN that is skipped has the rank of none.
            const bool takes = here > best[c] || (!is_float<Element> && here == best[c] && i < index[c]);
            best[c] = takes ? here : best[c];
            index[c] = takes ? i : index[c];
        }
        void join(size_t c, const block &other, size_t k) {
            const bool takes = other.best[k] > best[c] || (other.best[k] == best[c] && other.index[k] < index[c]);
            best[c] = takes ? other.best[k] : best[c];
            index[c] = takes ? other.index[k] : index[c];
        }
        void finish(const wf_axes_request &request, size_t c, const axes_row &, void *result) const {
            uint64_t pair[2] = {0, index[c]};
            put(request.length == 0 ? which.of_none(request, request.op == WF_ARGMAX) : which.back(best[c]), pair);
            __builtin_memcpy(result, pair, sizeof pair);
        }
    };
};

template <class Ordered>
struct axes_ordered { // matmul, affine
    using element = Ordered;
    static constexpr bool is_ordered = true;
    struct block {
        Ordered so_far[axes_block::most];
        explicit block(const wf_axes_request &) {}
        void start(size_t c) { so_far[c] = Ordered(); }
        void add(size_t c, const char *at, uint64_t) { so_far[c].then(load<Ordered>(at)); }
        void join(size_t c, const block &other, size_t k) { so_far[c].then(other.so_far[k]); }
        void finish(const wf_axes_request &, size_t c, const axes_row &, void *result) const { put(so_far[c], result); }
    };
};

} // namespace
} // namespace wf::host::native
#endif
