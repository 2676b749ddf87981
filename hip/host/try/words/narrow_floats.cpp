#include "narrow_floats.hpp"

#include "vector_copies.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wf::tried {

namespace {

// The bits of a float that has so many for its exponent and its fraction.
template <int ExponentBits, int FractionBits>
uint16_t narrow(double number, rounding to) {
    constexpr int most = (1 << (ExponentBits - 1)) - 1, least = 1 - most;
    constexpr unsigned infinite = ((1u << ExponentBits) - 1) << FractionBits;
    const bool is_negative = std::signbit(number);
    const uint16_t sign = is_negative ? 0x8000 : 0;
    const double magnitude = std::fabs(number);
    if (std::isnan(number))
        return 0x7fff;
    if (magnitude == 0 || std::isinf(number))
        return uint16_t(sign | (magnitude == 0 ? 0 : infinite));
    int exponent;
    std::frexp(magnitude, &exponent);
    exponent = std::max(exponent - 1, least);
    if (exponent > most + 1)
        exponent = most + 1;
    const double units = std::ldexp(magnitude, FractionBits - exponent);
    const bool is_away = to == rounding::ru ? !is_negative : to == rounding::rd && is_negative;
    const double rounded = to == rounding::rn ? std::nearbyint(units) : is_away ? std::ceil(units) : std::floor(units);
    const double bits = std::ldexp(double(exponent - least), FractionBits) + rounded; // a carry enters the exponent
    if (bits >= infinite)
        return uint16_t(sign | (to == rounding::rn || is_away ? infinite : infinite - 1));
    return uint16_t(sign | unsigned(bits));
}

} // namespace

uint16_t half_format::bits(double number, rounding to) {
    return narrow<5, 10>(number, to);
}
uint16_t bfloat_format::bits(double number, rounding to) {
    return narrow<8, 7>(number, to);
}

float half_format::value(uint16_t bits) {
    const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                            : exponent == 0 ? float(fraction) * 0x1p-24f
                                            : std::ldexp(float(fraction | 1024), int(exponent) - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
float bfloat_format::value(uint16_t bits) {
    return __builtin_bit_cast(float, uint32_t(bits) << 16);
}

double odd_fma(float a, float b, float c) {
    const double product = double(a) * double(b); // exact
    const volatile double sum = product + double(c), part = sum - product;
    const volatile double rest = (product - (sum - part)) + (double(c) - part); // what the sum has lost
    const double result = sum;
    if (!std::isfinite(result) || rest == 0)
        return result;
    auto bits = __builtin_bit_cast(uint64_t, result);
    if ((bits & 1) == 0)
        bits += (rest > 0) == (result > 0) ? 1 : uint64_t(-1);
    return __builtin_bit_cast(double, bits);
}

template struct vector2<narrow_float<half_format>>;
template struct vector2<narrow_float<bfloat_format>>;

} // namespace wf::tried
