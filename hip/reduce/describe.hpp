// Several statistics of integers in one pass over the data, as an operator: what wf_describe folds. Of floats:
// describe_floats.hpp.
#ifndef WAVEFOLD_REDUCE_DESCRIBE_HPP
#define WAVEFOLD_REDUCE_DESCRIBE_HPP

#include "exact_value.hpp"
#include "thread_reduce.hpp"

namespace wf {

// Numbers as the public API has them, in 64 bits.
template <class Element>
__device__ __forceinline__ uint64_t number_of(Element value) {
    if constexpr (std::is_signed_v<Element>)
        return uint64_t(int64_t(value));
    else
        return value;
}

// Of integers of 1 to 4 bytes: what elements and their squares come to, with no bit lost. Launches have 2^48 elements
// at the most, of 32 bits, so no sum of squares has more than 112.
struct exact_moments {
    wide sum, squares;

    static __device__ __forceinline__ exact_moments joined(const exact_moments &a, const exact_moments &b) {
        return {a.sum + b.sum, a.squares + b.squares};
    }
    __device__ __forceinline__ uint64_t wrapped_sum() const { return sum.low; }
    __device__ __forceinline__ double mean(uint64_t count) const { return double_of(sum) / double(count); }
    // About the integer next to the mean, exactly. What that is off adds up to half of the squares at the most.
    __device__ __forceinline__ double variance(uint64_t count) const {
        const auto pivot = int64_t(std::rint(mean(count)));
        const uint64_t far = pivot < 0 ? uint64_t(0) - uint64_t(pivot) : uint64_t(pivot); // up to 2^32
        const wide there = product(count, far), all = magnitude_of(sum);
        const wide off = sum + (pivot < 0 ? there : -there);
        const wide crossed = product(all.low, far) + wide{0, all.high * far};
        const wide twice = crossed + crossed, about = squares + product(far * far, count);
        const double n = double(count), apart = double_of(off);
        return (double_of(about + (is_negative(sum) == (pivot < 0) ? -twice : twice)) - apart * (apart / n)) / n;
    }
};

// Of larger ones. squares: of distances from the mean.
struct rounded_moments {
    uint64_t of, sum;
    double center, squares;

    // After Chan, Golub and LeVeque (1983).
    static __device__ __forceinline__ rounded_moments joined(const rounded_moments &a, const rounded_moments &b) {
        if (a.of == 0)
            return b;
        if (b.of == 0)
            return a;
        const double all = double(a.of + b.of), share_of_b = double(b.of) / all, apart = b.center - a.center;
        return {a.of + b.of, a.sum + b.sum, a.center + apart * share_of_b,
                a.squares + b.squares + apart * apart * double(a.of) * share_of_b};
    }
    __device__ __forceinline__ uint64_t wrapped_sum() const { return sum; }
    __device__ __forceinline__ double mean(uint64_t) const { return center; }
    __device__ __forceinline__ double variance(uint64_t count) const { return squares / double(count); }
};

template <class Element>
struct describes {
    using element = Element;
    using moments = std::conditional_t<sizeof(Element) <= 4, exact_moments, rounded_moments>;
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
        uint64_t count, sum, least, largest, least_at, largest_at;
        double mean, variance;
    };
    first_extreme<Element> low, high;

    static __device__ __forceinline__ value identity() {
        return {{}, first_extreme<Element>::identity(), first_extreme<Element>::identity()};
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {moments::joined(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    __device__ __forceinline__ found operator()(const found &a, const found &b) const {
        return {moments::joined(a.of, b.of), low(a.least, b.least), high(a.largest, b.largest)};
    }
    __device__ __forceinline__ result finish(const found &total, size_t count) const {
        return {count,
                total.of.wrapped_sum(),
                number_of(low.which.finish(typename first_extreme<Element>::rank(total.least.rank_bits), 1)),
                number_of(high.which.finish(typename first_extreme<Element>::rank(total.largest.rank_bits), 1)),
                total.least.index,
                total.largest.index,
                total.of.mean(count),
                total.of.variance(count)};
    }
};

template <class Element, class Packed>
__device__ __forceinline__ auto resolved(const describes<Element> &op, const typename describes<Element>::value &value,
                                         const Packed &source, uint64_t first) {
    return typename describes<Element>::found{value.of, resolved(op.low, value.least, source, first),
                                              resolved(op.high, value.largest, source, first)};
}

// A thread's moments. Of one or two bytes 32 bits hold the sum of a few packs, and 64 bits the squares of as many as a
// thread may have.
template <class Element, class = void>
class thread_moments {
  public:
    __device__ __forceinline__ void add_word(uint32_t of_bytes) {
        few_ = add_bytes<Element>(of_bytes, few_);
        few_squares_ = add_squares_of_bytes<Element>(of_bytes, few_squares_);
    }
    __device__ __forceinline__ void flush() {
        sum_ += int64_t(few_);
        squares_ += few_squares_;
        few_ = 0;
        few_squares_ = 0;
    }
    __device__ __forceinline__ void add_one(Element from) {
        few_ += int32_t(from);
        squares_ += int64_t(from) * int64_t(from);
    }
    __device__ __forceinline__ exact_moments result() const { return {widened(sum_ + few_), {uint64_t(squares_), 0}}; }

  private:
    static_assert(loads_in_flight * 16 * 255 * 255 < 1u << 31, "the squares of so many bytes fit 32 bits");
    int32_t few_ = 0;
    uint32_t few_squares_ = 0;
    int64_t sum_ = 0, squares_ = 0;
};

template <class Element>
class thread_moments<Element, std::enable_if_t<sizeof(Element) == 4>> {
  public:
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from) {
        sum_ += int64_t(from);
        add_square(from, squares_);
    }
    __device__ __forceinline__ exact_moments result() const {
        return {widened(sum_), {uint64_t(squares_[1]) << 32 | squares_[0], squares_[2]}};
    }

  private:
    int64_t sum_ = 0;
    uint32_t squares_[3] = {};
};

// The pivot is the first number that the thread sees: however large the mean, the distances are as large as the data
// are far apart.
template <class Element>
class thread_moments<Element, std::enable_if_t<sizeof(Element) == 8>> {
  public:
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from) {
        if (count_ == 0)
            pivot_ = double(from);
        count_++;
        sum_ += uint64_t(from);
        const double apart = double(from) - pivot_;
        total_ += apart;
        squares_ += apart * apart;
    }
    __device__ __forceinline__ rounded_moments result() const { // of no element: zeros
        const double off = count_ != 0 ? total_ / double(count_) : 0, squares = squares_ - total_ * off;
        return {count_, sum_, pivot_ + off, squares < 0 ? 0 : squares};
    }

  private:
    uint64_t count_ = 0, sum_ = 0;
    double pivot_ = 0, total_ = 0, squares_ = 0;
};

template <class Element>
class thread_reduce<describes<Element>> {
  public:
    using op_type = describes<Element>;
    explicit __device__ __forceinline__ thread_reduce(const op_type &op) : low_(op.low), high_(op.high) {}

    __device__ __forceinline__ void add_pack(const element_pack<Element> &from, unsigned p) {
        if constexpr (sizeof(Element) == 1) {
#pragma unroll
            for (const uint32_t word : from.words)
                moments_.add_word(word);
        } else {
#pragma unroll
            for (unsigned k = 0; k < from.size; k++)
                moments_.add_one(from[k]);
        }
        low_.add_pack(from, p);
        high_.add_pack(from, p);
    }
    __device__ __forceinline__ void flush() {
        moments_.flush();
    }
    __device__ __forceinline__ void add_one(Element from, unsigned item) {
        moments_.add_one(from);
        low_.add_one(from, item);
        high_.add_one(from, item);
    }
    template <class Packed>
    __device__ __forceinline__ typename op_type::value result(const Packed &source, unsigned first) const {
        return {moments_.result(), low_.result(source, first), high_.result(source, first)};
    }

  private:
    thread_moments<Element> moments_;
    place_finder<Element> low_, high_;
};

template <class Element>
constexpr unsigned largest_tile_of<describes<Element>> = largest_tile_of_large_values;

template <class Element>
constexpr unsigned loads_in_flight_of<thread_reduce<describes<Element>>> = sizeof(Element) == 1 ? 2 : loads_in_flight;

} // namespace wf
#endif
