// Reductions along axes: joins the values of each row's parts.
#include "../atomic.hpp"
#include "fold_team.hpp"
#include "joined_parts.hpp"

namespace wf {

// The values of a row's parts.
struct row_values {
    uint64_t first, count;

    __device__ __forceinline__ uint64_t operator[](uint64_t i) const { return first + i; }
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

    if (lanes <= Width || wave_of<Width>(tidx) == 0)
        store_joined<Width>(tidx, given, total, row_values{first, parts}, lanes, to);
}

} // namespace wf
