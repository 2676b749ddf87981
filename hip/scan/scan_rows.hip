// scan_rows: some lanes share a row, and go along it. For short rows, and for columns, of which each lane has one.
// The order is that of scan_fixed_order, one part after the other.
#include "scan_arguments.hpp"
#include "scan_so_far.hpp"

namespace wf {

// Of a lane row that fewer lanes go along: what its aligned blocks of 1, 2, 4 .. of the lanes' packs come to, which
// Sklansky's tree combines with those behind them.
template <class Op>
class scan_blocks {
    using value = typename Op::value;
    static constexpr unsigned steps = 5;
    static_assert(1u << steps == scan_lanes, "of Sklansky's tree");

  public:
    // What the packs so far come to, of which this block's come to `in_block`.
    __device__ __forceinline__ value with_those_before(const Op &op, unsigned block, value in_block) const {
#pragma unroll
        for (unsigned s = 0; s < steps; s++)
            if ((block >> s & 1) != 0)
                in_block = op(of_size_[s], in_block);
        return in_block;
    }
    __device__ __forceinline__ void add(const Op &op, unsigned block, value total) {
        bool is_left = true;
#pragma unroll
        for (unsigned s = 0; s < steps; s++)
            if (is_left && (block >> s & 1) != 0) {
                total = op(of_size_[s], total);
            } else if (is_left) {
                of_size_[s] = total;
                is_left = false;
            }
    }

  private:
    value of_size_[steps];
};

template <class Op, unsigned Width>
__global__ void __launch_bounds__(WF_SCAN_TILE)
    scan_rows(array_view<const typename Op::element> source, scan_arguments<Op> given, unsigned lanes) {
    using value = typename Op::value;
    using cut = scan_cut<Op>;
    const tiled_index tidx;
    const Op &op = given.op;
    const unsigned lane = tidx.local % lanes, last = lane_of<Width>(tidx) | (lanes - 1);
    const unsigned blocks_of_lane_row = scan_lanes / lanes;
    const uint64_t number = (given.first_tile + tidx.tile) * (tidx.tile_size / lanes) + tidx.local / lanes;
    const bool exists = number < given.rows;
    const scan_row row(given, exists ? number : 0);
    const uint64_t blocks = given.length / (lanes * cut::pack) + (given.length % (lanes * cut::pack) != 0);

    scan_so_far<Op> so_far(initial_value(op, given.initial));
    scan_blocks<Op> within;
    value lanes_before = Op::identity(); // of the block's first lane
    for (uint64_t b = 0; b < blocks; b++) {
        const unsigned block = unsigned(b) % blocks_of_lane_row;
        const uint64_t first = exists ? (b * lanes + lane) * cut::pack : given.length;
        value held[cut::pack], total[1];
        load_values<false>(given, source, row, first, held);
#pragma unroll
        for (unsigned k = 1; k < cut::pack; k++)
            held[k] = op(held[k - 1], held[k]);
        total[0] = held[cut::pack - 1];
        team_scan<Width>(tidx, lanes, total, op);
        const value packs = within.with_those_before(op, block, total[0]);
        const value up_to_lane_before = shuffle_up<Width>(tidx, packs, 1);
        store_results(given, row, first, false,
                      so_far.before_lane_row(op).with(op, lane == 0 ? lanes_before : up_to_lane_before), held);

        lanes_before = shuffle<Width>(packs, last);
        within.add(op, block, shuffle<Width>(total[0], last));
        if (block == blocks_of_lane_row - 1) {
            so_far.add_lane_row(op, lanes_before);
            lanes_before = Op::identity();
        }
    }
}

} // namespace wf
