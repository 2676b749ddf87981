// Several statistics of one pass over the data, as an operator: what wf_describe folds.
#ifndef WAVEFOLD_REDUCE_DESCRIBE_HPP
#define WAVEFOLD_REDUCE_DESCRIBE_HPP

#include "thread_reduce.hpp"

namespace wf {

// Numbers as the public API has them: floats in f64, integers in 64 bits.
template <class Element>
__device__ __forceinline__ uint64_t number_of(Element value) {
    if constexpr (is_float<Element>)
        return bits_as<uint64_t>(widen<double>(value));
    else if constexpr (std::is_signed_v<Element>)
        return uint64_t(int64_t(value));
    else
        return value;
}

template <class Element>
struct describes {
    using element = Element;
    using sum_type = std::conditional_t<is_float<Element>, double, uint64_t>;
    // squares: of distances from the mean.
    struct moments {
        uint64_t count;
        sum_type sum;
        double mean, squares;
    };
    struct value { // what tiles fold,
        moments of;
        typename first_extreme<Element>::value least, largest;
    };
    struct found { // and launches
        moments of;
        typename first_extreme<Element>::found least, largest;
    };
    // wf_description.
    struct result {
        uint64_t count;
        sum_type sum;
        uint64_t least, largest, least_at, largest_at;
        double mean, variance;
    };
    first_extreme<Element> low, high;

    static __device__ __forceinline__ value identity() {
        return {{0, 0, 0, 0}, first_extreme<Element>::identity(), first_extreme<Element>::identity()};
    }
    __device__ __forceinline__ bool ignores_nan() const { return low.which.nan == ranks<Element>::most; }
    // After Chan, Golub and LeVeque (1983).
    static __device__ __forceinline__ moments join(const moments &a, const moments &b) {
        if (a.count == 0)
            return b;
        if (b.count == 0)
            return a;
        const double all = double(a.count + b.count), share_of_b = double(b.count) / all, apart = b.mean - a.mean;
        return {a.count + b.count, a.sum + b.sum, a.mean + apart * share_of_b,
                a.squares + b.squares + apart * apart * double(a.count) * share_of_b};
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {join(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    __device__ __forceinline__ found operator()(const found &a, const found &b) const {
        return {join(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    __device__ __forceinline__ result finish(const found &total, size_t) const {
        // Floats' sum and mean, also of none and of infinities, are the exact sum's (launch_DESCRIBE).
        return {total.of.count,
                total.of.sum,
                number_of(low.which.finish(typename first_extreme<Element>::rank(total.least.rank_bits), 1)),
                number_of(high.which.finish(typename first_extreme<Element>::rank(total.largest.rank_bits), 1)),
                total.least.index,
                total.largest.index,
                total.of.mean,
                total.of.squares / double(total.of.count)};
    }
};

template <class Element, class Packed>
__device__ __forceinline__ auto resolved(const describes<Element> &op, const typename describes<Element>::value &value,
                                         const Packed &source, uint64_t first) {
    return typename describes<Element>::found{value.of, resolved(op.low, value.least, source, first),
                                              resolved(op.high, value.largest, source, first)};
}

// Distances are taken from the first element that the thread sees: however large the mean, they are as large as the
// data are far apart.
template <class Element>
class thread_reduce<describes<Element>> {
  public:
    using op_type = describes<Element>;
    explicit __device__ __forceinline__ thread_reduce(const op_type &op) : op_(op), low_(op.low), high_(op.high) {}

    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
#pragma unroll
        for (unsigned k = 0; k < from.size; k++)
            take_moments(from[k]);
        low_.add_pack(from, p);
        high_.add_pack(from, p);
    }
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        take_moments(from);
        low_.add_one(from, item);
        high_.add_one(from, item);
    }
    template <class Packed>
    __device__ __forceinline__ typename op_type::value result(const Packed &source, unsigned first) const {
        const double count = double(count_), mean = count_ != 0 ? apart_ / count : 0;
        return {{count_, sum_, pivot_ + mean, squares_ - apart_ * mean},
                low_.result(source, first),
                high_.result(source, first)};
    }

    __device__ __forceinline__ void flush() {}

  private:
    __device__ __forceinline__ void take_moments(Element from) {
        if (is_nan(from) && op_.ignores_nan())
            return;
        const auto wide = widen<std::conditional_t<is_float<Element>, double, Element>>(from);
        if (count_ == 0)
            pivot_ = double(wide);
        const double apart = double(wide) - pivot_;
        count_++;
        sum_ += typename op_type::sum_type(wide);
        apart_ += apart;
        squares_ += apart * apart;
    }

    const op_type &op_;
    place_finder<Element> low_, high_;
    uint64_t count_ = 0;
    typename op_type::sum_type sum_ = 0;
    double pivot_ = 0, apart_ = 0, squares_ = 0;
};

template <class Element>
constexpr unsigned largest_tile_of<describes<Element>> = largest_tile_of_large_values;

template <class Element>
constexpr unsigned loads_in_flight_of<thread_reduce<describes<Element>>> = sizeof(Element) == 1 ? 1 : 2;

} // namespace wf
#endif
