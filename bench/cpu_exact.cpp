// Times exact sums on the host device beside fast ones of the same data, and beside reading them: normal data, and
// random bits that are finite numbers, over all exponents. Sides take turns as in bench-cpu. Prints every sample as
// JSON; bench/cpu_exact.py makes tables of it.
//
// usage: bench-cpu-exact --n N [--samples K]
//
// Sums of 2-byte types are rounded into f32, which is what the fast ones of them are.
#include "cpu_sides.hpp"

extern "C" {
#include "oracle/round_half.h"
}

#include <cmath>
#include <random>

namespace {

constexpr size_t block = 1 << 20; // elements that the data repeat

uint64_t normal(wf_type type, std::mt19937_64 &random) {
    static std::normal_distribution<double> bell;
    const double real = bell(random);
    const float single = static_cast<float>(real);
    uint64_t bits = 0;
    if (type == WF_F64)
        std::memcpy(&bits, &real, sizeof real);
    else if (type == WF_F32)
        std::memcpy(&bits, &single, sizeof single);
    else
        bits = half_bits(type, real);
    return bits;
}

uint64_t any_finite(wf_type type, std::mt19937_64 &random) {
    const uint64_t exponents = type == WF_F64   ? UINT64_C(0x7ff) << 52
                               : type == WF_F32 ? 0x7f800000
                               : type == WF_F16 ? 0x7c00
                                                : 0x7f80;
    for (;;)
        if (const uint64_t bits = random() >> (64 - 8 * wf_type_size(type)); (bits & exponents) != exponents)
            return bits;
}

void fill(char *pool, size_t bytes, wf_type type, bool all_exponents) {
    const size_t size = wf_type_size(type);
    std::mt19937_64 random(1);
    for (size_t i = 0; i < block; i++) {
        const uint64_t bits = all_exponents ? any_finite(type, random) : normal(type, random);
        std::memcpy(pool + i * size, &bits, size);
    }
    for (size_t done = block * size; done < bytes; done *= 2)
        std::memcpy(pool + done, pool, std::min(done, bytes - done));
}

side sum_of(wf_context *context, wf_type type, wf_accuracy accuracy) {
    wf_reduce_spec spec = {};
    spec.type = type;
    spec.accumulator = wf_type_size(type) == 2 ? WF_ACCUMULATE_F32 : WF_ACCUMULATE_DEFAULT;
    spec.accuracy = accuracy;
    const auto call = [=](const void *in, size_t count) {
        float single;
        double real;
        require(wf_reduce(context, &spec, in, count,
                          type == WF_F64 ? static_cast<void *>(&real) : static_cast<void *>(&single),
                          type == WF_F64 ? sizeof real : sizeof single));
        return type == WF_F64 ? real : static_cast<double>(single);
    };
    return {accuracy == WF_ACCURACY_EXACT ? "exact" : "fast", call, {}, {}};
}

} // namespace

int main(int argc, char **argv) {
    const auto [n, samples] = counts_of(argc, argv, size_t(1) << 26);
    wf_context *context;
    require(wf_context_create(&context, "host"));
    const size_t most = std::max(pool_bytes, std::max(n, block) * 8);
    char *const pool = allocate_pool(most);
    bool is_first = true, is_right = true;
    std::printf("[");
    for (const wf_type type : {WF_F32, WF_F64, WF_F16, WF_BF16})
        for (const bool all_exponents : {false, true}) {
            const size_t bytes = n * wf_type_size(type);
            fill(pool, most, type, all_exponents);
            std::vector<side> sides = {sum_of(context, type, WF_ACCURACY_EXACT),
                                       sum_of(context, type, WF_ACCURACY_FAST), read_ceiling(context, type)};
            // Sums of normal data are off by their order; over all exponents those that are not exact may overflow.
            const double exact = sides[0].call(pool, n), fast = sides[1].call(pool, n);
            if (!all_exponents && !(std::abs(exact - fast) <= 1e-6 * static_cast<double>(n) + 1e-3)) {
                std::fprintf(stderr, "bench: a sum of %s is %.9g, exactly %.9g\n", wf_type_name(type), fast, exact);
                is_right = false;
            }
            measure(sides, pool, bytes, n, samples);
            std::printf("%s\n{\"type\": \"%s\", \"data\": \"%s\", \"n\": %zu, \"bytes\": %zu", is_first ? "" : ",",
                        wf_type_name(type), all_exponents ? "all exponents" : "normal", n, bytes);
            print_samples(sides);
            std::printf("}");
            is_first = false;
        }
    std::printf("\n]\n");
    wf_context_destroy(context);
    std::free(pool);
    return is_right ? 0 : 1; // keep may well be NaN
}
