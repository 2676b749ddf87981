#include "exact_total.hpp"

#include <cmath>

namespace wf::tried::verdict {

namespace {

__extension__ typedef unsigned __int128 wide_bits;

// |x| = significand * 2^exponent.
struct parts {
    uint64_t significand;
    int exponent;
};

parts parts_of(long double x) {
    int exponent = 0;
    const long double fraction = std::frexp(std::fabs(x), &exponent);
    return {uint64_t(std::ldexp(fraction, 64)), exponent - 64};
}

} // namespace

void exact_total::add_bits(uint64_t significand, int exponent, bool is_negative) {
    const int place = exponent - lowest, first = place / 32, shift = place % 32;
    const wide_bits bits = static_cast<wide_bits>(significand) << shift;
    for (int d = 0; d < 3; d++) {
        const int64_t digit = int64_t(uint32_t(bits >> (32 * d)));
        if (digit != 0)
            digits_[size_t(first + d)] += is_negative ? -digit : digit;
    }
}

void exact_total::add_product(long double x, long double y) {
    const bool is_negative = std::signbit(x) != std::signbit(y);
    if (!std::isfinite(x) || !std::isfinite(y)) {
        const bool is_nan = std::isnan(x * y);
        has_nan_ = has_nan_ || is_nan;
        has_infinity_ = has_infinity_ || (!is_nan && !is_negative);
        has_minus_infinity_ = has_minus_infinity_ || (!is_nan && is_negative);
        return;
    }
    if (x == 0 || y == 0)
        return;
    const parts of_x = parts_of(x), of_y = parts_of(y);
    const wide_bits product = static_cast<wide_bits>(of_x.significand) * of_y.significand;
    const int exponent = of_x.exponent + of_y.exponent;
    if (uint64_t(product) != 0)
        add_bits(uint64_t(product), exponent, is_negative);
    add_bits(uint64_t(product >> 64), exponent + 64, is_negative);
}

bool exact_total::carried(std::array<uint32_t, digits> &to) const {
    const auto carry = [&](bool negated) {
        int64_t over = 0;
        for (size_t d = 0; d < digits; d++) {
            const int64_t digit = (negated ? -digits_[d] : digits_[d]) + over;
            to[d] = uint32_t(digit);
            over = digit >> 32;
        }
        return over < 0;
    };
    const bool is_negative = carry(false);
    if (is_negative)
        carry(true);
    return is_negative;
}

long double exact_total::value() const {
    if (has_nan_ || (has_infinity_ && has_minus_infinity_))
        return std::nanl("");
    if (has_infinity_ || has_minus_infinity_)
        return has_infinity_ ? HUGE_VALL : -HUGE_VALL;
    std::array<uint32_t, digits> magnitude;
    const bool is_negative = carried(magnitude);
    int top = digits - 1;
    while (top >= 0 && magnitude[size_t(top)] == 0)
        top--;
    if (top < 0)
        return 0;
    // The first 64 bits, and whether others follow.
    const auto digit = [&](int d) { return d >= 0 ? uint64_t(magnitude[size_t(d)]) : uint64_t(0); };
    const int shift = __builtin_clz(magnitude[size_t(top)]);
    const wide_bits window =
        (static_cast<wide_bits>(digit(top) << 32 | digit(top - 1)) << 64 | (digit(top - 2) << 32 | digit(top - 3)))
        << shift;
    bool has_more = false;
    for (int d = 0; d < top - 3; d++)
        has_more = has_more || magnitude[size_t(d)] != 0;
    uint64_t significand = uint64_t(window >> 64);
    const uint64_t rest = uint64_t(window), half = uint64_t(1) << 63;
    int exponent = 32 * (top + 1) - shift - 64 + lowest;
    if (rest > half || (rest == half && (has_more || (significand & 1) != 0)))
        if (++significand == 0) {
            significand = half;
            exponent++;
        }
    const long double value = std::ldexp(static_cast<long double>(significand), exponent);
    return is_negative ? -value : value;
}

long double exact_total::modulo(int bits, bool is_signed) const {
    std::array<uint32_t, digits> magnitude;
    const bool is_negative = carried(magnitude);
    const size_t unit = size_t(-lowest / 32);
    uint64_t low = magnitude[unit] | uint64_t(magnitude[unit + 1]) << 32;
    if (is_negative)
        low = 0 - low;
    if (bits < 64)
        low &= (uint64_t(1) << bits) - 1;
    const bool wraps = is_signed && (low >> (bits - 1) & 1) != 0;
    return wraps ? static_cast<long double>(low) - std::ldexp(1.0L, bits) : static_cast<long double>(low);
}

} // namespace wf::tried::verdict
