// bitonic: a sorting network; each launch or barrier is one step of it.
//
// Idea:   sorted halves of a block become sorted blocks of twice the length. The first step compares each element with
//         its mirror image in the block, the others with the one half, a quarter, ... of the block away. Blocks that
//         fit into a tile are merged in tile memory. Each longer stride takes a launch.
// Limit:  memory traffic: two accesses per element and longer stride, of which 2^m tiles have m (m + 1) / 2; and a
//         barrier for each step in a tile.
// Beside: simple_1
// Change: the first sort. bitonic_step is like simple_1: a thread for each pair, a launch for each stride. But it puts
//         the pair in order where simple_1 folds it.
// Diff:   longer, because the steps within a tile are a kernel of their own.
// Mended: every comparison has its smaller element in front, where the lecture's network alternates. What would lie
//         behind the end never moves: any length is sorted without padding.
#include "../sort/records.hpp"
#include "../tile.hpp"

namespace wf {

// The two places that comparison number i of a step compares. The stride is a power of two.
template <class Index>
struct comparison {
    Index low, high;

    __device__ __forceinline__ comparison(Index i, Index stride, bool is_mirrored)
        : low(2 * i - (i & (stride - 1))), high(is_mirrored ? low ^ (2 * stride - 1) : low + stride) {}
};

// Sorts tiles of two records per thread, or, where blocks are longer, finishes their merge.
template <class U, class V>
__global__ void __launch_bounds__(largest_tile)
    bitonic_tile(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    const tile_static<record<U, V>> tile_data(tidx);
    const unsigned tid = tidx.local, half = tidx.tile_size;
    const size_t begin = (pass.first_tile + tidx.tile) * 2 * half;

    tile_data[tid] = source[begin + tid];
    tile_data[tid + half] = source[begin + tid + half];
    tidx.barrier.wait();

    for (size_t block = pass.block <= 2 * half ? 2 : pass.block; block <= pass.block; block *= 2)
        for (unsigned stride = block / 2 < half ? unsigned(block / 2) : half; stride > 0; stride /= 2) {
            const comparison at(tid, stride, stride == block / 2);
            record<U, V> low = tile_data[at.low], high = tile_data[at.high];
            if (compare_exchange(low, high)) {
                tile_data[at.low] = low;
                tile_data[at.high] = high;
            }
            tidx.barrier.wait();
        }

    target.store_inside(begin + tid, tile_data[tid]);
    target.store_inside(begin + tid + half, tile_data[tid + half]);
}

// One step, in device memory.
template <class U, class V>
__global__ void __launch_bounds__(largest_tile)
    bitonic_step(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    const comparison at(pass.first_tile * tidx.tile_size + tidx.global, pass.stride, pass.stride == pass.block / 2);
    if (at.high >= source.size())
        return;
    record<U, V> low = source.load(at.low), high = source.load(at.high);
    if (compare_exchange(low, high)) {
        target.store(at.low, low);
        target.store(at.high, high);
    }
}

} // namespace wf
