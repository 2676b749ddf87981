// segments: rows of unequal lengths, with equal work for every thread.
//
// Idea:   reading an element is one step, ending a segment is one step, and the steps of all segments form a path. Each
//         thread takes the same number of steps, and finds its first one by a binary search along a diagonal of the
//         path (Merrill and Garland 2016, "Merge-based parallel sparse matrix-vector multiplication"). A thread that
//         stops within a segment leaves a carry: a scan passes carries on within the tile, and a second launch joins
//         those of tiles.
// Limit:  memory, and the search. A thread's elements are neighbours, so a wave's load takes several lines, which later
//         loads find in the cache.
// Beside: row_per_thread
// Change: a thread's share no longer ends with a row. An empty segment costs one step; a long one occupies many
//         threads.
// Diff:   longer, because threads search for their shares and join the segments that they cut.
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

// The number of segments, from low to high, that end in the first steps of the path.
__device__ __forceinline__ size_t ended_after(size_t steps, const array_view<const uint64_t> &ends, size_t low,
                                              size_t high) {
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ends[middle] < steps - middle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__device__ __forceinline__ size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// A thread's sum of the segment in which it stops. begins: the segment begins in the thread's share.
template <class T>
struct segment_carry {
    T total;
    unsigned begins;
};

template <class T, class Op>
struct join_carries {
    __device__ __forceinline__ segment_carry<T> operator()(const segment_carry<T> &left,
                                                           const segment_carry<T> &right) const {
        return right.begins != 0 ? right : segment_carry<T>{Op()(left.total, right.total), left.begins};
    }
};

template <class T, class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    segments(array_view<const T> source, array_view<const uint64_t> ends, array_view<T> result, array_view<T> carries,
             size_t first_tile, unsigned span) {
    const tiled_index tidx;
    const tile_static<segment_carry<T>> tile_data(tidx);
    const Op fold;
    const join_carries<T, Op> join;
    const unsigned lane = lane_of<Width>(tidx), wave = wave_of<Width>(tidx), share = span / tidx.tile_size;
    const size_t tile = first_tile + tidx.tile, steps = source.size() + ends.size();

    const size_t from = smaller(tile * span + tidx.local * share, steps), to = smaller(from + share, steps);
    const size_t low = ended_after(tile * span, ends, 0, smaller(tile * span, ends.size())); // the same in all threads
    const size_t first = ended_after(from, ends, low, smaller(low + tidx.local * share, ends.size()));
    size_t segment = first, i = from - first, end = from < to ? ends[segment] : 0;
    T total = Op::identity(), head = total; // head: the thread's part of the segment in which it starts
    for (size_t step = from; step < to; step++) {
        if (i < end) {
            total = fold(total, source[i++]);
            continue;
        }
        if (segment == first)
            head = total;
        else
            result[segment] = total;
        total = Op::identity();
        end = ++segment < ends.size() ? ends[segment] : 0;
    }

    segment_carry<T> sums[1] = {{total, segment != first}};
    wave_scan<Width>(tidx, sums, join);
    if (lane == Width - 1)
        tile_data[wave] = sums[0];
    segment_carry<T> before = shuffle_up<Width>(tidx, sums[0], 1);
    if (lane == 0)
        before = {Op::identity(), 0};
    tidx.barrier.wait();
    segment_carry<T> waves_before = {Op::identity(), 0};
    for (unsigned other = 0; other < wave; other++)
        waves_before = join(waves_before, tile_data[other]);
    if (segment != first)
        result[first] = fold(join(waves_before, before).total, head);
    if (tidx.local == tidx.tile_size - 1)
        carries[tile] = join(waves_before, sums[0]).total;
}

// A wave joins the carries of a segment, from the tile in which it begins to the one before the tile in which it ends.
template <class T, class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    join_segments(array_view<const T> source, array_view<const uint64_t> ends, array_view<T> result,
                  array_view<T> carries, size_t first_tile, unsigned span) {
    const tiled_index tidx;
    const Op fold;
    const unsigned lane = lane_of<Width>(tidx);
    const size_t tile = (first_tile + tidx.tile) * (tidx.tile_size / Width) + wave_of<Width>(tidx);
    const size_t steps = smaller((tile + 1) * span, source.size() + ends.size());
    const size_t segment = ended_after(steps, ends, 0, smaller(steps, ends.size()));
    const bool begins = tile == 0 || ended_after(tile * span, ends, 0, smaller(tile * span, ends.size())) != segment;
    if (!wave_uniform<Width>(tidx, begins && segment < ends.size()))
        return;

    T total = Op::identity();
    const size_t last = (ends[segment] + segment) / span; // the tile in which the segment ends
    for (size_t i = tile + lane; i < last; i += Width)
        total = fold(total, carries[i]);
    total = wave_reduce<Width>(tidx, total, fold);
    if (lane == 0)
        result[segment] = fold(total, result[segment]);
}

} // namespace wf
