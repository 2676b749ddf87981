// The bins that exact sums on the CPU have for elements far apart: filled to their bounds, which arrays reach at
// gigabytes alone.
#include "host/native/exact_bfloats.hpp"
#include "host/native/exact_bins.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include <cmocka.h>
#include <wavefold_sum.h>
}

using namespace wf::host::native;

namespace {

struct words {
    int64_t limb[WF_SUM_LIMBS] = {};
};

// Blocks of one element, the bits of which are given, so many times.
template <class T, class Bins>
words sum_of(uint64_t bits, int blocks, size_t length) {
    words sum;
    Bins bins(sum.limb);
    char block[block_length * sizeof(T)];
    for (size_t i = 0; i < block_length; i++)
        std::memcpy(block + i * sizeof(T), &bits, sizeof(T)); // the low bytes
    for (int i = 0; i < blocks; i++)
        bins.add_block(block, length);
    bins.drain();
    wf_carry_words(sum.limb);
    return sum;
}

// The same by multiplication.
template <class T, wf_term Term>
words product(uint64_t bits, int blocks, size_t length) {
    using layout = float_layout<T>;
    const uint64_t fraction = bits & layout::fraction, exponent = bits >> (layout::digits - 1) & layout::most_exponent;
    const uint64_t significand = exponent == 0 ? fraction : fraction | uint64_t(1) << (layout::digits - 1);
    words sum;
    for (int i = 0; i < blocks; i++)
        wf_add_significand(sum.limb, significand * length, layout::lowest(int(exponent), Term) - WF_SUM_UNIT,
                           Term == WF_TERM_ELEMENT && (bits & layout::sign) != 0);
    wf_carry_words(sum.limb);
    return sum;
}

template <class T, wf_term Term, class Bins>
void check(const char *name) {
    using layout = float_layout<T>;
    const uint64_t sign = layout::sign, fraction = layout::fraction, one = fraction + 1;
    const uint64_t elements[] = {0,
                                 1,
                                 fraction,
                                 one,
                                 one | fraction,
                                 (one * layout::bias) | fraction,
                                 one * (layout::most_exponent - 1) | fraction};
    for (const int blocks : {1, 2, 1023, 2046, 2047, 2048, 2049, 5000})
        for (const uint64_t element : elements)
            for (const uint64_t bits : {element, element | sign})
                for (const size_t length : {block_step, 3 * block_step, block_length}) {
                    const words found = sum_of<T, Bins>(bits, blocks, length),
                                expected = product<T, Term>(bits, blocks, length);
                    if (std::memcmp(&found, &expected, sizeof found) != 0)
                        fail_msg("%s: %d blocks of %zu times %#llx", name, blocks, length,
                                 static_cast<unsigned long long>(bits));
                }
}

#ifdef __AVX512BW__

template <wf_term Term>
void check_all_bfloats() {
    words found, expected;
    bfloat_bins<Term> bins(found.limb);
    exponent_bins<bf16, Term> others(expected.limb);
    constexpr uint32_t odd = 40503; // times it, every number of 16 bits comes once
    uint16_t block[block_length];
    for (uint32_t i = 0; i < 3 << 16; i += block_length) { // three times each, as most sums of their kind cancel
        for (uint32_t k = 0; k < block_length; k++) {
            const auto bits = uint16_t((i + k) * odd);
            const bool is_finite = (bits & 0x7f80) != 0x7f80;
            block[k] = is_finite && (bits % 3 == 0 || i >> 16 == 0) ? bits : uint16_t(0x8000);
        }
        bins.add_block(reinterpret_cast<const char *>(block), block_length);
        others.add_block(reinterpret_cast<const char *>(block), block_length);
        if (i % (1 << 15) == 0) {
            bins.drain();
            others.drain();
        }
    }
    bins.drain();
    bins.drain(); // of nothing
    others.drain();
    wf_carry_words(found.limb);
    wf_carry_words(expected.limb);
    assert_memory_equal(&found, &expected, sizeof found);
}

void test_bfloats(void **) {
    check<bf16, WF_TERM_ELEMENT, bfloat_bins<WF_TERM_ELEMENT>>("bf16");
    check<bf16, WF_TERM_MAGNITUDE, bfloat_bins<WF_TERM_MAGNITUDE>>("magnitudes of bf16");
    check_all_bfloats<WF_TERM_ELEMENT>();
    check_all_bfloats<WF_TERM_MAGNITUDE>();
}

#else

void test_packed(void **) {
    check<float, WF_TERM_ELEMENT, packed_bins<float, WF_TERM_ELEMENT>>("f32");
    check<float, WF_TERM_MAGNITUDE, packed_bins<float, WF_TERM_MAGNITUDE>>("magnitudes of f32");
    check<bf16, WF_TERM_ELEMENT, packed_bins<bf16, WF_TERM_ELEMENT>>("bf16");
    check<f16, WF_TERM_ELEMENT, packed_bins<f16, WF_TERM_ELEMENT>>("f16");
}

void test_by_exponent(void **) {
    check<double, WF_TERM_MAGNITUDE, exponent_bins<double, WF_TERM_MAGNITUDE>>("magnitudes of f64");
    check<float, WF_TERM_ELEMENT, exponent_bins<float, WF_TERM_ELEMENT>>("f32");
}

#endif

} // namespace

int main() {
#ifdef __AVX512BW__
    // As dispatch.cpp asks.
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("fma"))
        return 77;
    const CMUnitTest tests[] = {cmocka_unit_test(test_bfloats)};
#else
    const CMUnitTest tests[] = {cmocka_unit_test(test_packed), cmocka_unit_test(test_by_exponent)};
#endif
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
