// thread_squares: a thread's sum of squared distances from a pivot, in f64.
//
// All threads share the pivot, so sums of squares are added. The sum of the distances is the exact sum less the pivot
// times the count. The variance has more roundings in proportion to the mean squared distance over the variance.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_SQUARES_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_SQUARES_HPP

#include "../../gpu.hpp"

namespace wf {

class thread_squares {
  public:
    double pivot = 0;

    __device__ __forceinline__ void add(double element) { add_square(0, element - pivot); }
    // Adds element times power.
    __device__ __forceinline__ void add_scaled(double element, double power) { add_square(1, element * power - pivot); }
    // The group is complete: what is added to it afterwards does not count.
    __device__ __forceinline__ void close_group() {
        closed_ = group_[0] + group_[1];
        is_closed_ = true;
    }
    __device__ __forceinline__ void restart_group() {
        group_[0] = group_[1] = 0;
        is_closed_ = false;
    }
    // Adds the group to the sum, and begins the next group.
    __device__ __forceinline__ void end_group() {
        sum_ += is_closed_ ? closed_ : group_[0] + group_[1];
        restart_group();
    }
    __device__ __forceinline__ double sum() const { return sum_; }
    // After end_group().
    __device__ __forceinline__ void forget() { sum_ = 0; }

  private:
    __device__ __forceinline__ void add_square(unsigned to, double distance) { group_[to] += distance * distance; }

    double sum_ = 0, group_[2] = {0, 0}, closed_ = 0; // two sums of a group: neither waits for the other
    bool is_closed_ = false;
};

} // namespace wf
#endif
