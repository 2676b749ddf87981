#include "softmax.hpp"

#include <algorithm>
#include <cmath>

namespace wf::tried::verdict {

softmax_powers::softmax_powers(const elements &in, size_t begin, size_t end) : most(-HUGE_VALL) {
    for (size_t i = begin; i < end; i++)
        most = std::max(most, in[i]);
    for (size_t i = begin; i < end; i++)
        sum += std::exp(in[i] - most);
}

long double softmax_powers::share(long double x) const {
    return std::exp(x - most) / sum;
}

softmax_tolerance::softmax_tolerance(const judged &of) : type_(of.result.type()) {
    long double magnitude = 0;
    for (size_t i = 0; i < of.n(); i++)
        magnitude = std::max(magnitude, std::fabs(of.inputs[0][i]));
    const long double steps = 5 * (long double)(of.n()) + 16 + 8 * magnitude;
    const int own = facts_of(type_).precision, given = facts_of(of.inputs[0].type()).precision;
    const long double narrow = std::ldexp(steps, -own);
    relative_ = own >= 24 ? std::ldexp(steps, -std::clamp(given, 24, own))
                          : std::max(std::ldexp(steps, -24), narrow <= most_ ? narrow : 0);
    least_ = std::ldexp(1.0L, facts_of(type_).min_exponent);
}

bool softmax_tolerance::allows(long double got, long double expected) const {
    return std::fabs(got - expected) <= relative_ * expected + ulp_of(type_, expected) / 2 + least_;
}

} // namespace wf::tried::verdict
