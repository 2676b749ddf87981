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

// What a result may be off by. Roundings: two to add a power to the sum, three to scale it where the maximum grows, and
// for e^x by the GPU's own instruction 2 ulps and another for each unit of |x|. They are of f32 if the result is
// narrower, unless so few are telling in its own precision. What lies below the normal floats may be 0.
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
