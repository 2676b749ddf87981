#include "made_data.hpp"

#include "../words/narrow_floats.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace wf::tried {

namespace {

uint64_t random_bits(size_t i, unsigned array) {
    uint64_t bits = (uint64_t(i) + 1) * 0x9e3779b97f4a7c15u + (uint64_t(array) + 1) * 0xd1b54a32d192ed03u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

// A multiple of 1/2 that is not 0. Magnitudes add up to 2^23 at most, so that f32 holds every partial sum: the more
// elements, the smaller they are. Those of up to 4096 elements are all different. Those of a second array are 1/2 or 1,
// or 1: f32 holds the sums of products, too.
double exact_number(size_t i, size_t n, unsigned array, bool is_negative) {
    const size_t different = n <= 4096 ? 4096 : std::min(size_t(255), (size_t(1) << 25) / n - 1);
    const double magnitude = array == 0 ? 0.5 * double(i % different + 1) : n <= 4096 && i % 3 == 0 ? 0.5 : 1;
    return is_negative || random_bits(i, array) % 3 == 0 ? -magnitude : magnitude;
}

// Between -1 and 1.
double random_number(size_t i, unsigned array) {
    return double(int64_t(random_bits(i, array)) >> 11) / double(uint64_t(1) << 52);
}

double float_of(made_data data, size_t i, size_t n, unsigned array) {
    return data == made_data::random ? random_number(i, array) : exact_number(i, n, array, data == made_data::negative);
}

// Of 16 bits: 1, 2 or 3 and their like, of which few make a sum that still is a half.
double small_number(made_data data, size_t i, unsigned array) {
    if (data == made_data::random)
        return random_number(i, array);
    const double magnitude = 1 + double(random_bits(i, array) % 3);
    return data == made_data::negative || i % 2 == 1 ? -magnitude : magnitude;
}

long long integer_of(element_kind type, made_data data, size_t i, unsigned array, unsigned below) {
    const bool is_byte = type == element_kind::i8 || type == element_kind::u8;
    const bool is_signed =
        type == element_kind::i8 || type == element_kind::i16 || type == element_kind::i32 || type == element_kind::i64;
    const uint64_t bits = random_bits(i, array);
    if (below != 0)
        return (long long)(bits % below);
    const auto magnitude = (long long)(1 + bits % (is_byte ? 100 : 1000));
    return is_signed && (data == made_data::negative || (bits >> 40) % 3 == 0) ? -magnitude : magnitude;
}

template <class T>
void put(void *to, T number) {
    std::memcpy(to, &number, sizeof number);
}

} // namespace

void make_element(void *to, element_kind type, made_data data, size_t i, size_t n, unsigned array, unsigned below) {
    const bool is_whole = below != 0;
    const size_t own = is_whole ? i + 7919 * n : i; // small numbers of all arrays would be the same at each place
    const double number = is_whole ? double(random_bits(own, array) % below) : float_of(data, i, n, array);
    switch (type) {
    case element_kind::f32:
        return put(to, float(number));
    case element_kind::f64:
        return put(to, number);
    case element_kind::f16:
        return put(to, half_format::bits(is_whole ? number : small_number(data, i, array)));
    case element_kind::bf16:
        return put(to, bfloat_format::bits(is_whole ? number : small_number(data, i, array)));
    default:
        break;
    }
    const long long whole = integer_of(type, data, own, array, below);
    switch (type) {
    case element_kind::i8:
    case element_kind::u8:
        return put(to, int8_t(whole));
    case element_kind::i16:
    case element_kind::u16:
        return put(to, int16_t(whole));
    case element_kind::i32:
    case element_kind::u32:
        return put(to, int32_t(whole));
    default:
        return put(to, int64_t(whole));
    }
}

bool is_exact(element_kind type, made_data data, size_t n) {
    constexpr size_t most_halves = 512, most_bfloats = 64;
    const bool is_half = type == element_kind::f16, is_bfloat = type == element_kind::bf16;
    const bool is_float = is_half || is_bfloat || type == element_kind::f32 || type == element_kind::f64;
    return !is_float ||
           (data != made_data::random && (!is_half || n <= most_halves) && (!is_bfloat || n <= most_bfloats));
}

} // namespace wf::tried
