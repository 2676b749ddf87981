// Cooperative groups, and CUB's reductions and scans of a block, at both widths and in three orders of the lanes.
#include "host/try/words/block_words.hpp"
#include "host/try/words/group_folds.hpp"
#include "words_machine.hpp"

using namespace test;
namespace cg = cooperative_groups;

namespace {

template <unsigned Size>
void checks_tile() {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<Size>(block);
    const cg::thread_block_tile<Size> same = tile;
    const unsigned thread = block.thread_rank(), rank = thread % Size, first = thread - rank;
    LANE_CHECK(same.thread_rank() == rank && tile.size() == Size && tile.meta_group_rank() == thread / Size);
    LANE_CHECK(tile.meta_group_size() == 128 / Size);
    LANE_CHECK(tile.shfl(thread, 1) == first + 1 % Size);
    LANE_CHECK(tile.shfl_down(thread, 2) == (rank + 2 < Size ? thread + 2 : thread));
    LANE_CHECK(tile.shfl_up(thread, 3) == (rank >= 3 ? thread - 3 : thread));
    LANE_CHECK(tile.shfl_xor(1.5 * thread, Size / 2) == 1.5 * (first + (rank ^ Size / 2)));
    const uint64_t full = Size == 64 ? ~uint64_t(0) : (uint64_t(1) << Size % 64) - 1;
    LANE_CHECK(tile.ballot(rank % 2 == 0) == (0x5555555555555555 & full));
    LANE_CHECK(tile.any(rank == Size - 1) && !tile.any(0) && tile.all(1) && tile.all(rank > 0) == 0);
    LANE_CHECK(tile.match_any(rank / 2) == (uint64_t(3) << rank / 2 * 2 & full));
    int is_same = 0;
    LANE_CHECK(tile.match_all(thread / Size, is_same) == full && is_same == 1);
    tile.sync();
    LANE_CHECK(cg::reduce(tile, thread, cg::plus<unsigned>()) == Size * first + Size * (Size - 1) / 2);
    LANE_CHECK(cg::reduce(tile, int(thread), cg::less<int>()) == int(first));
    LANE_CHECK(cg::reduce(tile, thread, cg::greater<>()) == first + Size - 1);
    LANE_CHECK(cg::reduce(tile, 1ull << rank, cg::bit_or<unsigned long long>()) == full);
    LANE_CHECK(cg::inclusive_scan(tile, rank) == rank * (rank + 1) / 2);
    LANE_CHECK(cg::exclusive_scan(tile, thread, [](unsigned a, unsigned b) { return max(a, b); }) ==
               (rank == 0 ? 0 : thread - 1));
}

void test_tiles(void **) {
    is_clean(dim3(8, 4, 4), [] {
        checks_tile<1>();
        checks_tile<2>();
        checks_tile<4>();
        checks_tile<16>();
        checks_tile<32>();
        if (warpSize == 64)
            checks_tile<64>();
    });
    all_held();
}

void test_tiles_that_part(void **) {
    is_clean(128, [] {
        const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
        unsigned sum = tile.thread_rank();
        for (unsigned turn = 0; turn <= tile.meta_group_rank(); turn++)
            for (unsigned by = tile.size() / 2; by > 0; by /= 2)
                sum += tile.shfl_xor(sum, by);
        unsigned want = 28;
        for (unsigned turn = 0; turn < tile.meta_group_rank(); turn++)
            want *= 8;
        LANE_CHECK(sum == want);
        const cg::thread_group any = cg::tiled_partition(cg::this_thread_block(), 4);
        LANE_CHECK(any.size() == 4 && any.thread_rank() == threadIdx.x % 4);
        any.sync();
    });
    all_held();
}

void test_coalesced_groups(void **) {
    is_clean(64, [] {
        const unsigned lane = threadIdx.x % unsigned(warpSize);
        if (lane % 3 == 1) {
            const cg::coalesced_group group = cg::coalesced_threads();
            const unsigned count = (unsigned(warpSize) + 1) / 3;
            LANE_CHECK(group.size() == count && group.thread_rank() == lane / 3);
            LANE_CHECK(group.shfl(lane, 2) == 7 && group.ballot(lane > 3) == (uint64_t(1) << count) - 2);
            LANE_CHECK(group.shfl_down(lane, 1) == (lane / 3 + 1 < count ? lane + 3 : lane));
            LANE_CHECK(cg::reduce(group, 1, cg::plus<int>()) == int(count));
            const auto by_two = cg::tiled_partition<2>(group);
            LANE_CHECK(by_two.thread_rank() == lane / 3 % 2 && by_two.shfl(lane, 0) == lane / 6 * 6 + 1);
        }
        const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
        const auto labeled = cg::labeled_partition(tile, threadIdx.x % 5);
        LANE_CHECK(labeled.size() == (threadIdx.x % 32 < 32 && threadIdx.x % 5 == labeled.shfl(threadIdx.x % 5, 0)
                                          ? unsigned(__popcll(tile.match_any(threadIdx.x % 5)))
                                          : 0));
        LANE_CHECK(cg::binary_partition(tile, lane % 32 < 5).size() == (lane % 32 < 5 ? 5 : 27));
    });
    all_held();
}

void test_grids(void **) {
    launch(32, wf::host::order::forward, dim3(3, 2), dim3(4, 4), [] {
        const cg::grid_group grid = cg::this_grid();
        LANE_CHECK(grid.num_blocks() == 6 && grid.size() == 96 && grid.block_rank() == blockIdx.x + 3 * blockIdx.y);
        LANE_CHECK(grid.thread_rank() == grid.block_rank() * 16 + threadIdx.x + 4 * threadIdx.y);
        cg::sync(cg::this_thread_block());
        LANE_CHECK(cg::this_thread_block().group_index().y == blockIdx.y);
    });
    is_clean(64, [] { cg::this_grid().sync(); });
    all_held();
}

template <int X, int Y>
void checks_block() {
    is_clean(dim3(X, Y), [] {
        static thread_local typename cub::BlockReduce<int, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y>::TempStorage sums;
        static thread_local typename cub::BlockScan<int, X, cub::BLOCK_SCAN_RAKING, Y>::TempStorage scans;
        using reduce = cub::BlockReduce<int, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y>;
        using scan = cub::BlockScan<int, X, cub::BLOCK_SCAN_RAKING, Y>;
        const int thread = int(threadIdx.x + X * threadIdx.y), count = X * Y;
        const int sum = reduce(sums).Sum(thread + 1);
        LANE_CHECK(thread != 0 || sum == count * (count + 1) / 2);
        __syncthreads();
        const int most = reduce(sums).Reduce(count - thread, cub::Max());
        LANE_CHECK(thread != 0 || most == count);
        __syncthreads();
        const int some = reduce(sums).Sum(thread + 1, (count + 1) / 2);
        LANE_CHECK(thread != 0 || some == (count + 1) / 2 * ((count + 1) / 2 + 1) / 2);
        __syncthreads();
        int items[3] = {thread, 1, 2}, inclusive[3];
        const int of_items = reduce(sums).Sum(items);
        LANE_CHECK(thread != 0 || of_items == count * (count - 1) / 2 + 3 * count);
        int before, up_to, all;
        scan(scans).ExclusiveSum(thread + 1, before, all);
        LANE_CHECK(before == thread * (thread + 1) / 2 && all == count * (count + 1) / 2);
        __syncthreads();
        scan(scans).InclusiveScan(thread % 7, up_to, cub::Max());
        LANE_CHECK(up_to == min(thread, 6));
        __syncthreads();
        scan(scans).InclusiveSum(items, inclusive);
        LANE_CHECK(inclusive[2] == thread * (thread + 1) / 2 + 3 * (thread + 1) && inclusive[0] == inclusive[2] - 3);
    });
    all_held();
}

void test_blocks(void **) {
    checks_block<1, 1>();
    checks_block<31, 1>();
    checks_block<32, 1>();
    checks_block<33, 1>();
    checks_block<16, 6>();
    checks_block<257, 1>();
}

void test_warps(void **) {
    is_clean(96, [] {
        cub::WarpReduce<float>::TempStorage storage;
        cub::WarpScan<unsigned, 8>::TempStorage of_scan;
        const unsigned lane = threadIdx.x % 32;
        const float sum = cub::WarpReduce<float>(storage).Sum(float(lane));
        LANE_CHECK(lane != 0 || sum == 496);
        const float least = cub::WarpReduce<float>(storage).Reduce(5 - float(lane), cub::Min(), 4);
        LANE_CHECK(lane != 0 || least == 2);
        unsigned result;
        cub::WarpScan<unsigned, 8>(of_scan).InclusiveSum(lane % 8, result);
        LANE_CHECK(result == lane % 8 * (lane % 8 + 1) / 2);
        cub::WarpScan<unsigned, 8>(of_scan).ExclusiveSum(1u, result);
        LANE_CHECK(result == lane % 8);
    });
    all_held();
}

void test_faults(void **) {
    says(launch(32, wf::host::order::forward, 1, 64, [] { cg::tiled_partition<64>(cg::this_thread_block()).sync(); })
             .finding,
         "lane 0 makes tiles of 64 lanes, in a wave of 32");
    says(launch(64, wf::host::order::forward, 1, 64,
                [] {
                    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
                    if (tile.thread_rank() < 8)
                        tile.sync();
                })
             .finding,
         "lane 0 waits for the lanes of its mask 0xffff ");
    says(launch(32, wf::host::order::reverse, 1, 40,
                [] {
                    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
                    tile.shfl_down(1, 1);
                })
             .finding,
         "lane 39 reads lane 40 by a shuffle, which its tile of 40 threads does not have");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles), cmocka_unit_test(test_tiles_that_part), cmocka_unit_test(test_coalesced_groups),
        cmocka_unit_test(test_grids), cmocka_unit_test(test_blocks),          cmocka_unit_test(test_warps),
        cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("groups", tests, nullptr, nullptr);
}
