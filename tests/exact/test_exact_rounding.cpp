// The quick ways in which GPUs round an exact sum, beside one that looks at each bit: totals about every power of two,
// at ties and one beside them, of both signs, in windows that lead to every exponent and beyond.
#include "reduce/exact/exact_rounding.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <initializer_list>

extern "C" {
#include <cmocka.h>
}

namespace {

__extension__ using total = unsigned __int128;

wf::wide wide_of(total magnitude, bool negative) {
    const total bits = negative ? -magnitude : magnitude;
    return {uint64_t(bits), uint64_t(bits >> 64)};
}

int top_bit(total magnitude) {
    int top = -1;
    for (; magnitude != 0; magnitude >>= 1)
        top++;
    return top;
}

// magnitude 2^exponent, of so many digits; false: that is no normal number.
bool round_bit_by_bit(total magnitude, int exponent, bool negative, int digits, int exponent_bits, uint64_t &bits) {
    const int off = top_bit(magnitude) + 1 - digits; // so many bits are rounded off
    total kept = off > 0 ? magnitude >> off : magnitude << -off;
    int power = exponent + off;
    if (off > 0) {
        const total rest = magnitude - (kept << off), half = total(1) << (off - 1);
        if (rest > half || (rest == half && (kept & 1) != 0))
            kept++;
    }
    if (kept >> digits != 0) {
        kept >>= 1;
        power++;
    }
    const int bias = (1 << (exponent_bits - 1)) - 1, biased = power + digits - 1 + bias;
    if (biased < 1 || biased > 2 * bias)
        return false;
    bits = uint64_t(negative) << (digits - 1 + exponent_bits) | uint64_t(biased) << (digits - 1) |
           (uint64_t(kept) & ((uint64_t(1) << (digits - 1)) - 1));
    return true;
}

struct counts {
    long said = 0, all = 0;
};

constexpr wf_float_format formats[] = {{11, 5}, {8, 8}, {24, 8}, {53, 11}};

// The way for any type: it leaves subnormal results alone, and what is too large but for a carry, which is infinity.
void check_any(const wf::wide &sum, total magnitude, int base, bool negative, counts &of_any) {
    for (const wf_float_format &format : formats) {
        const int digits = format.digits, exponent_bits = format.exponent_bits;
        uint64_t expected = 0, got = 0;
        const bool is_normal =
            round_bit_by_bit(magnitude, WF_SUM_UNIT + base, negative, digits, exponent_bits, expected);
        of_any.all++;
        if (!wf::round_to_any(sum, base, format, got))
            continue;
        of_any.said++;
        const uint64_t infinity = ((uint64_t(1) << exponent_bits) - 1) << (digits - 1);
        assert_int_equal(got, is_normal ? expected : infinity | uint64_t(negative) << (digits - 1 + exponent_bits));
    }
}

void check(total magnitude, int base, counts &of_f32, counts &of_f64, counts &of_any) {
    const int top = top_bit(magnitude);
    for (const bool negative : {false, true}) {
        const wf::wide sum = wide_of(magnitude, negative);
        check_any(sum, magnitude, base, negative, of_any);
        uint64_t expected = 0, got = 0;
        const bool is_f32 = round_bit_by_bit(magnitude, WF_SUM_UNIT + base, negative, 24, 8, expected);
        if (wf::round_to_f32(sum, base, got)) {
            assert_true(is_f32);
            assert_int_equal(got, expected);
            of_f32.said++;
        } else {
            assert_false(is_f32); // whatever the total is
        }
        of_f32.all++;
        const bool is_f64 = round_bit_by_bit(magnitude, WF_SUM_UNIT + base, negative, 53, 11, expected);
        if (wf::round_to_f64(sum, base, got)) {
            assert_true(is_f64);
            assert_int_equal(got, expected);
            of_f64.said++;
        } else {
            assert_false(is_f64 && top >= 68 && top < 115);
        }
        of_f64.all++;
    }
}

uint64_t state = 1;
uint64_t next_random() { // splitmix64
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void test_rounding(void **) {
    counts of_f32, of_f64, of_any;
    for (int top = 0; top <= 126; top++) {
        const total power = total(1) << top, below = power - 1;
        const auto check_about = [&](total magnitude) {
            for (int beside = -2; beside <= 2; beside++) {
                const total each = magnitude + total(beside);
                if (each == 0 || each >> 127 != 0)
                    continue;
                // Windows by which the least and the largest exponents of each type are just reached, and not.
                for (const int exponent : {-128, -127, -126, -125, -15, -14, -13, 0, 14, 15, 16, 126, 127, 128, -1023,
                                           -1022, 1022, 1023, 1024}) {
                    const int base = exponent - top - WF_SUM_UNIT;
                    if (base >= 0 && base <= 1900)
                        check(each, base, of_f32, of_f64, of_any);
                }
            }
        };
        check_about(power);
        check_about(power | (power >> 1));
        for (int round = 0; round < 6; round++) {
            const total bits = (total(next_random()) << 64 | next_random()) & below;
            check_about(power | bits);
            for (const int digits : {8, 11, 24, 53}) { // ties, and carries through all digits
                const int off = top + 1 - digits;
                if (off < 1)
                    continue;
                const total half = total(1) << (off - 1), kept = bits >> off << off;
                check_about(power | kept | half);
                check_about(((power | below) >> off << off) | half);
                check_about(power | kept);
                for (int below_half = 0; below_half < off - 1; below_half++) // beside a tie by any one bit
                    check(power | kept | half | total(1) << below_half, 1000, of_f32, of_f64, of_any);
            }
        }
    }
    assert_true(of_f32.said > of_f32.all / 4);
    assert_true(of_f64.said > of_f64.all / 4);
    assert_true(of_any.said > of_any.all / 4);
    uint64_t none = 0;
    for (int base = 0; base <= 1900; base++) {
        assert_false(wf::round_to_f32({0, 0}, base, none));
        assert_false(wf::round_to_f64({0, 0}, base, none));
        for (const wf_float_format &format : formats)
            assert_false(wf::round_to_any({0, 0}, base, format, none));
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests_name("exact rounding", tests, nullptr, nullptr);
}
