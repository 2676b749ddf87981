// Shuffles, votes and barriers of a wave under masks, and of the lanes that reach them together.
#include "words_machine.hpp"

#include <algorithm>

using namespace test;

namespace {

constexpr uint64_t all = ~uint64_t(0);

unsigned lane() {
    return threadIdx.x % unsigned(warpSize);
}

// The lanes of each half, of each group of 8, and of a mask with holes meet without the others.
void test_parts_meet_alone(void **) {
    is_clean(128, [] {
        const unsigned self = lane(), width = unsigned(warpSize);
        const uint64_t half = self < width / 2 ? (uint64_t(1) << width / 2) - 1 : ~((uint64_t(1) << width / 2) - 1);
        unsigned sum = self + 1;
        for (unsigned turn = 0; turn <= self / 8; turn++) { // groups of 8 part in a loop
            const uint64_t eight = uint64_t(255) << (self & ~7u);
            unsigned of_eight = self;
            for (unsigned by = 4; by > 0; by /= 2)
                of_eight += __shfl_xor_sync(eight, of_eight, by, 8);
            LANE_CHECK(of_eight == 8 * (self & ~7u) + 28);
        }
        for (unsigned by = width / 4; by > 0; by /= 2)
            sum += __shfl_xor_sync(half, sum, by);
        const unsigned first = self < width / 2 ? 0 : width / 2, count = width / 2;
        LANE_CHECK(sum == count * first + count * (count + 1) / 2);
        const uint64_t odd = all / 3 << 1;
        if (self % 2 == 1) {
            LANE_CHECK(__shfl_sync(odd, 3 * self, 5) == 15);
            __syncwarp(odd);
            LANE_CHECK(__ballot_sync(odd, self > 2) == (odd & (width == 32 ? 0xfffffff8 : all - 7)));
        }
        LANE_CHECK(__shfl_down_sync(all, self, 1) == (self + 1 < width ? self + 1 : self));
    });
    all_held();
}

// 64-bit numbers, negative lanes, and every width of a group.
void test_shuffles(void **) {
    is_clean(96, [] {
        const unsigned self = lane(),
                       there = std::min(unsigned(warpSize), 96 - threadIdx.x / unsigned(warpSize) * unsigned(warpSize));
        const double mine = self * 0x1p40 + 1;
        LANE_CHECK(__shfl_sync(all, mine, 3) == 3 * 0x1p40 + 1);
        LANE_CHECK(__shfl(-(1ll << 40) - self, 7) == -(1ll << 40) - 7);
        for (unsigned width = 1; width <= there; width *= 2)
            for (unsigned by = 0; by < 2 * width; by++) {
                const unsigned in = self % width, first = self - in;
                LANE_CHECK(__shfl_up(self, by, width) == (in >= by ? self - by : self));
                LANE_CHECK(__shfl_down(self, by, width) == (in + by < width ? self + by : self));
                LANE_CHECK(__shfl(self, by - 1, width) == first + (by + width - 1) % width);
                if (by < width)
                    LANE_CHECK(__shfl_xor(self, by, width) == (self ^ by));
            }
    });
    all_held();
}

void test_votes(void **) {
    is_clean(80, [] {
        const unsigned self = lane(), width = unsigned(warpSize);
        const unsigned there = std::min(width, 80 - threadIdx.x / width * width);
        const uint64_t full = there == 64 ? all : (uint64_t(1) << there) - 1;
        LANE_CHECK(__ballot(self % 3 == 0) == (0x9249249249249249 & full) && __ballot_sync(all, 1) == full);
        LANE_CHECK(__any(self == 1) && !__any(self == 99) && __all(self < there) && !__all_sync(all, self != 2));
        LANE_CHECK(__uni_sync(all, 1) && __uni_sync(all, 0) && !__uni_sync(all, self == 0));
        LANE_CHECK(__match_any_sync(all, self % 4 * 0x1p50) == (uint64_t(0x1111111111111111) << self % 4 & full));
        int is_same = -1;
        LANE_CHECK(__match_all_sync(all, 7ull << 40, &is_same) == full && is_same == 1);
        LANE_CHECK(__match_all_sync(all, self / 2, &is_same) == 0 && is_same == 0);
        LANE_CHECK(__reduce_add_sync(all, self + 1) == there * (there + 1) / 2);
        LANE_CHECK(__reduce_min_sync(all, -int(self)) == 1 - int(there) && __reduce_max_sync(all, self) == there - 1);
        LANE_CHECK(__reduce_or_sync(all, 1u << self % 32) == unsigned(full) && __reduce_and_sync(all, self | 64) == 64);
        LANE_CHECK(__reduce_xor_sync(all, self == 3 ? 5u : 0u) == 5);
    });
    all_held();
}

// The branch that lanes took, a loop that they leave one after the other, and the line behind it.
void test_lanes_that_arrive_together(void **) {
    is_clean(64, [] {
        const unsigned self = lane();
        const uint64_t full = warpSize == 64 ? all : 0xffffffff;
        if (self % 2 == 0)
            LANE_CHECK(__activemask() == (all / 3 & full));
        else if (self % 4 == 1)
            LANE_CHECK(__popcll(__activemask()) == warpSize / 4);
        for (unsigned turn = 0; turn < self; turn++) {
            LANE_CHECK(__activemask() == (full >> (turn + 1) << (turn + 1)));
            LANE_CHECK(__shfl(self, turn + 1) == turn + 1);
        }
        LANE_CHECK(__activemask() == full);
        if (self < 8)
            LANE_CHECK(__ballot(self > 3) == 0xf0);
    });
    all_held();
}

void test_counting_barriers(void **) {
    is_clean(dim3(7, 5, 3), [] {
        const unsigned self = threadIdx.x + 7 * threadIdx.y + 35 * threadIdx.z;
        for (unsigned turn = 0; turn < 5; turn++) {
            LANE_CHECK(__syncthreads_count(self >= turn) == int(105 - turn));
            LANE_CHECK(__syncthreads_or(self == 104 + turn) == (turn == 0));
            LANE_CHECK(__syncthreads_and(self != 105 - turn) == (turn == 0));
        }
    });
    all_held();
}

void test_dimensions(void **) {
    static unsigned seen[2 * 3 * 4][5 * 3 * 2];
    everywhere([](unsigned width, wf::host::order order) {
        std::memset(seen, 0, sizeof seen);
        launch(width, order, dim3(2, 3, 4), dim3(5, 3, 2), [] {
            __syncthreads();
            LANE_CHECK(blockDim.x == 5 && blockDim.y == 3 && blockDim.z == 2 && gridDim.z == 4);
            const auto at = threadIdx;
            const uint3 tile = blockIdx;
            seen[tile.x + 2 * tile.y + 6 * tile.z][at.x + 5 * at.y + 15 * at.z]++;
            LANE_CHECK(__ballot(at.x == 0 && at.y == 0 && at.z == 1) == 1 << 15);
        });
        for (const auto &tile : seen)
            for (const unsigned each : tile)
                assert_int_equal(each, 1);
    });
    all_held();
}

// ---- Faults, each with the finding that names it -------------------------------------------------------------------

template <class Kernel>
void finds(unsigned width, const char *said, const Kernel &kernel) {
    for (const auto order : orders)
        says(launch(width, order, 1, 64, kernel).finding, said);
}

void test_faults(void **) {
    const auto unnamed = [] { __shfl_sync(0xffff, lane(), 0); };
    finds(32, " calls with the mask 0xffff, which does not name it", unnamed);
    finds(64, ": in a wave of 64 lanes a mask has 64 bits", [] { __syncwarp(0xffffffff); });
    const auto different = [] {
        __ballot_sync(lane() < 4 ? 0xf : lane() < 8 ? 0xfb : all - 0xff, 1);
        __syncthreads();
    };
    finds(32, "but lane 4 waits for the lanes of its mask 0xfb ", different);
    finds(64, "divergent barrier: lane 0 waits for its wave ", [] {
        if (lane() < 16)
            __shfl_sync(all, lane(), 0);
    });
    const auto reads_outside = [] {
        if (lane() < 16)
            __shfl_down_sync(0xffff, lane(), 8);
    };
    finds(32, " by a shuffle, which its mask 0xffff does not name", reads_outside);
    finds(64, " by a shuffle, which does not take part", [] {
        if (lane() < 16)
            __shfl(lane(), 20);
        else
            __ballot(1);
    });
    finds(32, "lane 20 by a shuffle, which has returned", [] {
        if (threadIdx.x < 20)
            __shfl_down_sync(all, lane(), 1);
    });
    finds(32, "shuffles in groups of 24 lanes", [] { __shfl_xor_sync(all, lane(), 1, 24); });
    finds(64, "divergent barrier: lane 0 waits at the tile barrier ", [] {
        if (threadIdx.x < 63)
            __syncthreads_count(1);
    });
}

// NVIDIA's GPUs count returned lanes as arrived.
void test_notes(void **) {
    static unsigned sum;
    for (const auto order : orders) {
        sum = 0;
        const outcome tile = launch(32, order, 1, 70, [] {
            if (threadIdx.x % 2 == 0)
                return;
            __syncthreads();
            sum += unsigned(__syncthreads_count(threadIdx.x > 30)) == 20;
        });
        assert_string_equal(tile.finding.c_str(), "");
        says(tile.note, " has returned, and counts as arrived at test_masks.cpp:");
        assert_int_equal(sum, 35);
        const outcome wave = launch(32, order, 1, 32, [] {
            if (threadIdx.x >= 20)
                return;
            LANE_CHECK(__shfl_sync(all, threadIdx.x, 19) == 19 && __ballot_sync(all, 1) == 0xfffff);
        });
        assert_string_equal(wave.finding.c_str(), "");
        says(wave.note, "lane 31 has returned, and counts as arrived at test_masks.cpp:");
    }
    all_held();
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_parts_meet_alone),
                                cmocka_unit_test(test_shuffles),
                                cmocka_unit_test(test_votes),
                                cmocka_unit_test(test_lanes_that_arrive_together),
                                cmocka_unit_test(test_counting_barriers),
                                cmocka_unit_test(test_dimensions),
                                cmocka_unit_test(test_faults),
                                cmocka_unit_test(test_notes)};
    return cmocka_run_group_tests_name("masks", tests, nullptr, nullptr);
}
