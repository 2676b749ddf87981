// The variance of integers from their moments, of more elements than any array here has: of two numbers, by hand.
#include "reduce/moments.hpp"

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <random>

extern "C" {
#include <cmocka.h>
}

using namespace wf;

namespace {

void add(all_moments &all, uint64_t number, uint64_t count) {
    const wide sum = product(number, count), square = product(number, number);
    const wide low = product(square.low, count), high = product(square.high, count);
    add_to(all.sum, {sum.low, sum.high});
    add_to(all.squares, {low.low, low.high, 0});
    add_to(all.squares, {0, high.low, high.high});
}

void check(uint64_t a, uint64_t of_a, uint64_t b, uint64_t of_b) {
    all_moments all = {};
    add(all, a, of_a);
    add(all, b, of_b);
    const uint64_t count = of_a + of_b;
    const auto apart = static_cast<long double>(a > b ? a - b : b - a), n = static_cast<long double>(count);
    const long double expected =
        apart * (static_cast<long double>(of_a) / n) * apart * (static_cast<long double>(of_b) / n);
    const double got = all.variance(count, 1 / double(count));
    if (!(std::fabs(static_cast<long double>(got) - expected) <= 8 * 0x1p-53L * expected))
        fail_msg("variance %.17g of %llu times %llu and %llu times %llu, expected %.17Lg", got,
                 static_cast<unsigned long long>(of_a), static_cast<unsigned long long>(a),
                 static_cast<unsigned long long>(of_b), static_cast<unsigned long long>(b), expected);
}

void test_large_counts(void **) {
    std::mt19937_64 random(1);
    for (int bits = 1; bits <= 48; bits++) { // as many as the moments hold
        const uint64_t half = uint64_t(1) << bits >> 1;
        check(0, half, UINT64_MAX, half);
        for (int turn = 0; turn < 20; turn++) {
            const uint64_t a = random() >> random() % 64, b = random() >> random() % 64;
            check(a, 1 + random() % half, b, 1 + random() % half);
            check(a, 1 + random() % half, a + 1, half);
        }
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_large_counts)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
