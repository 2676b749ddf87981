// softmax of an array: e^(x - m) of each element over their sum, m the maximum.
#ifndef WAVEFOLD_HOST_TRY_SOFTMAX_HPP
#define WAVEFOLD_HOST_TRY_SOFTMAX_HPP

#include "judged_elements.hpp"

namespace wf::tried::verdict {

// Of elements [begin, end): their maximum, and the sum of e^(x - maximum).
struct softmax_powers {
    long double most, sum = 0;

    softmax_powers(const elements &in, size_t begin, size_t end);
    long double share(long double x) const; // of an element
};

// What a result may be off by, in roundings. n elements: two to add each power to the sum, three to scale the sum where
// the maximum grows. The greatest magnitude M: |x - m| is up to 2 M, its power is off by 2 + 1.2 |x - m| ulps by the
// GPU's own instruction, and by the rounding of x - m, together some 7 M; of the sum's powers, the great ones have a
// small |x - m|. Hence 5 n + 8 M + 16. The roundings are those of f32 if the result is narrower, or its own if that
// bound is still telling. What lies below the normal floats may be 0.
class softmax_tolerance {
  public:
    explicit softmax_tolerance(const judged &);
    bool allows(long double got, long double expected) const;
    bool is_telling() const { return relative_ <= most_; }

  private:
    static constexpr long double most_ = 0.125L;

    element_type type_;
    long double relative_ = 0, least_ = 0;
};

} // namespace wf::tried::verdict
#endif
