// A thread's loads for an exact sum: packs, and edges that count as packs.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_LOADS_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_LOADS_HPP

#include "../packed_array.hpp"
#include "exact_value.hpp"

namespace wf {

// Words loaded behind each unaligned pack. Of f64 a whole line: with two words, sums of arrays that are off by 4 bytes
// or more took 13 % longer on an H200.
template <class Element>
constexpr unsigned words_behind = sizeof(Element) == 8 ? 4 : words_across<Element>;

// none: a word of -0, which stands for missing elements. with(edge): a word of an edge and -0.
template <class Element>
struct filler {
    using bits = typename float_format<Element>::bits;
    using word = std::remove_reference_t<decltype(element_pack<Element>::words[0])>;
    static constexpr auto minus_zero = uint64_t(1) << (8 * sizeof(bits) - 1);
    static constexpr auto none = word(sizeof(bits) == 2 ? minus_zero << 16 | minus_zero : minus_zero);
    static __device__ __forceinline__ word with(Element edge) { return word(none ^ minus_zero) | bits_as<bits>(edge); }
};

// Loads the packs p, p + step, ..., some of which may lie behind the last pack: there each edge counts as a pack,
// filled with -0, and missing packs are -0. No load waits for a branch, because a short array begins with these loads.
template <unsigned Packs, class Element, bool Aligned>
__device__ __forceinline__ void load_some(const packed_array<Element, Aligned> &source, unsigned p, unsigned step,
                                          element_pack<Element> (&packs)[Packs]) {
    using fill = filler<Element>;
#pragma unroll
    for (unsigned k = 0; k < Packs; k++) {
        for (auto &each : packs[k].words)
            each = fill::none;
        if (p + k * step < source.packs())
            packs[k] = source.template load<words_behind<Element>>(p, k * step);
    }
    if (p + (Packs - 1) * step < source.packs() || source.edges() == 0)
        return;
    const auto edge_at = [&](unsigned k) { return p + k * step - source.packs(); }; // of a pack: beyond all edges
    if constexpr (Aligned) { // a thread has one edge at most: there are fewer edges than lanes (exact_launch.hpp)
        unsigned edge = ~0u;
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            edge = edge_at(k) < source.edges() ? edge_at(k) : edge;
        if (edge == ~0u)
            return;
        const auto word = fill::with(source.read(source.index_of_edge(edge)));
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            packs[k].words[0] = edge_at(k) == edge ? word : packs[k].words[0];
    } else {
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            if (edge_at(k) < source.edges())
                packs[k].words[0] = fill::with(source.read(source.index_of_edge(edge_at(k))));
    }
}

// The same, faster where all packs are there, as most of a long array are.
template <unsigned Packs, class Element, bool Aligned>
__device__ __forceinline__ void load_more(const packed_array<Element, Aligned> &source, unsigned p, unsigned step,
                                          element_pack<Element> (&packs)[Packs]) {
    if (p + (Packs - 1) * step < source.packs()) {
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            packs[k] = source.template load<words_behind<Element>>(p, k * step);
    } else if constexpr (sizeof(Element) < 8) {
        load_some(source, p, step, packs);
    } else { // by load_some(), sums of 2^20 f64 took 6 % longer; by this branch, sums of bf16 took 3 % longer
        using fill = filler<Element>;
#pragma unroll
        for (unsigned k = 0; k < Packs; k++) {
            const unsigned here = p + k * step, edge = here - source.packs();
            for (auto &each : packs[k].words)
                each = fill::none;
            if (here < source.packs())
                packs[k] = source.template load<words_behind<Element>>(p, k * step);
            else if (edge < source.edges())
                packs[k].words[0] = fill::with(source.read(source.index_of_edge(edge)));
        }
    }
}

// A thread's group in registers: the packs p, p + step, ...
template <class Element>
struct group_view {
    element_pack<Element> (&packs)[loads_in_flight];
    unsigned p, step;
};

} // namespace wf
#endif
