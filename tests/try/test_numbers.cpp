// The words for numbers and for atomic updates, by the meaning that CUDA documents.
#include "words_machine.hpp"

#include <climits>
#include <cmath>
#include <random>

using namespace test;

namespace {

void test_bits(void **) {
    assert_int_equal(__clz(0), 32);
    assert_int_equal(__clz(1), 31);
    assert_int_equal(__clz(-1), 0);
    assert_int_equal(__clzll(0), 64);
    assert_int_equal(__clzll(1ll << 40), 23);
    assert_true(__brev(1) == 0x80000000 && __brev(0x12345678) == 0x1e6a2c48);
    assert_true(__brevll(0x123456789abcdef0) == 0x0f7b3d591e6a2c48);
    assert_true(__funnelshift_l(0x89abcdef, 0x01234567, 8) == 0x23456789);
    assert_true(__funnelshift_l(0x89abcdef, 0x01234567, 32) == 0x01234567);
    assert_true(__funnelshift_lc(0x89abcdef, 0x01234567, 32) == 0x89abcdef);
    assert_true(__funnelshift_r(0x89abcdef, 0x01234567, 8) == 0x6789abcd);
    assert_true(__funnelshift_r(0x89abcdef, 0x01234567, 0) == 0x89abcdef);
    assert_true(__funnelshift_rc(0x89abcdef, 0x01234567, 99) == 0x01234567);
    assert_true(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
    assert_true(__byte_perm(0x33221180, 0, 0x0008) == 0x808080ff);
    assert_true(__ffs(0) == 0 && __ffsll(1ull << 63) == 64 && __popcll(~0ull) == 64);
}

void test_products(void **) {
    assert_true(__umul24(0xff000003, 0xff000005) == 15 && __mul24(-3, 5) == -15 && __mul24(0x01fffffd, 5) == -15);
    assert_true(__mulhi(INT_MIN, INT_MIN) == 1 << 30 && __mulhi(-1, 1) == -1 && __umulhi(~0u, ~0u) == ~0u - 1);
    assert_true(__mul64hi(LLONG_MIN, 2) == -1 && __umul64hi(~0ull, 16) == 15);
    assert_true(__sad(-5, 7, 1) == 13 && __usad(9, 2, 1) == 8);
    assert_true(__hadd(-3, 0) == -2 && __rhadd(-3, 0) == -1 && __uhadd(~0u, ~0u) == ~0u && __urhadd(1, 2) == 2);
    assert_true(__dp4a(0x01ff0203, 0x04050607, 10) == 10 + 4 - 5 + 12 + 21);
    assert_true(__dp4a(0x01ff0203u, 0x04050607u, 10u) == 10 + 4 + 1275 + 12 + 21);
}

void test_min_and_max(void **) {
    const auto mixed = max(3u, -1ll);
    assert_true(mixed == 3 && sizeof mixed == 8);
    assert_true(min(2, 3.5) == 2 && max(1.0f, 2.0f) == 2 && min(-0.0f, 1.0f) == 0);
    assert_true(max(NAN, 1.0f) == 1 && max(1.0f, NAN) == 1 && min(NAN, 1.0) == 1 && std::isnan(min(NAN, NAN)));
    assert_true(umin(~0u, 1) == 1 && llmax(-1, 1) == 1 && ullmin(~0ull, 1) == 1);
}

// One that lies between two floats; and a random product, of which the four roundings are two neighbours.
void test_rounding(void **) {
    const float tiny = 0x1p-30f;
    assert_true(__fadd_rn(1, tiny) == 1 && __fadd_ru(1, tiny) == 1 + 0x1p-23f && __fadd_rd(1, -tiny) == 1 - 0x1p-24f);
    assert_true(__fadd_rz(-1, -tiny) == -1 && __fsub_rz(1, tiny) == 1 - 0x1p-24f && __fsub_rn(1, tiny) == 1);
    assert_true(__frcp_rn(3) == 1.0f / 3 && __fsqrt_ru(2) == std::nextafter(__fsqrt_rd(2), 2.0f));
    assert_true(__fmaf_rn(0x1p12f + 1, 0x1p12f + 1, -0x1p24f) == 0x1p13f + 1);
    assert_true(__dadd_ru(1, 1e-30) == 1 + 0x1p-52 && __ddiv_rd(1, 3) < __ddiv_ru(1, 3));
    assert_true(__double2float_rz(1.9999999999) < 2 && __double2float_rn(1.9999999999) == 2);
    assert_true(__ll2float_rd((1ll << 40) + 1) == 0x1p40f && __ull2float_ru((1ull << 40) + 1) == 0x1p40f + 0x1p17f);
    assert_true(__ll2double_rn((1ll << 60) + 1) == 0x1p60);
    std::mt19937 bits(7);
    const auto random = [&] { return unsigned(bits()); };
    for (int i = 0; i < 10000; i++) {
        const float a = __uint_as_float(random() >> 2), b = __uint_as_float((random() >> 4) + 0x20000000);
        const double exact = double(a) * double(b);
        const float up = __fmul_ru(a, b), down = __fmul_rd(a, b);
        assert_true(double(down) <= exact && exact <= double(up) && __fmul_rz(a, b) == down);
        assert_true(up == down || std::nextafter(down, INFINITY) == up);
        assert_true(__fmul_rn(a, b) == a * b);
    }
    assert_true(1.0f + tiny == 1); // the mode is as before
}

void test_conversions(void **) {
    assert_true(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rz(-2.7f) == -2);
    assert_true(__float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3 && __float2int_rz(1e20f) == INT_MAX);
    assert_true(__float2uint_rz(-5.0f) == 0 && __float2uint_rn(5e9f) == UINT_MAX && __float2int_rn(NAN) == 0);
    assert_true(__double2ll_rz(-1e30) == LLONG_MIN && __double2ull_rn(1e30) == ULLONG_MAX);
    assert_true(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x3ff00000, 0) == 1.0);
    assert_true(__saturatef(NAN) == 0 && __saturatef(2) == 1 && __saturatef(-1) == 0 && __saturatef(0.25f) == 0.25f);
    assert_true(rsqrtf(4) == 0.5f && rsqrt(16.0) == 0.25 && __fdividef(6, 3) == 2 && __expf(0) == 1);
}

template <class T>
void atomics_of(T start, T operand) {
    T cell = start;
    assert_true(atomicAdd(&cell, operand) == start && cell == T(start + operand));
    assert_true(atomicSub_system(&cell, operand) == T(start + operand) && cell == start);
    assert_true(atomicMax_block(&cell, T(start + 1)) == start && atomicMin(&cell, start) == T(start + 1));
    assert_true(atomicExch(&cell, operand) == start && cell == operand);
}

void test_atomics(void **) {
    everywhere([](unsigned width, wf::host::order order) {
        const outcome of = launch(width, order, 1, 1, [] {
            atomics_of(7, -9);
            atomics_of(7u, 9u);
            atomics_of(1ull << 40, 3ull);
            atomics_of(-5ll, 1ll << 50);
            atomics_of(1.5f, 0.25f);
            atomics_of(1.5, 0x1p-40);
            unsigned word = 5;
            assert_true(atomicInc(&word, 5) == 5 && word == 0 && atomicDec(&word, 9) == 0 && word == 9);
            assert_true(atomicDec(&word, 3) == 9 && word == 3 && atomicDec(&word, 3) == 3 && word == 2);
            assert_true(atomicOr(&word, 12) == 2 && atomicAnd(&word, 6) == 14 && atomicXor_block(&word, 3) == 6);
            assert_true(word == 5 && atomicCAS(&word, 4, 1) == 5 && word == 5 && atomicCAS(&word, 5, 1) == 5 &&
                        word == 1);
        });
        assert_string_equal(of.finding.c_str(), "");
    });
}

// 48 types: each has its size and alignment, and a make_ function.
void test_vectors(void **) {
    assert_true(sizeof(char2) == 2 && alignof(char2) == 2 && sizeof(uchar3) == 3 && alignof(short4) == 8);
    assert_true(sizeof(float3) == 12 && alignof(float3) == 4 && sizeof(double3) == 24 && alignof(double3) == 8);
    assert_true(alignof(float4) == 16 && sizeof(longlong4) == 32 && alignof(double4) == 16 && alignof(ulong2) == 16);
    const ushort4 four = make_ushort4(1, 2, 3, 4);
    const ulonglong3 three = make_ulonglong3(5, 6, 7);
    assert_true(four.w == 4 && three.z == 7 && make_int1(3).x == 3 && make_double4(0, 0, 0, 8).w == 8);
    assert_true(dim3(4).y == 1 && dim3(make_uint3(1, 2, 3)).z == 3 && uint3(dim3(1, 2)).z == 1);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_bits),        cmocka_unit_test(test_products),
                                cmocka_unit_test(test_min_and_max), cmocka_unit_test(test_rounding),
                                cmocka_unit_test(test_conversions), cmocka_unit_test(test_atomics),
                                cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests_name("numbers", tests, nullptr, nullptr);
}
