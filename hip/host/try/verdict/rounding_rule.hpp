// How far a right sum of floats may be from the exact one.
#ifndef WAVEFOLD_HOST_TRY_ROUNDING_RULE_HPP
#define WAVEFOLD_HOST_TRY_ROUNDING_RULE_HPP

#include "judged_elements.hpp"

#include <algorithm>
#include <cmath>

namespace wf::tried::verdict {

// The terms of a sum: the magnitudes' sum, and the least bit that any of them has.
struct term_facts {
    long double magnitudes = 0;
    int lowest_bit = 1 << 20;
    size_t terms = 0;

    void add(long double x, long double y = 1) {
        terms++;
        if (x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y))
            return;
        magnitudes += std::fabs(x * y);
        lowest_bit = std::min(lowest_bit, lowest_bit_of(x) + lowest_bit_of(y));
    }
    // Whether every partial sum is a number of so many bits, in whatever order.
    bool is_exact_in(int bits) const {
        return magnitudes == 0 || magnitudes <= std::ldexp(1.0L, std::min(bits + lowest_bit, 16000));
    }

  private:
    static int lowest_bit_of(long double x) {
        int exponent = 0;
        const auto significand = uint64_t(std::ldexp(std::frexp(std::fabs(x), &exponent), 64));
        return exponent - 64 + __builtin_ctzll(significand);
    }
};

// The bound (n - 1) u sum|x| holds for each order of additions and each n: Jeannerod and Rump, "Improved error bounds
// for inner products in floating-point arithmetic", 2013.
struct rounding_rule {
    bool demands_exact = false;
    long double bound = 0;        // in the precision of the result, or in f32 if that is less
    long double coarse_bound = 0; // in the precision of the elements if it is less than the result's; 0: none

    // steps: roundings behind one another at the most.
    rounding_rule(element_type result, element_type element, const term_facts &facts, size_t steps,
                  long double expected) {
        const type_facts &to = facts_of(result), &from = facts_of(element);
        const int narrow = from.is_float ? std::min(from.precision, to.precision) : to.precision;
        demands_exact = facts.is_exact_in(narrow);
        const auto of = [&](int precision) { return (long double)(steps)*std::ldexp(facts.magnitudes, -precision); };
        const long double half_ulp = ulp_of(result, expected) / 2;
        bound = to.precision < 24 ? of(24) + half_ulp : of(to.precision);
        // Of a bound that is as large as the sum nothing follows.
        const auto is_telling = [&](int precision) { return std::ldexp((long double)(steps), -precision) <= 0.125L; };
        if (to.precision < 24 && is_telling(to.precision))
            bound = std::max(bound, of(to.precision));
        if (narrow < to.precision && is_telling(narrow))
            coarse_bound = of(narrow) + half_ulp;
    }
};

} // namespace wf::tried::verdict
#endif
