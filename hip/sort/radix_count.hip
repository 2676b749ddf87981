// radix_count: how many keys have each value of each digit. The first launch of a radix sort.
//
// Each tile counts its share of the array in tile memory and adds its counts to those in device memory. The last tile
// adds up what comes before each value: where, after the pass over that digit, its keys begin.
#include "../grid.hpp"
#include "../tile.hpp"
#include "../wave.hpp"
#include "radix_digits.hpp"

namespace wf {

constexpr unsigned radix_count_threads = WF_RADIX_COUNT_TILE;

// Several digits, one behind the other: bits begin to end - 1 of a code.
struct radix_digits {
    unsigned begin, end, bits, count;

    constexpr radix_digit operator[](unsigned number) const {
        const unsigned shift = begin + number * bits;
        if (shift >= end)
            return {0, 0};
        return {shift, (1u << (end - shift < bits ? end - shift : bits)) - 1};
    }
};

template <class U, unsigned Width>
__global__ void __launch_bounds__(radix_count_threads)
    radix_count(array_view<const U> source, key_order<U> order, radix_digits digits, array_view<int64_t> counts,
                array_view<uint64_t> starts, ticket_view ticket) {
    constexpr unsigned loads = 16 / sizeof(U), most_passes = sizeof(U) == 1 ? 2 : sizeof(U);
    const tiled_index tidx;
    const tile_static<uint32_t> tile_counts(tidx);
    for (unsigned i = tidx.local; i < digits.count * digit_values; i += tidx.tile_size)
        tile_counts[i] = 0;
    tidx.barrier.wait();

    const auto count_key = [&](U key) {
        const U code = order.encode(key);
#pragma unroll
        for (unsigned d = 0; d < most_passes; d++)
            if (d < digits.count)
                tile_add(tile_counts, d * digit_values + digits[d](code), 1);
    };
    const size_t threads = size_t(tidx.tiles) * tidx.tile_size;
    const size_t head = source.template aligned_from<loads>(), packs = (source.size() - head) / loads;
    for (size_t p = tidx.global; p < packs; p += threads) {
        const pack<U, loads> loaded = source.template load<loads>(head + p * loads);
#pragma unroll
        for (unsigned k = 0; k < loads; k++)
            count_key(loaded.element[k]);
    }
    if (tidx.global < head)
        count_key(source[tidx.global]);
    for (size_t i = head + packs * loads + tidx.global; i < source.size(); i += threads)
        count_key(source[i]);
    tidx.barrier.wait();

    for (unsigned i = tidx.local; i < digits.count * digit_values; i += tidx.tile_size) {
        const uint32_t counted = tile_counts[i];
        if (counted != 0)
            atomic_fold(counts, i, int64_t(counted), sum<int64_t>());
    }
    tidx.barrier.wait();
    if (!last_tile(tidx, ticket))
        return;

    constexpr unsigned lane_values = digit_values / Width; // neighbours
    for (unsigned d = wave_of<Width>(tidx); d < digits.count; d += tidx.tile_size / Width) {
        const unsigned first = d * digit_values + lane_of<Width>(tidx) * lane_values;
        int64_t own[lane_values], sums[1] = {0};
#pragma unroll
        for (unsigned k = 0; k < lane_values; k++)
            sums[0] += own[k] = counts[first + k];
        const int64_t all = sums[0];
        wave_scan<Width>(tidx, sums, sum<int64_t>());
        int64_t before = sums[0] - all;
#pragma unroll
        for (unsigned k = 0; k < lane_values; k++) {
            starts[first + k] = uint64_t(before);
            before += own[k];
        }
    }
}

} // namespace wf
