#include "judged_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace wf::tried::verdict {

namespace {

template <class T>
T read(const unsigned char *from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// A float of 16 bits, of which `fraction` are the fraction's.
long double small_float(uint16_t bits, int fraction, int bias) {
    const int exponent = (bits & 0x7fff) >> fraction, most = 0x7fff >> fraction;
    const long double part = bits & ((1 << fraction) - 1);
    const long double magnitude = exponent == most ? (part == 0 ? HUGE_VALL : std::nanl(""))
                                  : exponent == 0  ? std::ldexp(part, 1 - bias - fraction)
                                                   : std::ldexp(part + (1 << fraction), exponent - bias - fraction);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

} // namespace

const type_facts &facts_of(element_type type) {
    static const type_facts facts[] = {
        {"f16", 2, true, true, 11, -14},   {"bf16", 2, true, true, 8, -126}, {"f32", 4, true, true, 24, -126},
        {"f64", 8, true, true, 53, -1022}, {"i8", 1, false, true, 7, 0},     {"u8", 1, false, false, 8, 0},
        {"i16", 2, false, true, 15, 0},    {"u16", 2, false, false, 16, 0},  {"i32", 4, false, true, 31, 0},
        {"u32", 4, false, false, 32, 0},   {"i64", 8, false, true, 63, 0},   {"u64", 8, false, false, 64, 0}};
    return facts[size_t(type)];
}

long double ulp_of(element_type type, long double x) {
    const type_facts &facts = facts_of(type);
    int exponent = facts.min_exponent + 1;
    if (x != 0)
        std::frexp(x, &exponent);
    return std::ldexp(1.0L, std::max(exponent - 1, facts.min_exponent) - facts.precision + 1);
}

long double rounded_to(element_type type, long double x) {
    const type_facts &facts = facts_of(type);
    if (!std::isfinite(x))
        return x;
    if (facts.is_float) {
        const long double ulp = ulp_of(type, x), nearest = std::nearbyint(x / ulp) * ulp;
        const int largest = type == element_type::f16 ? 16 : type == element_type::f64 ? 1024 : 128;
        return std::fabs(nearest) >= std::ldexp(1.0L, largest) ? std::copysign(HUGE_VALL, x) : nearest;
    }
    const int bits = int(8 * facts.bytes);
    const long double range = std::ldexp(1.0L, bits);
    long double rest = std::fmod(std::trunc(x), range);
    if (rest < 0)
        rest += range;
    return facts.is_signed && rest >= range / 2 ? rest - range : rest;
}

std::string text_of(element_type type, long double x) {
    char text[64];
    const type_facts &facts = facts_of(type);
    if (!facts.is_float)
        std::snprintf(text, sizeof text, "%.0Lf", x);
    else
        std::snprintf(text, sizeof text, "%.*Lg", facts.precision > 24 ? 17 : facts.precision > 11 ? 9 : 5, x);
    return std::isnan(x) ? "nan" : text;
}

elements::elements(const numbers &from)
    : type_(from.type), count_(from.count), name_(from.name), bytes_(from.count * facts_of(from.type).bytes) {
    if (!bytes_.empty())
        std::memcpy(bytes_.data(), from.data, bytes_.size());
}

long double elements::operator[](size_t i) const {
    const unsigned char *const at = bytes_.data() + i * facts_of(type_).bytes;
    switch (type_) {
    case element_type::f16:
        return small_float(read<uint16_t>(at), 10, 15);
    case element_type::bf16:
        return small_float(read<uint16_t>(at), 7, 127);
    case element_type::f32:
        return read<float>(at);
    case element_type::f64:
        return read<double>(at);
    case element_type::i8:
        return read<int8_t>(at);
    case element_type::u8:
        return read<uint8_t>(at);
    case element_type::i16:
        return read<int16_t>(at);
    case element_type::u16:
        return read<uint16_t>(at);
    case element_type::i32:
        return read<int32_t>(at);
    case element_type::u32:
        return read<uint32_t>(at);
    case element_type::i64:
        return read<int64_t>(at);
    case element_type::u64:
        return read<uint64_t>(at);
    }
    return 0;
}

} // namespace wf::tried::verdict
