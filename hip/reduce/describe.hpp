// Several statistics of integers in one pass over the data, as an operator: what wf_describe folds. Of floats:
// describe_floats.hpp.
#ifndef WAVEFOLD_REDUCE_DESCRIBE_HPP
#define WAVEFOLD_REDUCE_DESCRIBE_HPP

#include "moments.hpp"
#include "thread_reduce.hpp"

namespace wf {

// Element: unsigned. Numbers with a sign are described by the kernels of those without one, for fewer kernels: with its
// sign turned each is larger than it was by the bias.
template <class Element>
struct describes {
    using element = Element;
    using launch_moments = typename thread_moments<Element>::value;
    struct value { // what tiles fold,
        launch_moments of;
        typename first_extreme<Element>::value least, largest;
    };
    struct found { // and launches
        moments_of_launch of;
        typename first_extreme<Element>::found least, largest;
    };
    // wf_description.
    struct result {
        uint64_t count, sum, least, largest, least_at, largest_at;
        double mean, variance;
    };
    first_extreme<Element> low, high; // for elements as they are stored (turned_signs, launch.hpp)
    uint64_t bias = 0;                // 0, or of numbers with a sign its bit
    double share = 0;                 // 1 / the elements of all parts

    static __device__ __forceinline__ value identity() {
        return {{}, first_extreme<Element>::identity(), first_extreme<Element>::identity()};
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {launch_moments::joined(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    __device__ __forceinline__ found operator()(const found &a, const found &b) const {
        return {moments_of_launch::joined(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    template <class Words>
    __device__ __forceinline__ value of_wave(const Words &words, const value &mine) const {
        return {mine.of.of_wave(words), low.of_wave(words, mine.least), high.of_wave(words, mine.largest)};
    }
    __device__ __forceinline__ result finish(const found &total, size_t count) const {
        const wide sum = total.of.moments.sum_without(bias, count);
        return {count,
                sum.low,
                number_of(low.which.finish(typename first_extreme<Element>::rank(total.least.rank_bits), 1)),
                number_of(high.which.finish(typename first_extreme<Element>::rank(total.largest.rank_bits), 1)),
                total.least.index,
                total.largest.index,
                quotient(double_of(sum), double(count), share),
                total.of.variance_of_all(count, share)};
    }

  private:
    // As the public API has them, in 64 bits.
    __device__ __forceinline__ uint64_t number_of(Element stored) const { return (stored ^ bias) - bias; }
};

template <class Element, class Packed>
__device__ __forceinline__ moments_of_launch moments_of(const describes<Element> &op,
                                                        const typename describes<Element>::value &value,
                                                        const Packed &source) {
    return moments_of_launch::of(all_moments::of(value.of), source.size(), op.share);
}

// Both packs are on the way at once. Meanwhile there is time for the variance, which is that of all if no other launch
// follows: behind them small arrays took 3 to 7 % longer (docs/experiments.md).
template <class Element, class Packed>
__device__ __forceinline__ auto resolved(const describes<Element> &op, const typename describes<Element>::value &value,
                                         const Packed &source, uint64_t first) {
    const auto with_least = pack_of(op.low, value.least, source),
               with_largest = pack_of(op.high, value.largest, source);
    auto of = moments_of(op, value, source);
    compute_barrier(of.variance);
    return typename describes<Element>::found{of, resolved_in(op.low, value.least, with_least, source, first),
                                              resolved_in(op.high, value.largest, with_largest, source, first)};
}

// A thread's part; Finder finds where an extreme stands.
template <class Element, class Finder>
class thread_description {
  public:
    __device__ __forceinline__ thread_description(const describes<Element> &op, const Finder &low, const Finder &high)
        : bias_(Element(op.bias)), low_(low), high_(high) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        if constexpr (sizeof(Element) == 1) {
#pragma unroll
            for (unsigned k = 0; k < 4; k++)
                moments_.add_word(from.words[k] ^ bias_ * 0x01010101u);
        } else {
#pragma unroll
            for (unsigned k = 0; k < from.size; k++)
                moments_.add_one(Element(from[k] ^ bias_));
        }
        low_.add_pack(from, p);
        high_.add_pack(from, p);
    }
    __device__ __forceinline__ void flush() {
        moments_.flush();
    }
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        moments_.add_one(Element(from ^ bias_));
        low_.add_one(from, item);
        high_.add_one(from, item);
    }
    template <class Packed>
    __device__ __forceinline__ typename describes<Element>::value result(const Packed &source, unsigned first) const {
        return {moments_.result(), low_.result(source, first), high_.result(source, first)};
    }

  protected:
    const Element bias_;
    thread_moments<Element> moments_;
    Finder low_, high_;
};

template <class Element>
class thread_reduce<describes<Element>> : public thread_description<Element, place_finder<Element>> {
  public:
    using finder = place_finder<Element>;
    explicit __device__ __forceinline__ thread_reduce(const describes<Element> &op)
        : thread_description<Element, finder>(op, finder(op.low), finder(op.high)) {}
};

template <class Element, class Packed>
class short_thread_reduce<describes<Element>, Packed, std::enable_if_t<sizeof(Element) >= 4>>
    : public thread_description<Element, short_thread_reduce<first_extreme<Element>, Packed>> {
  public:
    using finder = short_thread_reduce<first_extreme<Element>, Packed>;
    __device__ __forceinline__ short_thread_reduce(const describes<Element> &op, const Packed &source)
        : thread_description<Element, finder>(op, finder(op.low, source), finder(op.high, source)), op_(op),
          source_(source) {}
    __device__ __forceinline__ auto found(const typename describes<Element>::value &total) const {
        return typename describes<Element>::found{moments_of(op_, total, source_), this->low_.found(total.least),
                                                  this->high_.found(total.largest)};
    }

  private:
    const describes<Element> &op_;
    const Packed &source_;
};

template <class Element>
constexpr unsigned short_packs<describes<Element>> = WF_FEW_SHORT_PACKS;

template <class Element>
constexpr unsigned largest_tile_of<describes<Element>> = largest_tile_of_large_values;

template <class Element>
constexpr unsigned loads_in_flight_of<thread_reduce<describes<Element>>> = sizeof(Element) == 1 ? 2 : loads_in_flight;

} // namespace wf
#endif
