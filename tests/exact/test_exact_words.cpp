// The words of an exact sum, carried and turned round by a wave at once, beside the same word by word: random ones, and
// those along which a carry or a borrow goes from one end to the other.
#include "reduce/exact/grid_words.hpp"

#include "host/emulator/machine.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstring>
#include <random>

extern "C" {
#include <cmocka.h>
#include <wavefold_sum.h>
}

using namespace wf;
using host::machine;
using host::order;

namespace {

constexpr int64_t radix = int64_t(1) << 32;
constexpr int limbs = WF_SUM_LIMBS, words = WF_SUM_WORDS;

// An integer is added, and all is carried and stored; then the magnitude.
template <unsigned Width>
void add_and_carry(array_view<int64_t> sum, array_view<wf_magnitude> magnitude, array_view<int> negative, wide integer,
                   int position) {
    const tiled_index tidx;
    grid_words<Width> mine(tidx);
    mine.take(sum);
    mine.add(integer, position);
    mine.carry();
    mine.put(sum);
    bool is_negative = false;
    const wf_magnitude x = mine.magnitude(is_negative);
    if (tidx.local == 0) {
        magnitude[0] = x;
        negative[0] = is_negative ? 1 : 0;
    }
}

struct result {
    int64_t sum[words];
    wf_magnitude magnitude;
    int negative;
};

template <unsigned Width>
result by_a_wave(const int64_t (&sum)[words], wide integer, int position, host::schedule schedule) {
    result got = {};
    memcpy(got.sum, sum, sizeof got.sum);
    machine device(Width, schedule, 1);
    launch_on(device, add_and_carry<Width>, 1, Width, 0, array_view<int64_t>(got.sum, words),
              array_view<wf_magnitude>(&got.magnitude, 1), array_view<int>(&got.negative, 1), integer, position);
    assert_string_equal(device.take_finding().c_str(), "");
    return got;
}

result word_by_word(const int64_t (&sum)[words], wide integer, int position) {
    result right = {};
    memcpy(right.sum, sum, sizeof right.sum);
    const wide magnitude = magnitude_of(integer);
    wf_add_significand(right.sum, magnitude.low, position, is_negative(integer));
    wf_add_significand(right.sum, magnitude.high, position + 64, is_negative(integer));
    wf_carry_words(right.sum);
    int64_t turned[words];
    memcpy(turned, right.sum, sizeof turned);
    bool negative = false;
    right.magnitude = wf_magnitude_of_words(turned, &negative);
    right.negative = negative ? 1 : 0;
    return right;
}

void check(const int64_t (&sum)[words], wide integer, int position, uint64_t seed) {
    const result right = word_by_word(sum, integer, position);
    const host::schedule random = {order::random, seed};
    for (const result &got :
         {by_a_wave<32>(sum, integer, position, random), by_a_wave<64>(sum, integer, position, random)}) {
        assert_memory_equal(got.sum, right.sum, sizeof right.sum);
        assert_int_equal(got.negative, right.negative);
        assert_true(got.magnitude.high == right.magnitude.high && got.magnitude.low == right.magnitude.low &&
                    got.magnitude.has_rest == right.magnitude.has_rest);
        if (right.magnitude.high != 0 || right.magnitude.low != 0)
            assert_int_equal(got.magnitude.exponent, right.magnitude.exponent);
    }
}

// Each limb one of few numbers about the bounds, so that what is carried goes on; the counts behind them stay.
void test_chains(void **) {
    constexpr int64_t about[] = {0, -1, radix - 1, radix, 1, -radix, 1 - radix, radix + 1};
    std::mt19937_64 random(1);
    for (uint64_t turn = 0; turn < 400; turn++) {
        int64_t sum[words];
        const size_t kinds = 1 + turn % 8;
        for (int64_t &word : sum)
            word = about[(turn / 8 + random() % kinds) % 8];
        sum[limbs - 1] %= 1 << 19; // as of sums that are rounded: it takes what is carried
        const uint64_t some = 0 - random() % 2, low = random() & some, shift = random() % 64;
        const wide integer = {low, random() >> shift};
        check(sum, turn % 2 == 0 ? integer : -integer, int(random() % 1901), turn);
    }
}

// One number alone moves all the others: at each limb.
void test_from_end_to_end(void **) {
    for (int first = 0; first < limbs - 1; first++)
        for (const int64_t one : {int64_t(1), int64_t(-1), radix, -radix}) {
            int64_t sum[words] = {};
            for (int i = first + 1; i < limbs - 1; i++)
                sum[i] = one > 0 ? radix - 1 : 0;
            sum[first] = one > 0 ? radix - 1 + one : one;
            check(sum, {0, 0}, 0, uint64_t(first));
        }
}

// Limbs of any size, as many tiles and launches leave them.
void test_any_size(void **) {
    std::mt19937_64 random(2);
    for (uint64_t turn = 0; turn < 400; turn++) {
        int64_t sum[words] = {};
        const int from = int(random() % limbs), to = from + int(random() % uint64_t(limbs - from));
        for (int i = from; i <= to; i++) // the last one has room for what is carried
            sum[i] = int64_t(random()) >> (i == limbs - 1 ? 32 : 2 + random() % 60);
        for (int i = limbs; i < words; i++)
            sum[i] = int64_t(random() >> 1);
        check(sum, {0, 0}, 0, turn);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_chains), cmocka_unit_test(test_from_end_to_end),
                                cmocka_unit_test(test_any_size)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
