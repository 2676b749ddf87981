// What descriptions of rows fold. Each value has at most the bytes that a shuffle moves.
//
//   described<Element>   integers, unsigned, by their bits; floats
//       bits             an element's
//       sums             of the first reading: a lane's part has add(x), and value()
//       sums_of          joins them
#ifndef WAVEFOLD_AXES_DESCRIBE_FOLDS_HPP
#define WAVEFOLD_AXES_DESCRIBE_FOLDS_HPP

#include "../reduce/moments.hpp"
#include "axes_arguments.hpp"

#include "exact/deviations.h"

namespace wf {

// The first least and the first largest element.
template <class Bits>
struct first_extremes {
    using place = axis_first_extreme<Bits>;
    struct value {
        using rank = typename place::rank;
        typename place::value least, most;
    };
    place low, high;

    static __device__ __forceinline__ value identity() { return {place::identity(), place::identity()}; }
    __device__ __forceinline__ void add(value &total, Bits x, uint64_t index) const {
        const Bits one[] = {x};
        low.add(total.least, one, index, 1);
        high.add(total.most, one, index, 1);
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {low(a.least, b.least), high(a.most, b.most)};
    }
};

struct joined_moments {
    using value = all_moments;
    static __device__ __forceinline__ value identity() { return {}; }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {all_moments::joined(a, b)};
    }
};

// The exact sum, and the NaN that are ignored: these add nothing.
struct sum_of_numbers {
    struct value {
        wf_sum_pair sum;
        uint64_t ignored;
    };
    static __device__ __forceinline__ value identity() { return {{-0.0, 0}, 0}; }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {joined_pairs(a.sum, b.sum), a.ignored + b.ignored};
    }
};

struct joined_deviations {
    using value = wf_deviations;
    static __device__ __forceinline__ value identity() { return {0, 0, 0, 0}; }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return wf_joined_deviations(&a, &b);
    }
};

// Tile memory for each thread, which the folds use in turn.
constexpr size_t description_cell_bytes = 40;
static_assert(sizeof(all_moments) <= description_cell_bytes &&
                  sizeof(sum_of_numbers::value) <= description_cell_bytes &&
                  sizeof(first_extremes<uint64_t>::value) <= description_cell_bytes &&
                  sizeof(wf_deviations) <= description_cell_bytes &&
                  sizeof(wf_deviation_scale) <= description_cell_bytes,
              "a cell holds each of them");

template <class Element, class = void>
struct described {
    using bits = Element;
    using sums_of = joined_moments;
    first_extremes<bits> extremes;
    Element bias; // of numbers with a sign the sign bit

    class sums {
      public:
        explicit __device__ __forceinline__ sums(const described &op) : bias_(op.bias) {}
        __device__ __forceinline__ void add(Element x) {
            moments_.add_one(Element(x ^ bias_));
            moments_.flush(); // few numbers fit its narrow sums
        }
        __device__ __forceinline__ all_moments value() const { return all_moments::of(moments_.result()); }

      private:
        Element bias_;
        thread_moments<Element> moments_;
    };
    // As the public API has them, in 64 bits.
    __device__ __forceinline__ uint64_t number(Element stored) const { return (stored ^ uint64_t(bias)) - bias; }
};

template <class Element>
struct described<Element, std::enable_if_t<is_float<Element>>> {
    using bits = typename unsigned_of_bytes<sizeof(Element)>::type;
    using sums_of = sum_of_numbers;
    first_extremes<bits> extremes;
    uint32_t ignores_nan;

    // -0 changes no sum.
    __device__ __forceinline__ double term(Element x) const {
        const double made = wide_of(x);
        return ignores_nan != 0 && made != made ? -0.0 : made;
    }
    static __device__ __forceinline__ double wide_of(Element x) {
        return double(widen<std::conditional_t<sizeof(Element) == 8, double, float>>(x));
    }
    class sums {
      public:
        explicit __device__ __forceinline__ sums(const described &op) : op_(op), all_(sum_of_numbers::identity()) {}
        __device__ __forceinline__ void add(Element x) {
            const double made = wide_of(x);
            all_.ignored += op_.ignores_nan != 0 && made != made ? 1 : 0;
            add_term(all_.sum, op_.term(x));
        }
        __device__ __forceinline__ sum_of_numbers::value value() const { return all_; }

      private:
        const described &op_;
        sum_of_numbers::value all_;
    };
    __device__ __forceinline__ uint64_t number(bits stored) const {
        const double made = wide_of(bits_as<Element>(stored));
        return bits_as<uint64_t>(made == made ? made : not_a_number());
    }
};

} // namespace wf
#endif
