// Reductions along axes: joins the values of each row's parts.
#include "../atomic.hpp"
#include "axes_arguments.hpp"
#include "fold_team.hpp"

namespace wf {

// The terms of a sum are the pairs of its parts, and the digits of parts that were lost.
template <class Op>
struct part_terms {
    const axes_arguments<Op> &given;
    uint64_t first, end; // in partials, of the whole row
    unsigned lane, lanes;

    template <class Visit>
    __device__ __forceinline__ void each(const Visit &visit) const {
        for (uint64_t i = first + lane; i < end; i += lanes)
            visit(typename Op::value(given.partials[i]), digit_slot{given.digits, i * digit_slot::words});
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

// A team of lanes for each row, as in axes_rows.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_join_parts(axes_arguments<Op> given, unsigned parts) {
    const tiled_index tidx;
    const tile_static<typename Op::value> tile_data(tidx);
    const unsigned lanes = 1u << given.lane_bits, lane = tidx.local % lanes;
    const uint64_t row = team_of(tidx, given);
    const bool exists = row < given.rows;
    const axis_place place = exists ? place_of(given.kept, row) : axis_place{0, 0};
    const row_target to = {exists, given.result_origin + uint64_t(place.result), given.length, 0};
    const uint64_t first = row * parts, end = exists ? first + parts : first;

    wait_for_earlier_kernels();
    auto total = Op::identity();
    uint64_t i = first + lane;
    for (; i + (axes_in_flight - 1) * lanes < end; i += axes_in_flight * lanes) {
        typename Op::value loaded[axes_in_flight];
#pragma unroll
        for (unsigned k = 0; k < axes_in_flight; k++)
            loaded[k] = given.partials[i + k * lanes];
#pragma unroll
        for (unsigned k = 0; k < axes_in_flight; k++)
            total = given.op(total, loaded[k]);
    }
    for (; i < end; i += lanes)
        total = given.op(total, typename Op::value(given.partials[i]));
    total = fold_team<Width>(tidx, tile_data, total, lanes, given.op);

    if (lanes > Width && wave_of<Width>(tidx) != 0)
        return;
    const bool leads = exists && lane == 0;
    if constexpr (may_be_lost<Op>) {
        // Lanes fold in different orders, of which some may lose what others hold: all must agree.
        const auto either = [](uint32_t a, uint32_t b) { return a | b; };
        const uint32_t lost = fold_lanes<Width>(tidx, Op::is_lost(total) ? 1u : 0u, lanes, either);
        const bool is_lost = exists && lost != 0;
        if (ballot<Width>(tidx, is_lost) != 0) {
            const part_terms<Op> terms = {given, first, is_lost ? end : first, lane, lanes < Width ? lanes : Width};
            store_by_digits<Width>(tidx, given, lanes, terms, to, leads && is_lost);
            if (is_lost)
                return;
        }
    }
    if (leads)
        store_value(given, to, total);
}

} // namespace wf
