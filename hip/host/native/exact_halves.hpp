// Sums of f16, of which all that are finite have the same 40 bits, in vectors of f32.
#ifndef WAVEFOLD_HOST_NATIVE_EXACT_HALVES_HPP
#define WAVEFOLD_HOST_NATIVE_EXACT_HALVES_HPP

#include "exact_windows.hpp"

namespace wf::host::native {
namespace {

// What is added of two vectors' worth of elements, in some order.
template <wf_term Term, class Visit>
inline __attribute__((always_inline)) void visit_halves(const char *in, const Visit &visit) {
    constexpr size_t width = lane_count<float>;
    __builtin_prefetch(in + bytes_ahead);
#ifdef __F16C__
    visit(0, term_of<Term, float>(lift<float, f16, width>(in)));
    visit(1, term_of<Term, float>(lift<float, f16, width>(in + width * sizeof(f16))));
#else
    const auto pairs = load<lanes<uint32_t, width>>(in);
    visit(0, term_of<Term, float>(upper_halves(pairs << 16)));
    visit(1, term_of<Term, float>(upper_halves(pairs)));
#endif
}

// A window as exact_windows.hpp has, of f32: what it leaves adds up in f32 without rounding. Elements are below 2^16,
// and whole numbers of 2^-24.
constexpr int half_unit = -6;
constexpr float half_window = 0x1.8p17f;
static_assert(half_window == 1.5f * (1 << (23 + half_unit)), "1.5 2^(23 + half_unit)");
constexpr size_t half_vectors = 4, half_step = half_vectors * lane_count<float>;
constexpr size_t half_adds = block_length / half_step; // in each lane
static_assert(16 <= 22 + half_unit, "elements must fit in the window");
static_assert(half_adds <= size_t(1) << (24 - 24 - (half_unit - 1)), "rests must add up in 24 bits");
static_assert(block_step % half_step == 0, "a step is whole vectors");
static_assert(half_adds <= size_t(1) << (30 - 22), "what the window takes, in 31");

// Of a block; not finite if some element is not.
template <wf_term Term>
double sum_halves(const char *block, size_t length) {
    constexpr size_t width = lane_count<float>;
    using floats = lanes<float, width>;
    using words = lanes<uint32_t, width>;
    words sums[half_vectors] = {};
    floats rests[half_vectors] = {};
    for (size_t i = 0; i < length; i += half_step)
        for (size_t two = 0; two < half_vectors; two += 2)
            visit_halves<Term>(
                block + (i + two * width) * sizeof(f16), [&](size_t one, floats term) __attribute__((always_inline)) {
                    const floats in_window = term + half_window;
                    sums[two + one] += bits_as<words>(in_window);
                    rests[two + one] += term - (in_window - half_window);
                });
    lanes<double, lane_count<double>> whole = {}, rest = {};
    for (size_t i = 0; i < half_vectors; i++) {
        const words sum = sums[i] - uint32_t(length / half_step * bits_as<uint32_t>(half_window));
        for (size_t half = 0; half < 2; half++) {
            const size_t at = half * sizeof sum / 2;
            whole += lift<double, int32_t, width / 2>(reinterpret_cast<const char *>(&sum) + at);
            rest += lift<double, float, width / 2>(reinterpret_cast<const char *>(&rests[i]) + at);
        }
    }
    whole = whole * 0x1p-6 + rest;
    return fold_lanes<double, width / 2>(whole, add());
}

} // namespace
} // namespace wf::host::native
#endif
