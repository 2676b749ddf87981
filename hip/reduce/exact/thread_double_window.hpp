// double_window: a thread's sum of doubles that lie close together, without rounding.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_DOUBLE_WINDOW_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_DOUBLE_WINDOW_HPP

#include "exact_value.hpp"

namespace wf {

// Two windows for doubles: an upper one of 51 bits, a lower one of 42. A number is added to a constant, 1.5 times the
// power of two whose last place is the upper window's unit. The remainder is added to such a constant of the lower
// window. Less the constants' bits, the bits of both sums are integers in the windows' units (Demmel and Hida, Collange
// et al.: docs/exact.md). BothWays: rounds the lower sum down and up to see if a remainder is left: an addition less.
template <bool BothWays>
class double_window {
  public:
    // The top of the upper window, in bits above the base. Some negative numbers that round to it are held, too.
    static constexpr int end = 93;
    static constexpr unsigned most_numbers = 4095; // each adds up to 2^51 to a sum of 64 bits

    // base: the position of the lower window's unit.
    explicit __device__ __forceinline__ double_window(int base)
        : upper_(constant(base + upper_unit)), lower_(constant(base)) {}

    // If x is not held exactly, the upper 12 bits of flags or rest become other than 0.
    __device__ __forceinline__ void add(double x, uint32_t &flags, uint32_t &rest) {
        const double t = x + upper_, r = x - (t - upper_);
        const auto t_bits = bits_as<uint64_t>(t);
        upper_sum_ += t_bits;
        flags |= uint32_t(t_bits >> 32) ^ uint32_t(bits_as<uint64_t>(upper_) >> 32);
        if constexpr (BothWays) {
            const auto below = bits_as<uint64_t>(add_down(r, lower_)), above = bits_as<uint64_t>(add_up(r, lower_));
            lower_sum_ += below;
            rest |= uint32_t(below) ^ uint32_t(above); // of neighbours the last bits differ
        } else {
            const double u = r + lower_, v = (u - lower_) - r; // +0 for -0, too
            const auto v_bits = bits_as<uint64_t>(v);
            lower_sum_ += bits_as<uint64_t>(u);
            rest |= uint32_t(v_bits >> 32) | uint32_t(v_bits);
        }
    }
    static __device__ __forceinline__ bool fits(uint32_t flags, uint32_t rest) { return (flags >> 20 | rest) == 0; }
    // The sum of the numbers since the last call, in units of the base.
    __device__ __forceinline__ wide take(unsigned count) {
        const auto upper = int64_t(upper_sum_ - count * bits_as<uint64_t>(upper_));
        const auto lower = int64_t(lower_sum_ - count * bits_as<uint64_t>(lower_));
        upper_sum_ = lower_sum_ = 0;
        return wide{uint64_t(upper) << upper_unit, uint64_t(upper >> (64 - upper_unit))} + widened(lower);
    }

  private:
    static constexpr int upper_unit = end - 51;
    // 1.5 2^(52 + WF_SUM_UNIT + position)
    static __device__ __forceinline__ double constant(int position) {
        return bits_as<double>(uint64_t(52 + WF_SUM_UNIT + float_format<double>::bias + position) << 52 | uint64_t(1)
                                                                                                              << 51);
    }
    double upper_, lower_;
    uint64_t upper_sum_ = 0, lower_sum_ = 0;
};
static_assert(double_window<false>::end <= window_end, "the sum of all threads stays below 2^127");

} // namespace wf
#endif
