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
    // Integers' sum wraps; that of floats comes from exact (launch_DESCRIBE).
    struct whole_sum {
        uint64_t sum;
    };
    struct no_sum {};
    // Distances from a pivot near the data. They are joined without a division, which would take most of a join's time.
    struct distances : std::conditional_t<is_float<Element>, no_sum, whole_sum> {
        double count, pivot, total, squares;
    };
    // squares: of distances from the mean.
    struct moments {
        uint64_t count;
        sum_type sum;
        double mean, squares;
    };
    // Squares of f64 may leave its range where the pivot is not the mean. With distances of 8-byte integers nvcc
    // spilled in the loop, which was 14 % slower.
    using tile_moments = std::conditional_t<sizeof(Element) == 8, moments, distances>;
    struct value { // what tiles fold,
        tile_moments of;
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
        return {{}, first_extreme<Element>::identity(), first_extreme<Element>::identity()};
    }
    __device__ __forceinline__ bool ignores_nan() const { return low.which.nan == ranks<Element>::most; }
    // Those of b from a's pivot: each is farther off by the same.
    static __device__ __forceinline__ distances join(const distances &a, const distances &b) {
        distances all;
        if constexpr (!is_float<Element>)
            all.sum = a.sum + b.sum;
        all.count = a.count + b.count;
        all.pivot = a.count != 0 ? a.pivot : b.pivot;
        const double farther = b.pivot - all.pivot, by_all = b.count * farther;
        all.total = a.total + (b.total + by_all);
        all.squares = a.squares + (b.squares + farther * (2 * b.total + by_all));
        return all;
    }
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
    // Of no element: zeros.
    static __device__ __forceinline__ moments moments_of(const distances &from) {
        sum_type sum = 0;
        if constexpr (!is_float<Element>)
            sum = from.sum;
        const double mean = from.count != 0 ? from.total / from.count : 0, squares = from.squares - from.total * mean;
        return {uint64_t(from.count), sum, from.pivot + mean, squares < 0 ? 0 : squares};
    }
    static __device__ __forceinline__ const moments &moments_of(const moments &of) { return of; }
    // The mean is the pivot.
    static __device__ __forceinline__ tile_moments about_mean(const moments &of) {
        if constexpr (std::is_same_v<tile_moments, moments>) {
            return of;
        } else {
            distances from;
            if constexpr (!is_float<Element>)
                from.sum = of.sum;
            from.count = double(of.count);
            from.pivot = of.mean;
            from.total = 0;
            from.squares = of.squares;
            return from;
        }
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
    return typename describes<Element>::found{op.moments_of(value.of), resolved(op.low, value.least, source, first),
                                              resolved(op.high, value.largest, source, first)};
}

// A thread's pivot is the first number that it sees, and in the end the mean of those it has seen: however large the
// mean, the distances are as large as the data are far apart.
template <class Element>
class thread_reduce<describes<Element>> {
  public:
    using op_type = describes<Element>;
    explicit __device__ __forceinline__ thread_reduce(const op_type &op) : op_(op), low_(op.low), high_(op.high) {}

    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        if constexpr (element_pack<Element>::size == 2) { // too few to decide for all at once
            take_one(from[0]);
            take_one(from[1]);
        } else {
            take_all(from);
        }
        low_.add_pack(from, p);
        high_.add_pack(from, p);
    }
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        take_one(from);
        low_.add_one(from, item);
        high_.add_one(from, item);
    }
    template <class Packed>
    __device__ __forceinline__ typename op_type::value result(const Packed &source, unsigned first) const {
        typename op_type::distances all = of_;
        all.count = double(count_);
        return {op_.about_mean(op_.moments_of(all)), low_.result(source, first), high_.result(source, first)};
    }

    __device__ __forceinline__ void flush() {}

  private:
    __device__ __forceinline__ bool counts(Element from) const { return !(is_nan(from) && op_.ignores_nan()); }
    static __device__ __forceinline__ double wide(Element from) {
        return double(widen<std::conditional_t<is_float<Element>, double, Element>>(from));
    }
    __device__ __forceinline__ void take_one(Element from) {
        if (!counts(from))
            return;
        if (count_ == 0)
            of_.pivot = wide(from);
        count_++;
        add(from);
    }
    __device__ __forceinline__ void take_all(const element_pack<Element> &from) {
        if (count_ == 0) {
#pragma unroll
            for (unsigned k = from.size; k-- > 0;)
                of_.pivot = counts(from[k]) ? wide(from[k]) : of_.pivot;
        }
        unsigned counted = 0;
#pragma unroll
        for (unsigned k = 0; k < from.size; k++)
            if (counts(from[k])) {
                counted++;
                add(from[k]);
            }
        count_ += counted;
    }
    __device__ __forceinline__ void add(Element from) {
        if constexpr (!is_float<Element>)
            of_.sum += uint64_t(from);
        const double apart = wide(from) - of_.pivot;
        of_.total += apart;
        of_.squares += apart * apart;
    }

    const op_type &op_;
    place_finder<Element> low_, high_;
    uint64_t count_ = 0;
    typename op_type::distances of_ = {}; // but its count
};

template <class Element>
constexpr unsigned largest_tile_of<describes<Element>> = largest_tile_of_large_values;

template <class Element>
constexpr unsigned loads_in_flight_of<thread_reduce<describes<Element>>> = sizeof(Element) == 1 ? 1 : 2;

} // namespace wf
#endif
