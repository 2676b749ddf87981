// The host device against kernels with planted bugs, which it must catch, and their mended twins, which it must not.
#include "ops.hpp"
#include "tile.hpp"
#include "wave.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf;
using host::machine;
using host::order;

namespace {

constexpr unsigned tile = 128;
constexpr unsigned tiles = 5;

const host::schedule schedules[] = {{order::forward, 0}, {order::reverse, 0}, {order::random, 1}, {order::random, 2}};
const unsigned widths[] = {32, 64};

struct outcome {
    std::string finding;
    std::vector<int> sums; // one per tile
};

// Runs a kernel that sums tiles * tile distinct weights, one sum per tile.
template <class Kernel>
outcome run(Kernel kernel, unsigned width, host::schedule schedule, unsigned threads = 2) {
    std::vector<int> weights(tiles * tile);
    for (size_t i = 0; i < weights.size(); i++)
        weights[i] = static_cast<int>(i * i % 10007) + 1;
    outcome result = {"", std::vector<int>(tiles)};
    machine device(width, schedule, threads);
    device.name_kernel("planted");
    const array_view<const int> source(weights.data(), weights.size());
    const array_view<int> sums(result.sums.data(), result.sums.size());
    launch_on(device, +kernel, tiles, tile, tile * sizeof(int), source, sums);
    result.finding = device.take_finding();
    return result;
}

std::vector<int> right_sums() {
    std::vector<int> sums(tiles);
    for (unsigned i = 0; i < tiles * tile; i++)
        sums[i / tile] += static_cast<int>(size_t(i) * i % 10007) + 1;
    return sums;
}

void assert_contains(const std::string &text, const char *part) {
    if (text.find(part) == std::string::npos)
        fail_msg("'%s' does not say '%s'", text.c_str(), part);
}

// ---- Kernels --------------------------------------------------------------------------------------------------------

using source_view = array_view<const int>;
using sums_view = array_view<int>;

template <bool Load, bool Step>
void tree(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local] = source[tidx.global];
    if (Load)
        tidx.barrier.wait();
    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tidx.local < s)
            cells[tidx.local] = cells[tidx.local] + cells[tidx.local + s];
        if (Step)
            tidx.barrier.wait();
    }
    if (tidx.local == 0)
        sums[tidx.tile] = cells[0];
}

// The last wave folds without a barrier, as if its lanes ran in lock step (lecture's reduce 5; right in 2012).
template <bool Synchronised>
void wave_tail(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local] = source[tidx.global];
    tidx.barrier.wait();
    for (unsigned s = tidx.tile_size / 2; s > 16; s /= 2) {
        if (tidx.local < s)
            cells[tidx.local] = cells[tidx.local] + cells[tidx.local + s];
        tidx.barrier.wait();
    }
    for (unsigned s = 16; s > 0; s /= 2) {
        if (tidx.local < s)
            cells[tidx.local] = cells[tidx.local] + cells[tidx.local + s];
        if (Synchronised)
            wave_barrier();
    }
    if (tidx.local == 0)
        sums[tidx.tile] = cells[0];
}

void racing_write(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local / 2] = source[tidx.global]; // two lanes, one cell
    tidx.barrier.wait();
    if (tidx.local == 0)
        sums[tidx.tile] = cells[0];
}

void write_after_read(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local] = source[tidx.global];
    tidx.barrier.wait();
    const int neighbour = cells[(tidx.local + 1) % tidx.tile_size];
    cells[tidx.local] = neighbour; // the lane below may not have read it yet
    tidx.barrier.wait();
    if (tidx.local == 0)
        sums[tidx.tile] = cells[0];
}

void divergent_barrier(source_view, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local % 3 != 1)
        tidx.barrier.wait();
    if (tidx.local == 0)
        sums[tidx.tile] = 1;
}

void two_barriers(source_view, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local < 64)
        tidx.barrier.wait();
    else
        tidx.barrier.wait();
    if (tidx.local == 0)
        sums[tidx.tile] = 1;
}

void lone_shuffle(source_view, sums_view sums) {
    const tiled_index tidx;
    int value = 1;
    if (tidx.local != 7)
        value = shuffle_down<32>(value, 1);
    if (tidx.local == 0)
        sums[tidx.tile] = value;
}

// A block fold by waves. Right for the width it was written for; with 32 written where the width belongs, the machine
// of 64 lanes folds half of each wave.
template <unsigned Width, unsigned Written>
void by_waves(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    const int total = wave_reduce<Written>(int(source[tidx.global]), sum<int>());
    if (tidx.local % Width == 0)
        cells[tidx.local / Width] = total;
    tidx.barrier.wait();
    if (tidx.local == 0) {
        int all = 0;
        for (unsigned w = 0; w < tidx.tile_size / Width; w++)
            all += cells[w];
        sums[tidx.tile] = all;
    }
}

void unwritten_cell(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    if (tidx.local == 3)
        sums[tidx.tile] = cells[5];
}

void beyond_view(source_view source, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local == 9)
        sums[tidx.tile] = source[tidx.global + tiles * tile];
}

void beyond_view_write(source_view, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local == 9)
        sums[tidx.tile + tiles] = 1;
}

void beyond_tile(source_view source, sums_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local + 1] = source[tidx.global];
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

template <class Kernel>
void must_catch(Kernel kernel, const char *what) {
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            const outcome result = run(kernel, width, schedule);
            assert_contains(result.finding, what);
            assert_contains(result.finding, "planted, tile ");
        }
}

template <class Kernel>
void must_pass(Kernel kernel, unsigned width) {
    for (const host::schedule &schedule : schedules) {
        const outcome result = run(kernel, width, schedule);
        assert_string_equal(result.finding.c_str(), "");
        assert_true(result.sums == right_sums());
    }
}

void test_right_kernels(void **) {
    for (const unsigned width : widths) {
        must_pass(tree<true, true>, width);
        must_pass(wave_tail<true>, width);
        must_pass(by_waves<32, 32>, width);
    }
    must_pass(by_waves<64, 64>, 64);
}

void test_missing_barrier_after_load(void **) {
    must_catch(tree<false, true>, " cell ");
}
void test_missing_barrier_in_step(void **) {
    must_catch(tree<true, false>, "race in tile memory: lane ");
}
void test_wave_tail(void **) {
    must_catch(wave_tail<false>, "race in tile memory: lane ");
}
void test_racing_write(void **) {
    must_catch(racing_write, "which lane ");
}
void test_write_after_read(void **) {
    must_catch(write_after_read, "race in tile memory: lane ");
}
void test_divergent_barrier(void **) {
    must_catch(divergent_barrier, "has returned");
}
void test_two_barriers(void **) {
    must_catch(two_barriers, "waits at the tile barrier test_emulator.cpp:");
}
void test_lone_shuffle(void **) {
    must_catch(lone_shuffle, "waits for its wave test_emulator.cpp:");
}
void test_unwritten_cell(void **) {
    must_catch(unwritten_cell, "lane 3 read cell 5 of tile memory, which nobody has");
}
void test_beyond_view(void **) {
    must_catch(beyond_view, "lane 9 used index ");
}
void test_beyond_view_write(void **) {
    must_catch(beyond_view_write, "of an array view of 5 elements");
}
void test_beyond_tile(void **) {
    must_catch(beyond_tile, "lane 127 wrote cell 128 of a tile memory of 128 cells");
}

void test_race_names_cell_and_lanes(void **) {
    const outcome result = run(racing_write, 64, {order::forward, 0}, 1);
    assert_string_equal(result.finding.c_str(), "planted, tile 0: race in tile memory: lane 1 wrote cell 0, which lane "
                                                "0 uses too with no barrier between them");
}

// A literal 32 gives the right sum on a machine of 32 lanes alone, which is why both widths are always run.
void test_literal_32(void **) {
    for (const host::schedule &schedule : schedules) {
        assert_true((run(by_waves<32, 32>, 32, schedule).sums == right_sums()));
        assert_false((run(by_waves<64, 32>, 64, schedule).sums == right_sums()));
    }
}

// The machine goes on after lanes were abandoned: the next launch must find nothing of it.
void test_recovers(void **) {
    machine device(64, {order::random, 3}, 2);
    std::vector<int> weights(tiles * tile, 1), sums(tiles);
    const source_view source(weights.data(), weights.size());
    const sums_view view(sums.data(), sums.size());
    for (unsigned round = 0; round < 20; round++) {
        launch_on(device, divergent_barrier, tiles, tile, tile * sizeof(int), source, view);
        assert_false(device.take_finding().empty());
        launch_on(device, tree<true, true>, tiles, tile, tile * sizeof(int), source, view);
        assert_string_equal(device.take_finding().c_str(), "");
        assert_int_equal(sums[tiles - 1], tile);
    }
}

std::vector<unsigned> lane_sequence(host::schedule schedule) {
    static std::vector<unsigned> sequence;
    sequence.clear();
    machine device(32, schedule, 1);
    launch_on(
        device, +[](sums_view) { sequence.push_back(tiled_index().local); }, 1, tile, 0, sums_view(nullptr, 0));
    return sequence;
}

void test_schedules(void **) {
    std::vector<unsigned> forward(tile);
    std::iota(forward.begin(), forward.end(), 0u);
    const std::vector<unsigned> reverse(forward.rbegin(), forward.rend());
    assert_true(lane_sequence({order::forward, 0}) == forward);
    assert_true(lane_sequence({order::reverse, 0}) == reverse);
    const std::vector<unsigned> random = lane_sequence({order::random, 1});
    assert_true(random != forward && random != reverse);
    assert_true(random == lane_sequence({order::random, 1}));
    assert_true(random != lane_sequence({order::random, 2}));
    assert_true(std::set<unsigned>(random.begin(), random.end()).size() == tile);
}

void test_every_tile_once(void **) {
    for (const host::schedule &schedule : schedules)
        for (const unsigned count : {1u, 2u, 3u, 7u, 64u, 65u, 1000u}) {
            std::vector<int> hits(count);
            machine device(64, schedule, 3);
            launch_on(
                device,
                +[](sums_view seen) {
                    const tiled_index tidx;
                    if (tidx.local == 0)
                        seen[tidx.tile] = seen[tidx.tile] + 1;
                },
                count, 2, 0, sums_view(hits.data(), hits.size()));
            assert_true(hits == std::vector<int>(count, 1));
        }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_right_kernels),
        cmocka_unit_test(test_missing_barrier_after_load),
        cmocka_unit_test(test_missing_barrier_in_step),
        cmocka_unit_test(test_wave_tail),
        cmocka_unit_test(test_racing_write),
        cmocka_unit_test(test_write_after_read),
        cmocka_unit_test(test_divergent_barrier),
        cmocka_unit_test(test_two_barriers),
        cmocka_unit_test(test_lone_shuffle),
        cmocka_unit_test(test_unwritten_cell),
        cmocka_unit_test(test_beyond_view),
        cmocka_unit_test(test_beyond_view_write),
        cmocka_unit_test(test_beyond_tile),
        cmocka_unit_test(test_race_names_cell_and_lanes),
        cmocka_unit_test(test_literal_32),
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_every_tile_once),
    };
    return cmocka_run_group_tests_name("emulator", tests, nullptr, nullptr);
}
