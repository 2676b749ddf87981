// In which order lanes and tiles run, and that every tile runs once.
#include "emulator_tests.hpp"
#include "wave.hpp"

#include <csetjmp>
#include <cstdarg>
#include <numeric>
#include <set>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

namespace {

constexpr unsigned tile = 128;

enum class after { start, tile_barrier, wave_barrier };

template <after After>
std::vector<unsigned> lane_sequence(host::schedule schedule) {
    static std::vector<unsigned> sequence;
    sequence.clear();
    machine device(32, schedule, 1);
    launch_on(
        device,
        +[] {
            const tiled_index tidx;
            if (After == after::tile_barrier)
                tidx.barrier.wait();
            if (After == after::wave_barrier)
                wave_barrier();
            sequence.push_back(tidx.local);
        },
        1, tile, 0);
    return sequence;
}

std::vector<unsigned> tile_sequence(host::schedule schedule) {
    static std::vector<unsigned> sequence;
    sequence.clear();
    machine device(32, schedule, 1);
    launch_on(
        device, +[] { sequence.push_back(tiled_index().tile); }, tile, 1, 0);
    return sequence;
}

// Sequences of the numbers 0 to tile - 1.
void check_sequences(std::vector<unsigned> (*sequence)(host::schedule)) {
    std::vector<unsigned> forward(tile);
    std::iota(forward.begin(), forward.end(), 0u);
    const std::vector<unsigned> reverse(forward.rbegin(), forward.rend());
    assert_true(sequence({order::forward, 0}) == forward);
    assert_true(sequence({order::reverse, 0}) == reverse);
    const std::vector<unsigned> random = sequence({order::random, 1});
    assert_true(random != forward && random != reverse);
    assert_true(random == sequence({order::random, 1}));
    assert_true(random != sequence({order::random, 2}));
    assert_true(std::set<unsigned>(random.begin(), random.end()).size() == tile);
}

} // namespace

void test_schedules(void **) {
    check_sequences(lane_sequence<after::start>);
    check_sequences(lane_sequence<after::tile_barrier>);
    check_sequences(lane_sequence<after::wave_barrier>);
    check_sequences(tile_sequence);
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
