// store_joined: the result of a row whose parts have stored values.
#ifndef WAVEFOLD_AXES_JOINED_PARTS_HPP
#define WAVEFOLD_AXES_JOINED_PARTS_HPP

#include "axes_arguments.hpp"

namespace wf {

// The terms of a sum are the pairs of its parts, and the digits of parts that were lost. values[i] is the number of the
// value of part i, of count.
template <class Op, class Values>
struct part_terms {
    const axes_arguments<Op> &given;
    const Values &values;
    uint64_t count;
    unsigned lane, lanes;

    template <class Visit>
    __device__ __forceinline__ void each(const Visit &visit) const {
        for (uint64_t i = lane; i < count; i += lanes)
            visit(typename Op::value(given.partials[values[i]]),
                  digit_slot{given.digits, values[i] * digit_slot::words});
    }
    __device__ __forceinline__ uint32_t flags() const {
        uint32_t all = 0;
        each([&](const wf_sum_pair &pair, const digit_slot &slot) {
            all |= Op::is_lost(pair) ? slot.flags() : flags_of(pair.sum);
        });
        return all;
    }
    __device__ __forceinline__ digit_range range() const { return {0, most_digits}; }
    __device__ __forceinline__ int64_t digit(int k) const {
        int64_t all = 0;
        each([&](const wf_sum_pair &pair, const digit_slot &slot) {
            all += Op::is_lost(pair) ? slot.digit(k) : finite_term(pair.sum).digit(k) + finite_term(pair.rest).digit(k);
        });
        return all;
    }
};

// total: what the lanes' values came to. By all lanes of a wave.
template <unsigned Width, class Op, class Values>
__device__ __forceinline__ void store_joined(const tiled_index &tidx, const axes_arguments<Op> &given,
                                             const typename Op::value &total, const Values &values, unsigned lanes,
                                             row_target to) {
    to.length = counted_length(given.op, total, to.length);
    const unsigned lane = tidx.local % lanes;
    const bool leads = to.exists && lane == 0;
    if constexpr (may_be_lost<Op>) {
        const bool is_lost = team_is_lost<Width, Op>(tidx, to, total, lanes);
        if (ballot<Width>(tidx, is_lost) != 0) {
            const part_terms<Op, Values> terms = {given, values, is_lost ? values.count : 0, lane,
                                                  lanes < Width ? lanes : Width};
            store_by_digits<Width>(tidx, given, lanes, terms, to, leads && is_lost);
            if (is_lost)
                return;
        }
    }
    if (leads)
        store_value(given, to, total);
}

} // namespace wf
#endif
