// A copy of an array, read as real numbers. long double holds every element of every type.
#ifndef WAVEFOLD_HOST_TRY_JUDGED_ELEMENTS_HPP
#define WAVEFOLD_HOST_TRY_JUDGED_ELEMENTS_HPP

#include "verdict.hpp"

#include <cfloat>

namespace wf::tried::verdict {

static_assert(LDBL_MANT_DIG >= 64, "long double holds every f64, i64 and u64");

struct type_facts {
    const char *name;
    size_t bytes;
    bool is_float, is_signed;
    int precision;    // bits of the significand; of an integer: its value bits
    int min_exponent; // of a normal float: 2^min_exponent
};

const type_facts &facts_of(element_type);

// x in the type, to nearest even; an integer wraps around.
long double rounded_to(element_type, long double x);
// The distance of floats of the type at x.
long double ulp_of(element_type, long double x);
// As %g would, with the digits that the type needs.
std::string text_of(element_type, long double x);

class elements {
  public:
    elements() = default;
    explicit elements(const numbers &from);
    long double operator[](size_t i) const;
    element_type type() const { return type_; }
    size_t size() const { return count_; }
    const std::string &name() const { return name_; }

  private:
    element_type type_ = element_type::f32;
    size_t count_ = 0;
    std::string name_;
    std::vector<unsigned char> bytes_;
};

// An experiment that the judge keeps.
struct judged {
    std::vector<elements> inputs;
    elements result;
    std::vector<long long> scalars;
    unsigned floats = 0;
    bool is_in_place = false;
    size_t row = 0, depth = 0;
    std::optional<std::vector<std::pair<size_t, size_t>>> read;
    std::string label;
    size_t n() const { return inputs.empty() ? 0 : inputs[0].size(); }
};

} // namespace wf::tried::verdict
#endif
