// bitonic_registers: bitonic's network, four steps at a time in registers.
//
// Idea:   a thread holds the 16 records whose places differ in four bits. The four steps along these bits need nobody
//         else. Then the threads exchange records through tile memory, for the next four bits.
// Limit:  memory traffic: two accesses per element for up to eight long strides, and two for all that fit into a tile.
// Beside: bitonic
// Change: a launch takes up to eight long strides, where it took one; a barrier of the tile serves up to four steps.
// Diff:   longer, because three kernels in words of register_tile.hpp take the place of two that spell their steps out.
//
// What the launches do with a tile of 2^12 records, between load and store. 8, 4 and 0 are the lowest bit of the slots'
// four, as register_tile.hpp draws them: in layout 8 neighbouring threads hold neighbours, so that a wave loads and
// stores whole lines. > is an exchange.
//
//   sort      8 > 0: blocks of 2 to 16, then longer ones, each on a way like merge's that ends in 0 > 8
//   merge     8: strides 2048 to 256 > 4: strides 128 to 16 > 0: strides 8 to 1 > 8
//   across_4  8: four long strides                        bits of a place: rrrr cccccccc
//   across_8  8: four long strides > 4: the next four                      rrrrrrrr cccc
//
// A tile of across is no stretch of the array, but rows of neighbours, each the shortest of its strides behind the one
// before: r are the bits of the row, which the slots step along, and c those of the place in its row.
#include "../atomic.hpp"
#include "../sort/register_tile.hpp"

namespace wf {

// Sorts tiles.
template <class U, class V, unsigned TileBits, unsigned>
__global__ void __launch_bounds__(register_tile_threads<TileBits>)
    bitonic_registers_sort(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    wait_for_earlier_kernels();
    register_tile<record<U, V>, TileBits> records(tidx);
    constexpr unsigned top = records.top;
    const size_t begin = (pass.first_tile + tidx.tile) << TileBits;
    const auto position = [=](unsigned place) { return begin + place; };

    records.template load<top>(source, position, 1u << top);
    records.template exchange<top, 0>(false, false);
    records.sort();
    records.template exchange<0, top>(false, false);
    records.template store<top>(target, position, 1u << top);
}

// The steps of a merge that stay within a tile.
template <class U, class V, unsigned TileBits, unsigned>
__global__ void __launch_bounds__(register_tile_threads<TileBits>)
    bitonic_registers_merge(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    wait_for_earlier_kernels();
    register_tile<record<U, V>, TileBits> records(tidx);
    constexpr unsigned top = records.top;
    const size_t begin = (pass.first_tile + tidx.tile) << TileBits;
    const auto position = [=](unsigned place) { return begin + place; };

    records.template load<top>(source, position, 1u << top);
    records.template merge_registers<register_bits>(false);
    records.template merge<top, top>(false);
    records.template exchange<0, top>(false, false);
    records.template store<top>(target, position, 1u << top);
}

// Four or eight steps of a merge across tiles. In the first pass of a merge, which compares mirror images, the rows of
// the upper half come from the mirrored place in their stride.
template <class U, class V, unsigned TileBits, unsigned Exchanges>
__global__ void __launch_bounds__(register_tile_threads<TileBits>)
    bitonic_registers_across(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    wait_for_earlier_kernels();
    register_tile<record<U, V>, TileBits> records(tidx);
    constexpr unsigned top = records.top;
    constexpr unsigned last = TileBits - Exchanges * register_bits; // the last layout: its slots are right above c
    constexpr unsigned rows = 1u << (TileBits - last), row_length = 1u << last;
    const bool is_mirrored = pass.stride * rows == pass.block;
    const size_t number = pass.first_tile + tidx.tile;
    const size_t lower = number * row_length & (pass.stride - 1);
    const size_t upper = is_mirrored ? pass.stride - row_length - lower : lower;
    const size_t begin = (number * row_length - lower) * rows;
    const auto position = [=](unsigned place) {
        const unsigned row = place / row_length;
        return begin + row * pass.stride + (row < rows / 2 ? lower : upper) + place % row_length;
    };

    records.template load<top>(source, position, pass.stride << (top - last), is_mirrored);
    records.template merge_registers<register_bits>(is_mirrored);
    if constexpr (Exchanges > 1) {
        records.template exchange<top, last>(is_mirrored, false);
        records.template merge_registers<register_bits>(false);
    }
    records.template store<last>(target, position, pass.stride, Exchanges == 1 && is_mirrored);
}

} // namespace wf
