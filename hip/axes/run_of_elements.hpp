// add_run: the elements of a row that lie side by side.
#ifndef WAVEFOLD_AXES_RUN_OF_ELEMENTS_HPP
#define WAVEFOLD_AXES_RUN_OF_ELEMENTS_HPP

#include "first_extremes.hpp"

namespace wf {

// Packs at aligned addresses, and edges.
template <class Op>
__device__ __forceinline__ void add_packs_and_edges(const axes_arguments<Op> &given, typename Op::value &total,
                                                    uint64_t from, uint64_t count, uint64_t index, unsigned lane,
                                                    unsigned lanes) {
    constexpr unsigned size = element_pack<typename Op::element>::size, at_once = axes_in_flight;
    const auto &source = given.source;
    const Op &op = given.op;
    unsigned head = 0;
    if (given.has_edges != 0) {
        const unsigned past = source.past(from, 16) / unsigned(sizeof(typename Op::element));
        const unsigned until_aligned = (size - past) % size;
        head = unsigned(until_aligned < count ? until_aligned : count);
    }
    const auto packs = unsigned((count - head) / size);
    const auto load = [&](unsigned p, unsigned ahead) {
        return element_pack<typename Op::element>{source.load_line(from + head + uint64_t(p) * size, ahead)};
    };
    pack_totals<Op> mine(op, total, index + head);
    unsigned p = lane;
    for (; p + (at_once - 1) * lanes < packs; p += at_once * lanes) {
        element_pack<typename Op::element> loaded[at_once];
#pragma unroll
        for (unsigned k = 0; k < at_once; k++)
            loaded[k] = load(p, k * lanes);
#pragma unroll
        for (unsigned k = 0; k < at_once; k++)
            mine.add(loaded[k], p + k * lanes);
    }
    for (; p < packs; p += lanes)
        mine.add(load(p, 0), p);
    mine.end(load);
    if (given.has_edges == 0)
        return;
    const auto edges = unsigned(count - uint64_t(packs) * size);
    for (unsigned e = lane; e < edges; e += lanes) {
        const uint64_t k = e < head ? e : e + uint64_t(packs) * size;
        const typename Op::element one[] = {source[from + k]};
        op.add(total, one, index + k, 1);
    }
}

// A run of elements side by side, from `from` on; index: of its first.
template <class Op>
__device__ __forceinline__ void add_run(const axes_arguments<Op> &given, typename Op::value &total, uint64_t from,
                                        uint64_t count, uint64_t index, unsigned lane, unsigned lanes) {
    if constexpr (!is_seldom<Op>) {
        add_packs_and_edges(given, total, from, count, index, lane, lanes);
    } else {
        for (uint64_t e = lane; e < count; e += lanes) {
            const typename Op::element one[] = {given.source[from + e]};
            given.op.add(total, one, index + e, 1);
        }
    }
}

} // namespace wf
#endif
