// The moments of integers: what elements and their squares come to, with no bit lost. So they are joined by additions,
// and the variance is off the exact one by the few roundings of its last step.
#ifndef WAVEFOLD_REDUCE_MOMENTS_HPP
#define WAVEFOLD_REDUCE_MOMENTS_HPP

#include "../instructions.hpp"
#include "exact/wide_integer.hpp"
#include "packed_array.hpp"

namespace wf {

// Numbers of several words, the lowest one first, modulo two to the power of their bits.
template <unsigned Count>
__device__ __forceinline__ void add_to(uint64_t (&total)[Count], const uint64_t (&more)[Count]) {
    uint64_t carry = 0;
#pragma unroll
    for (unsigned k = 0; k < Count; k++) {
        const uint64_t both = total[k] + more[k], sum = both + carry;
        carry = uint64_t(both < more[k]) | uint64_t(sum < both);
        total[k] = sum;
    }
}
// Rounded a few times.
template <unsigned Count>
__device__ __forceinline__ double double_of_words(const uint64_t (&number)[Count]) {
    double rounded = double(number[Count - 1]);
#pragma unroll
    for (unsigned k = Count - 1; k > 0; k--)
        rounded = std::fma(rounded, 0x1p64, double(number[k - 1]));
    return rounded;
}

// Words of the sum, and of the sum of squares.
template <unsigned Sum, unsigned Squares>
struct moments {
    uint64_t sum[Sum], squares[Squares];

    static __device__ __forceinline__ moments joined(const moments &a, const moments &b) {
        moments both = a;
        add_to(both.sum, b.sum);
        add_to(both.squares, b.squares);
        return both;
    }
    template <class Words>
    __device__ __forceinline__ moments of_wave(const Words &words) const {
        moments all = *this;
        words.sum(all.sum);
        words.sum(all.squares);
        return all;
    }
};

// Of any integers: up to 2^48 of them, each of 64 bits.
struct all_moments : moments<2, 3> {
    template <unsigned Sum, unsigned Squares>
    static __device__ __forceinline__ all_moments of(const moments<Sum, Squares> &few) {
        all_moments all = {};
#pragma unroll
        for (unsigned k = 0; k < Sum; k++)
            all.sum[k] = few.sum[k];
#pragma unroll
        for (unsigned k = 0; k < Squares; k++)
            all.squares[k] = few.squares[k];
        return all;
    }

    // Of the integers less the bias.
    __device__ __forceinline__ wide sum_without(uint64_t bias, uint64_t count) const {
        return wide{sum[0], sum[1]} + -product(count, bias);
    }
    // (count times the squares less the square of the sum) / count^2, with share 1 / count. No bias changes it. What is
    // divided is an integer of less than 224 bits.
    __device__ __forceinline__ double variance(uint64_t count, double share) const {
        const wide low = product(count, squares[0]), middle = product(count, squares[1]),
                   high = product(count, squares[2]);
        uint64_t apart[4] = {low.low, low.high, high.low, high.high};
        add_to(apart, {0, middle.low, middle.high, 0});
        const wide lower = product(sum[0], sum[0]), upper = product(sum[1], sum[1]);
        const wide crossed = product(sum[0], sum[1]), twice = crossed + crossed; // no bit is lost: 2^(64 + 48)
        uint64_t square[4] = {lower.low, lower.high, upper.low, upper.high};
        add_to(square, {0, twice.low, twice.high, 0});
        add_to(apart, {~square[0], ~square[1], ~square[2], ~square[3]});
        add_to(apart, {1, 0, 0, 0});
        return double_of_words(apart) * share * share;
    }
};

// Apart, as it is seldom needed.
template <class Moments>
__device__ WF_OUT_OF_LINE double variance_apart(const Moments moments, uint64_t count, double share) {
    return moments.variance(count, share);
}

// With the variance of those that one launch has, which most often are all.
struct moments_of_launch {
    all_moments moments;
    uint64_t count; // 0: of several launches, and there is no variance
    double variance;

    static __device__ __forceinline__ moments_of_launch of(const all_moments &moments, uint64_t count, double share) {
        return {moments, count, moments.variance(count, share)};
    }
    static __device__ __forceinline__ moments_of_launch joined(const moments_of_launch &a, const moments_of_launch &b) {
        return {{all_moments::joined(a.moments, b.moments)}, 0, 0};
    }
    __device__ __forceinline__ double variance_of_all(uint64_t all, double share) const {
        return count == all ? variance : variance_apart(moments, all, share);
    }
};

// What divides the total by the count of which share is the reciprocal. Off by less than the last bit is what the
// product alone gives; what then remains corrects it.
__device__ __forceinline__ double quotient(double total, double count, double share) {
    const double near = total * share;
    return std::fma(std::fma(-near, count, total), share, near);
}

// A thread's, of unsigned elements that come one by one or in words of bytes. Of one or two bytes 32 bits hold the sum
// of a few packs, and 64 bits the squares of as many as a thread may have.
template <class Element, class = void>
class thread_moments {
  public:
    __device__ __forceinline__ void add_word(uint32_t of_bytes) {
        few_ = uint32_t(add_bytes<Element>(of_bytes, int32_t(few_)));
        few_squares_ = add_squares_of_bytes(of_bytes, few_squares_);
    }
    __device__ __forceinline__ void flush() {
        sum_ += few_;
        squares_ += few_squares_;
        few_ = 0;
        few_squares_ = 0;
    }
    __device__ __forceinline__ void add_one(Element from) {
        few_ += from;
        squares_ += uint64_t(from) * from;
    }
    using value = moments<1, sizeof(Element)>; // launches have 2^35 bytes at the most
    __device__ __forceinline__ value result() const { return {{sum_ + few_}, {squares_}}; }

  private:
    static_assert(loads_in_flight * 16 * 255 * 255 < 1u << 31, "the squares of so many bytes fit 32 bits");
    uint32_t few_ = 0, few_squares_ = 0;
    uint64_t sum_ = 0, squares_ = 0;
};

template <class Element>
class thread_moments<Element, std::enable_if_t<sizeof(Element) == 4>> {
  public:
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from) {
        sum_ += from;
        add_product(from, from, squares_);
    }
    using value = moments<2, 2>;
    __device__ __forceinline__ value result() const {
        return {{sum_, 0}, {uint64_t(squares_[1]) << 32 | squares_[0], squares_[2]}};
    }

  private:
    uint64_t sum_ = 0;
    uint32_t squares_[3] = {};
};

template <class Element>
class thread_moments<Element, std::enable_if_t<sizeof(Element) == 8>> {
  public:
    __device__ __forceinline__ void flush() {}
    __device__ __forceinline__ void add_one(Element from) {
        sum_ += from;
        above_ += sum_ < from ? 1u : 0u;
        const auto low = uint32_t(from), high = uint32_t(from >> 32);
        add_product(low, low, lower_);
        add_product(low, high, crossed_);
        add_product(high, high, upper_);
    }
    using value = moments<2, 3>;
    __device__ __forceinline__ value result() const {
        const uint64_t crossed = uint64_t(crossed_[1]) << 32 | crossed_[0], over = crossed_[2]; // twice, by 32 bits
        value all = {{sum_, above_}, {uint64_t(lower_[1]) << 32 | lower_[0], lower_[2], 0}};
        add_to(all.squares, {crossed << 33, crossed >> 31 | over << 33, over >> 31});
        add_to(all.squares, {0, uint64_t(upper_[1]) << 32 | upper_[0], upper_[2]});
        return all;
    }

  private:
    uint64_t sum_ = 0;
    uint32_t above_ = 0, lower_[3] = {}, crossed_[3] = {}, upper_[3] = {};
};

} // namespace wf
#endif
