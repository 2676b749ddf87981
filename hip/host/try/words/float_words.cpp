#include "float_words.hpp"

#include <cfenv>
#include <cmath>

namespace wf::tried {

namespace {

constexpr int mode_of(rounding to) {
    return to == rounding::rn   ? FE_TONEAREST
           : to == rounding::rz ? FE_TOWARDZERO
           : to == rounding::ru ? FE_UPWARD
                                : FE_DOWNWARD;
}

// While it lives, operations round in that direction. Compilers do not know: operands and results are volatile.
class rounding_mode {
  public:
    explicit rounding_mode(rounding to) { std::fesetround(mode_of(to)); }
    ~rounding_mode() { std::fesetround(FE_TONEAREST); }
};

template <class T>
T compute(operation what, rounding to, T first, T second, T third) {
    const volatile T a = first, b = second, c = third;
    const rounding_mode mode(to);
    volatile T result = 0;
    switch (what) {
    case operation::add:
        result = a + b;
        break;
    case operation::sub:
        result = a - b;
        break;
    case operation::mul:
        result = a * b;
        break;
    case operation::div:
        result = a / b;
        break;
    case operation::sqrt:
        result = std::sqrt(a);
        break;
    case operation::fma:
        result = std::fma(a, b, c);
        break;
    }
    return result;
}

template <class To, class From>
To converted(rounding to, From number) {
    const volatile From from = number;
    const rounding_mode mode(to);
    const volatile To result = To(from);
    return result;
}

} // namespace

float computed(operation what, rounding to, float a, float b, float c) {
    return compute(what, to, a, b, c);
}
double computed(operation what, rounding to, double a, double b, double c) {
    return compute(what, to, a, b, c);
}
float narrowed(rounding to, double number) {
    return converted<float>(to, number);
}
double whole(rounding to, double number) {
    switch (to) {
    case rounding::rz:
        return std::trunc(number);
    case rounding::ru:
        return std::ceil(number);
    case rounding::rd:
        return std::floor(number);
    case rounding::rn:
        break;
    }
    return std::nearbyint(number);
}
float from_int(rounding to, long long number) {
    return converted<float>(to, number);
}
float from_int(rounding to, unsigned long long number) {
    return converted<float>(to, number);
}
double double_from_int(rounding to, long long number) {
    return converted<double>(to, number);
}
double double_from_int(rounding to, unsigned long long number) {
    return converted<double>(to, number);
}

} // namespace wf::tried
