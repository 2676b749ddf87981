// Floats of 16 bits: each value, each rounding between two neighbours, and arithmetic that rounds once.
#include "host/try/words/bfloat_words.hpp"
#include "words_machine.hpp"

#include <cmath>
#include <random>

using namespace test;

namespace {

// The neighbours of each finite value, and what lies between them, against a search by value.
template <class Float>
void rounds_right(unsigned infinite) {
    for (unsigned bits = 0; bits < infinite; bits++) {
        const float low = Float::of_bits(uint16_t(bits));
        const double high = bits + 1 < infinite ? double(float(Float::of_bits(uint16_t(bits + 1))))
                                                : 2 * double(low) - double(float(Float::of_bits(uint16_t(bits - 1))));
        const double middle = (double(low) + high) / 2, below = std::nextafter(middle, 0),
                     above = std::nextafter(middle, 1e300);
        const auto of = [](double number, wf::tried::rounding to) { return Float::rounded(number, to).bits; };
        using wf::tried::rounding;
        assert_int_equal(Float(low).bits, bits);
        assert_int_equal(Float(-low).bits, bits | 0x8000);
        assert_int_equal(of(below, rounding::rn), bits);
        assert_int_equal(of(above, rounding::rn), bits + 1);
        assert_int_equal(of(middle, rounding::rn), bits + bits % 2);
        assert_int_equal(of(below, rounding::ru), bits + 1);
        assert_int_equal(of(above, rounding::rd), bits);
        assert_int_equal(of(-above, rounding::rz), bits | 0x8000);
        assert_int_equal(of(-below, rounding::rd), (bits + 1) | 0x8000);
        assert_int_equal(of(-below, rounding::ru), bits | 0x8000);
    }
    assert_int_equal(Float(INFINITY).bits, infinite);
    assert_true(std::isinf(float(Float(1e300))) && std::isnan(float(Float(NAN))));
}

void test_halves_round(void **) {
    rounds_right<half>(0x7c00);
    assert_true(float(half(65519.0f)) == 65504 && std::isinf(float(half(65520))) && float(half(0x1p-24)) == 0x1p-24f);
    assert_true(float(half(0x1p-25)) == 0 && float(__float2half_ru(0x1p-40f)) == 0x1p-24f);
    assert_true(float(__float2half_rz(1e9f)) == 65504);
}

void test_bfloats_round(void **) {
    rounds_right<nv_bfloat16>(0x7f80);
    assert_true(float(__float2bfloat16(1 + 0x1p-8f)) == 1 && float(__float2bfloat16_ru(1 + 0x1p-8f)) == 1 + 0x1p-7f);
}

// Against long double, which holds each exact result to more digits than any rounding here needs.
template <class Float>
void computes_right(unsigned seed) {
    std::mt19937 bits(seed);
    const auto any = [&] { return Float::of_bits(uint16_t(bits())); };
    for (int i = 0; i < 50000; i++) {
        const Float a = any(), b = any(), c = any();
        const float x = a, y = b, z = c;
        const auto is = [](Float got, double want) {
            return got.bits == Float(want).bits || (std::isnan(float(got)) && std::isnan(want));
        };
        assert_true(is(a + b, double(x) + double(y)) && is(a - b, double(x) - double(y)));
        assert_true(is(a * b, double(x) * double(y)) && is(a / b, double(x) / double(y)));
        assert_true((a < b) == (x < y) && (a == b) == (x == y) && __hleu(a, b) == !(x > y) && __hge(a, b) == (x >= y));
        const long double exact = (long double)x * y + z;
        const double twice = double(exact);
        const Float fused = __hfma(a, b, c);
        if (std::isfinite(twice) && std::isfinite(float(fused))) { // no float lies closer
            const long double off = fabsl((long double)float(fused) - exact);
            for (const int step : {-1, 1})
                if ((fused.bits & 0x7fff) + step >= 0) {
                    const float near = Float::of_bits(uint16_t(fused.bits + step));
                    assert_true(!std::isfinite(near) || off <= fabsl((long double)near - exact));
                }
        }
    }
}

void test_arithmetic(void **) {
    computes_right<half>(1);
    computes_right<nv_bfloat16>(2);
    // Rounding to double first would make it a tie: 1 + 2^-11 + 2^-60 rounds up.
    assert_true(float(wf::tried::narrow_float<wf::tried::half_format>::rounded(
                    wf::tried::odd_fma(0x1p-30f, 0x1p-30f, 1 + 0x1p-11f))) == 1 + 0x1p-10f);
}

void test_words(void **) {
    const half2 a = __floats2half2_rn(1.5f, -2), b = __halves2half2(half(3), half(4));
    const half2 sum = __hadd2(a, b), product = __hmul2(a, b), fused = __hfma2(a, b, sum);
    assert_true(__low2float(sum) == 4.5f && __high2float(product) == -8 && __half22float2(fused).y == -6);
    assert_true(__hbge2(b, a) && !__hbgt2(a, b) && float(__lowhigh2highlow(a).x) == -2);
    assert_true(float(__hmax(half(NAN), half(2))) == 2 && std::isnan(float(__hmax_nan(half(NAN), half(2)))));
    assert_true(__hmin(half(0.0f), half(-0.0f)).bits == 0x8000 && __hisnan(half(NAN)) && __hisinf(half(-1e9f)) == -1);
    assert_true(float(hsqrt(half(9))) == 3 && float(hexp(half(0))) == 1 && float(h2rcp(b).y) == 0.25f);
    assert_true(__half2int_rn(half(2.5f)) == 2 && __half2int_rz(half(-2.7f)) == -2 &&
                __half_as_ushort(half(1)) == 0x3c00);
    half x = 1;
    x += half(2);
    assert_true(float(x * half(2)) == 6 && x * 0.5f == 1.5f && float(-x) == -3 && max(x, half(9)) == half(9));
    assert_true(__bfloat162float(__hadd(__float2bfloat16(256), __float2bfloat16(1))) == 256);
}

// In a wave, and as an atomic update.
void test_lanes(void **) {
    static half total;
    static half2 pair;
    everywhere([](unsigned width, wf::host::order order) {
        total = half(0);
        pair = {half(0), half(1)};
        launch(width, order, 1, 64, [] {
            half mine = half(threadIdx.x % 32);
            for (unsigned by = 16; by > 0; by /= 2)
                mine += __shfl_xor_sync(~0ull, mine, by);
            LANE_CHECK(float(mine) == 496);
            atomicAdd(&total, half(1));
            atomicAdd(&pair, __float2half2_rn(0.5f));
        });
        assert_true(float(total) == 64 && float(pair.x) == 32 && float(pair.y) == 33);
    });
    all_held();
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_halves_round), cmocka_unit_test(test_bfloats_round),
                                cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_words),
                                cmocka_unit_test(test_lanes)};
    return cmocka_run_group_tests_name("halves", tests, nullptr, nullptr);
}
