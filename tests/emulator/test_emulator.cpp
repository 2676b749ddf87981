// The host device against kernels with planted bugs, which it must catch, and their mended twins, which it must not.
#include "emulator_tests.hpp"

#include "atomic.hpp"
#include "host/emulator/fiber.hpp"
#include "host/emulator/shadow.hpp"
#include "operators.hpp"
#include "wave.hpp"

#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

namespace {

constexpr unsigned tile = 128;
constexpr unsigned tiles = 5;

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

template <bool Load, bool Step>
void tree(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local] = source[tidx.global];
    if (Load)
        tidx.barrier.wait();
    for (unsigned s = tidx.tile_size / 2; s > 0; s /= 2) {
        if (tidx.local < s)
            cells[tidx.local] =
                sum<int>()(cells[tidx.local], cells[tidx.local + s]); // wraps: some cells are not written
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
            cells[tidx.local] =
                sum<int>()(cells[tidx.local], cells[tidx.local + s]); // wraps: some cells are not written
        tidx.barrier.wait();
    }
    for (unsigned s = 16; s > 0; s /= 2) {
        if (tidx.local < s)
            cells[tidx.local] =
                sum<int>()(cells[tidx.local], cells[tidx.local + s]); // wraps: some cells are not written
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

// Lanes that leave a loop around ballots at different times, or so many together.
template <unsigned Together>
void loop_left(source_view, sums_view) {
    const tiled_index tidx;
    unsigned round = 0;
    do
        ballot<32>(tidx, true);
    while (wave_uniform<32>(tidx, round++ < 3 + tidx.local / Together % 2));
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
        value = shuffle<32>(value, 0);
    if (tidx.local == 0)
        sums[tidx.tile] = value;
}

// A block fold by waves. Right for the width it was written for; with 32 written where the width belongs, the machine
// of 64 lanes folds half of each wave.
template <unsigned Width, unsigned Written>
void by_waves(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    const int total = wave_reduce<Written>(tidx, int(source[tidx.global]), sum<int>());
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

// An access outside is reported and not made: no memory is there.
constexpr unsigned far = 1u << 30;

void beyond_view(source_view source, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local == 9)
        sums[tidx.tile] = source[far];
}

void beyond_view_write(source_view, sums_view sums) {
    const tiled_index tidx;
    if (tidx.local == 9)
        sums[far] = 1;
}

void beyond_tile(source_view source, sums_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local + 1] = source[tidx.global];
}

void far_beyond_tile(source_view source, sums_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    if (tidx.local == 3)
        cells[tidx.tile_size + 2] = source[tidx.global];
}

void updates_beyond_tile(source_view, sums_view) {
    const tiled_index tidx;
    if (tidx.local == 3)
        tile_store(tile_static<uint32_t>(tidx), tidx.tile_size, 1);
}

// Where no memory is.
void where_nothing_is(source_view, sums_view) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    cells[far] = 1;
    const unsigned read = cells[far];
    tile_add(cells, far, read);
}

// After a barrier: one lane reads the cell, another one writes it.
void reader_and_writer(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    if (tidx.local == 0)
        cells[0] = 1;
    tidx.barrier.wait();
    int value = 0;
    if (tidx.local == 5)
        value = cells[0];
    if (tidx.local == 9)
        cells[0] = 2;
    if (tidx.local == 5)
        sums[tidx.tile] = value;
}

// Readers in two waves, and one of them writes.
void last_reader_writes(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    if (tidx.local == 0)
        cells[0] = 1;
    tidx.barrier.wait();
    int value = 0;
    if (tidx.local == 0 || tidx.local == 127)
        value = cells[0];
    if (tidx.local == 127)
        cells[0] = value + 1;
    tidx.barrier.wait();
    if (tidx.local == 0)
        sums[tidx.tile] = cells[0];
}

// A barrier of one wave orders nothing for another.
void barrier_of_one_wave(source_view, sums_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    if (tidx.local < 64)
        wave_barrier();
    if (tidx.local == 0 || tidx.local == 127)
        cells[0] = 1;
}

// Half of each wave shuffles in one line, the other half in another.
void parted_shuffles(source_view, sums_view sums) {
    const tiled_index tidx;
    int value = int(tidx.local);
    if (tidx.local % 32 < 16)
        value = shuffle_xor<32>(tidx, value, 1);
    else
        value = shuffle_xor<32>(tidx, value, 2);
    if (tidx.local == 0)
        sums[tidx.tile] = value;
}

// A shuffle moves registers: what lanes wrote to tile memory before is not ordered by it.
void shuffle_as_barrier(source_view source, sums_view sums) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    const int value = source[tidx.global];
    cells[tidx.local] = value;
    const int other = shuffle<32>(value, 0);
    const int neighbour = cells[tidx.local ^ 1];
    if (tidx.local == 0)
        sums[tidx.tile] = other + neighbour;
}

template <unsigned Width>
void shuffle_first(source_view, sums_view) {
    shuffle<Width>(1, 0);
}

// The lane after the wave's last: reads the next wave, or no lane.
void shuffle_beyond(source_view, sums_view) {
    const tiled_index tidx;
    shuffle<32>(1, tidx.local % 32 == 31 ? 64 : 0);
}

// From where no lane leaves anything.
void shuffle_from_nowhere(source_view, sums_view) {
    shuffle<32>(1, far);
}

// The second cell of a type, of which another type has a part.
template <bool Synchronised, class Whole, class Part>
void two_types(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<Whole> cells(tidx);
    if (tidx.local == 0)
        cells[1] = 1;
    if (Synchronised)
        tidx.barrier.wait();
    const tile_static<Part> parts(tidx);
    if (tidx.local == 127)
        parts[sizeof(Whole) / sizeof(Part) + 1] = 'x';
    if (Synchronised)
        tidx.barrier.wait();
    if (tidx.local == 0) {
        cells[0] = cells[1]; // partly written as one, partly as the other
        sums[tidx.tile] = int(Whole(cells[0]) >> 8 * sizeof(Part));
    }
}

// Lane 0 stores bytes 4 to 7 as a word, while another lane writes one byte.
template <unsigned Byte>
void word_beside_a_byte(source_view, sums_view) {
    const tiled_index tidx;
    const tile_static<char> bytes(tidx);
    const tile_static<uint32_t> words(tidx);
    if (tidx.local == 127)
        bytes[Byte] = 'x';
    if (tidx.local == 0)
        tile_store(words, 1, 1);
}

struct unwound {
    unwound() { alive++; }
    unwound(const unwound &) = delete;
    ~unwound() { alive--; }
    static inline std::atomic<int> alive{0};
};

template <class Thrown>
void throws(source_view, sums_view sums) {
    const tiled_index tidx;
    const unwound counted;
    if (std::is_base_of_v<std::bad_alloc, Thrown> && tidx.local % 2 == 1)
        sums[tiles] = 1; // a finding besides
    if (tidx.local == 40)
        throw Thrown("on purpose");
    tidx.barrier.wait();
}

// Fills more than a stack, after others have left something on theirs.
void overflows(source_view, sums_view) {
    const tiled_index tidx;
    tidx.barrier.wait();
    if (tidx.local % 50 == 0) {
        volatile char large[host::stack_growth * 80 * 1024];
        for (volatile char &byte : large)
            byte = 1;
    }
    tidx.barrier.wait();
}

// Lanes of one wave wait in two lines, for their wave or for their tile.
template <bool OfWave>
void parted_wave(source_view, sums_view) {
    const tiled_index tidx;
    if (tidx.local % 2 == 0)
        OfWave ? wave_barrier() : tidx.barrier.wait();
    else
        OfWave ? wave_barrier() : tidx.barrier.wait();
}

// Lanes update a cell, and one of them reads it; another one has a cell of its own.
template <bool Waits>
void updated_cells(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<uint32_t> cells(tidx);
    if (tidx.local == 7) {
        tile_store(cells, 1, 0);
        tile_add(cells, 1, 1);
        cells[1] = cells[1] + 1;
    }
    if (tidx.local == 0)
        cells[0] = 0;
    tidx.barrier.wait();
    tile_add(cells, 0, 1);
    if (Waits)
        tidx.barrier.wait();
    if (tidx.local == 5)
        sums[tidx.tile] = int(cells[0]);
}

// The same with barriers of the waves, of which each has its cell.
void updated_cells_of_waves(source_view, sums_view sums) {
    const tiled_index tidx;
    const tile_static<uint32_t> cells(tidx);
    const unsigned wave = tidx.local / 32;
    if (tidx.local % 32 == 0)
        cells[wave] = 0;
    wave_barrier();
    tile_add(cells, wave, 1);
    wave_barrier();
    if (tidx.local % 32 == 3)
        host::atomic_update(sums.address(tidx.tile), [&](int sum) { return sum + int(cells[wave]); });
}

// A barrier of the wave orders what its lanes store, not what others update.
void store_before_updates(source_view, sums_view) {
    const tiled_index tidx;
    const tile_static<uint32_t> cells(tidx);
    if (tidx.local == 0)
        cells[0] = 0;
    wave_barrier();
    tile_add(cells, 0, 1);
}

// What each lane says, by groups of Width lanes.
template <unsigned Width>
void ballots(source_view, sums_view sums) {
    const tiled_index tidx;
    const auto says = [](unsigned i) { return i % 3 == 0 || i % 64 == 31; };
    uint64_t expected = 0;
    for (unsigned i = 0; i < Width; i++)
        expected |= uint64_t(says(tidx.local / Width * Width + i)) << i;
    const bool is_right = ballot<Width>(tidx, says(tidx.local)) == expected &&
                          ballot<Width>(tidx, !says(tidx.local)) == (~expected << (64 - Width) >> (64 - Width)) &&
                          ballot<Width>(tidx, false) == 0; // whatever was said two before
    if (is_right)
        host::atomic_update(sums.address(tidx.tile), [](int right) { return right + 1; });
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
void test_loop_left(void **) {
    must_catch(loop_left<1>, " of its wave does not (test_emulator.cpp:");
    must_catch(loop_left<8>, " of its wave does not (test_emulator.cpp:");
    assert_contains(run(loop_left<8>, 32, {order::forward, 0}, 1).finding,
                    "lane 8 goes on in a loop, and lane 0 of its wave does not (test_emulator.cpp:");
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules)
            assert_string_equal(run(loop_left<64>, width, schedule).finding.c_str(), "");
}
void test_two_barriers(void **) {
    must_catch(two_barriers, "waits at the tile barrier test_emulator.cpp:");
}
void test_parted_wave(void **) {
    must_catch(parted_wave<true>, "divergent barrier: lane 0 waits for its wave test_emulator.cpp:");
    must_catch(parted_wave<false>, "divergent barrier: lane 0 waits at the tile barrier test_emulator.cpp:");
}
void test_ballots(void **) {
    const std::vector<int> all(tiles, static_cast<int>(tile));
    for (const host::schedule &schedule : schedules) {
        for (const unsigned width : widths) {
            const outcome narrow = run(ballots<32>, width, schedule);
            assert_string_equal(narrow.finding.c_str(), "");
            assert_true(narrow.sums == all);
        }
        const outcome wide = run(ballots<64>, 64, schedule);
        assert_string_equal(wide.finding.c_str(), "");
        assert_true(wide.sums == all);
        assert_contains(run(ballots<64>, 32, schedule).finding, " by a shuffle");
    }
    uint64_t said = 0; // of a tile that does not fill its wave
    machine device(32, {order::forward, 0}, 1);
    device.launch(1, 20, 0, [&] { said = ballot<32>(tiled_index(), true); });
    assert_string_equal(device.take_finding().c_str(), "");
    assert_int_equal(said, (1u << 20) - 1);
}
void test_lone_shuffle(void **) {
    must_catch(lone_shuffle, "waits for its wave test_emulator.cpp:");
}
void test_unwritten_cell(void **) {
    must_catch(unwritten_cell, "lane 3 read cell 5 of tile memory, which was never written");
}
void test_beyond_view(void **) {
    must_catch(beyond_view, "used index 1073741824 of an array view of 640 elements: 1073741185 beyond its last");
}
void test_beyond_view_write(void **) {
    must_catch(beyond_view_write, "of an array view of 5 elements");
}
void test_beyond_tile(void **) {
    must_catch(beyond_tile, "lane 127 wrote cell 128 of a tile memory of 128 cells");
    must_catch(far_beyond_tile, "lane 3 wrote cell 130 of a tile memory of 128 cells");
    must_catch(updates_beyond_tile, "lane 3 wrote cell 128 of a tile memory of 128 cells");
    must_catch(where_nothing_is, " wrote cell 1073741824 of a tile memory of 128 cells");
}

void test_reader_and_writer(void **) {
    must_catch(reader_and_writer, "race in tile memory: lane ");
}
void test_last_reader_writes(void **) {
    must_catch(last_reader_writes, "race in tile memory: lane ");
}
void test_barrier_of_one_wave(void **) {
    must_catch(barrier_of_one_wave, "race in tile memory: lane ");
}
void test_parted_shuffles(void **) {
    must_catch(parted_shuffles, "waits for its wave test_emulator.cpp:");
}

void test_shuffle_as_barrier(void **) {
    must_catch(shuffle_as_barrier, "race in tile memory: lane ");
}

void test_updated_cells(void **) {
    must_catch(updated_cells<false>, "race in tile memory: lane ");
    assert_contains(run(updated_cells<false>, 32, {order::forward, 0}, 1).finding,
                    "lane 5 read cell 0, which other lanes update too with no barrier between them");
    must_catch(store_before_updates, "race in tile memory: lane ");
    const std::vector<int> all(tiles, static_cast<int>(tile));
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules)
            for (const auto &kernel : {updated_cells<true>, updated_cells_of_waves}) {
                const outcome result = run(kernel, width, schedule);
                assert_string_equal(result.finding.c_str(), "");
                assert_true(result.sums == all);
            }
}

void test_two_types(void **) {
    must_catch(two_types<false, int, char>, "race in tile memory: lane ");
    must_catch(two_types<false, uint64_t, uint32_t>, "race in tile memory: lane ");
    must_catch(word_beside_a_byte<4>, "race in tile memory: lane ");
    must_catch(word_beside_a_byte<7>, "race in tile memory: lane ");
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            for (const auto &kernel : {two_types<true, int, char>, two_types<true, uint64_t, uint32_t>}) {
                const outcome result = run(kernel, width, schedule);
                assert_string_equal(result.finding.c_str(), "");
                assert_true(result.sums == std::vector<int>(tiles, 'x'));
            }
            for (const auto &kernel : {word_beside_a_byte<3>, word_beside_a_byte<8>})
                assert_string_equal(run(kernel, width, schedule).finding.c_str(), "");
        }
}

// Every byte of tile memory is a cell of a type of one byte.
void test_bytes(void **) {
    std::vector<int> seen(1);
    machine device(32, {order::forward, 0}, 1);
    launch_on(
        device,
        +[](sums_view sums) {
            const tiled_index tidx;
            const tile_static<char> bytes(tidx);
            const size_t last = host::tile_memory_bytes - 1;
            if (tidx.local == 0)
                bytes[last] = 'x';
            tidx.barrier.wait();
            if (tidx.local == 1)
                sums[0] = bytes[last];
        },
        1, 2, host::tile_memory_bytes, sums_view(seen.data(), 1));
    assert_string_equal(device.take_finding().c_str(), "");
    assert_int_equal(seen[0], 'x');
}

// What is remembered of a cell finds the first race of any sequence, and nothing before: compared with remembering all.
void test_shadow_is_exact(void **) {
    std::mt19937 random(1);
    unsigned races = 0;
    for (unsigned round = 0; round < 20000; round++) {
        host::shadow_cell cell;
        enum { reads, writes, updates };
        std::vector<std::pair<host::access, int>> history;
        uint64_t epoch = 1, wave_epochs[3] = {};
        for (unsigned step = 0; step < 8; step++) {
            const bool is_crowded = round % 2 == 0; // else few lanes do more with one cell
            const auto lane = static_cast<unsigned>(random() % (is_crowded ? 6 : 3));
            if (random() % 2 == 0)
                wave_epochs[lane / 2]++;
            if (random() % (is_crowded ? 3 : 12) == 0)
                epoch++;
            const int what = random() % 4 == 0 ? writes : random() % (is_crowded ? 6 : 2) == 0 ? updates : reads;
            const host::access now = {epoch, wave_epochs[lane / 2], lane, lane / 2};
            bool is_race = false;
            for (const auto &[earlier, before] : history)
                is_race |= (what != before || what == writes) && earlier.epoch == epoch && earlier.lane != lane &&
                           (earlier.wave != now.wave || earlier.wave_epoch == now.wave_epoch);
            const host::access raced = what == writes  ? cell.write(now)
                                       : what == reads ? cell.read(now)
                                                       : cell.update(now);
            assert_int_equal(raced.epoch != 0, is_race);
            races += is_race;
            if (is_race)
                break;
            history.emplace_back(now, what);
        }
    }
    assert_in_range(races, 2000, 19000); // of the rounds: neither all nor none
}

template <unsigned Width>
void shuffles_right(sums_view seen) {
    const tiled_index tidx;
    for (unsigned round = 0; round < 3; round++) {
        const unsigned from = (tidx.local * 7 + round) % Width;
        if (shuffle<Width>(int(tidx.local), from) == int(tidx.local / Width * Width + from))
            seen[tidx.local] = seen[tidx.local] + 1;
    }
}

void test_shuffle_values(void **) {
    for (const host::schedule &schedule : schedules) {
        const std::vector<int> all(tile, 3);
        std::vector<int> seen(tile);
        machine narrow(32, schedule, 1), wide(64, schedule, 1);
        launch_on(narrow, shuffles_right<32>, 1, tile, 0, sums_view(seen.data(), tile));
        assert_true(seen == all);
        std::fill(seen.begin(), seen.end(), 0);
        launch_on(wide, shuffles_right<64>, 1, tile, 0, sums_view(seen.data(), tile));
        assert_true(seen == all);
    }
}

void test_shuffle_beyond_wave(void **) {
    must_catch(shuffle_beyond, "by a shuffle, which is not in its wave of ");
    const outcome result = run(shuffle_beyond, 32, {order::forward, 0}, 1);
    assert_contains(result.finding,
                    "planted, tile 0: lane 31 reads lane 64 by a shuffle, which is not in its wave of 32 "
                    "lanes (test_emulator.cpp:");
    must_catch(shuffle_from_nowhere, " reads lane 1073741");
    // Lanes that the tile does not have: 16 to 31.
    machine device(32, {order::forward, 0}, 1);
    launch_on(
        device, +[] { shuffle<32>(1, 16); }, 1, 16, 0);
    assert_contains(device.take_finding(),
                    "lane 0 reads lane 16 by a shuffle, which its tile of 16 threads does not have (test_emulator");
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

// A literal 64 is found by the machine of 32 lanes, whether or not the shuffle happens to stay within the wave.
void test_literal_64(void **) {
    for (const host::schedule &schedule : schedules) {
        const outcome wide = run(by_waves<64, 64>, 64, schedule), narrow = run(by_waves<32, 64>, 32, schedule);
        assert_true(wide.finding.empty() && wide.sums == right_sums());
        assert_contains(narrow.finding, "by a shuffle");
        assert_string_equal(run(shuffle_first<64>, 64, schedule).finding.c_str(), "");
        assert_contains(run(shuffle_first<64>, 32, schedule).finding, "by a shuffle");
    }
    machine device(32, {order::forward, 0}, 1); // tiles of one wave: no lane is outside
    launch_on(
        device, +[] { shuffle<64>(1, 0); }, 1, 32, 0);
    assert_contains(device.take_finding(), "lane 0 reads lane 0 by a shuffle over 64 lanes, in a wave of 32 lanes");
}

// A stand-in for a cell serves the expression that it is made in, and cannot be kept: it would read too late.
template <class Reference>
void must_not_be_kept() {
    static_assert(!std::is_copy_constructible_v<Reference> && !std::is_move_constructible_v<Reference>);
    static_assert(std::is_convertible_v<Reference, int>);
    static_assert(!std::is_convertible_v<Reference &, int> && !std::is_convertible_v<const Reference &, int>);
    static_assert(std::is_assignable_v<Reference, int> && std::is_assignable_v<Reference, Reference>);
    static_assert(!std::is_assignable_v<Reference &, int> && !std::is_assignable_v<Reference &, Reference>);
}

void test_references_are_not_kept(void **) {
    must_not_be_kept<host::element<int>>();
    must_not_be_kept<host::cell<int>>();
}

void test_shapes(void **) {
    machine device(64, {order::forward, 0}, 1);
    device.name_kernel("planted");
    const auto finding = [&](unsigned tile_size, size_t bytes) {
        launch_on(
            device, +[] {}, 1, tile_size, bytes);
        return device.take_finding();
    };
    assert_string_equal(finding(1, 0).c_str(), "");
    assert_string_equal(finding(1024, 65536).c_str(), "");
    assert_contains(finding(0, 0), "planted, a tile of 0 threads");
    assert_contains(finding(1025, 0), "planted, a tile of 1025 threads");
    assert_contains(finding(1, 65537), "65537 bytes of tile memory");
}

// Machines go on after a kernel that broke: returns a kernel's finding, and runs a right kernel after it.
template <class Kernel>
std::string finding_and_recovery(Kernel kernel, machine &device) {
    std::vector<int> weights(tiles * tile, 1), sums(tiles);
    const source_view source(weights.data(), weights.size());
    const sums_view view(sums.data(), sums.size());
    device.name_kernel("planted");
    launch_on(device, +kernel, tiles, tile, tile * sizeof(int), source, view);
    const std::string finding = device.take_finding();
    launch_on(device, tree<true, true>, tiles, tile, tile * sizeof(int), source, view);
    assert_string_equal(device.take_finding().c_str(), "");
    assert_true(sums == std::vector<int>(tiles, tile));
    return finding;
}

void test_exceptions(void **) {
    struct something {
        explicit something(const char *) {}
    };
    for (const host::schedule &schedule : schedules) {
        machine device(32, schedule, 2);
        assert_contains(finding_and_recovery(throws<std::runtime_error>, device),
                        "lane 40: kernel threw an exception: on purpose");
        assert_contains(finding_and_recovery(throws<something>, device), "lane 40: kernel threw an exception");
        assert_int_equal(unwound::alive, 0);
    }
}

// Memory that the machine itself lacks is no finding.
void test_out_of_memory_is_thrown(void **) {
    struct no_memory : std::bad_alloc {
        explicit no_memory(const char *) {}
    };
    machine device(32, {order::forward, 0}, 3);
    for (unsigned round = 0; round < 3; round++) {
        bool is_thrown = false;
        try {
            finding_and_recovery(throws<no_memory>, device);
        } catch (const std::bad_alloc &) {
            is_thrown = true;
        }
        assert_true(is_thrown);
        assert_string_equal(device.take_finding().c_str(), "");
        assert_int_equal(unwound::alive, 0);
    }
    finding_and_recovery(tree<true, true>, device);
}

void test_stack_overflow(void **) {
#if defined(WF_ADDRESS_SANITIZER_FIBERS)
    skip(); // which sees frames on a stack that is not theirs, and stops there
#endif
    for (const host::schedule &schedule : schedules) {
        machine device(64, schedule, 2);
        for (unsigned round = 0; round < 3; round++) {
            const std::string finding = finding_and_recovery(overflows, device);
            assert_contains(finding, "planted, tile ");
            assert_contains(finding, "kernel stack overflow");
        }
    }
}

// The machine goes on after lanes were abandoned: the next launch must find nothing of it.
void test_recovers(void **) {
    machine device(64, {order::random, 3}, 2);
    std::vector<int> weights(tiles * tile, 1), sums(tiles);
    const source_view source(weights.data(), weights.size());
    const sums_view view(sums.data(), sums.size());
    for (unsigned round = 0; round < 20; round++) {
        std::fill(sums.begin(), sums.end(), 0);
        // One leaves lanes waiting, the other one lanes that have shuffled and one that has not.
        launch_on(device, round % 2 == 0 ? divergent_barrier : lone_shuffle, tiles, tile, tile * sizeof(int), source,
                  view);
        assert_false(device.take_finding().empty());
        for (const auto &kernel : {tree<true, true>, by_waves<64, 64>}) {
            launch_on(device, kernel, tiles, tile, tile * sizeof(int), source, view);
            assert_string_equal(device.take_finding().c_str(), "");
            assert_true(sums == std::vector<int>(tiles, tile));
        }
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
        cmocka_unit_test(test_loop_left),
        cmocka_unit_test(test_parted_wave),
        cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_two_barriers),
        cmocka_unit_test(test_lone_shuffle),
        cmocka_unit_test(test_unwritten_cell),
        cmocka_unit_test(test_beyond_view),
        cmocka_unit_test(test_beyond_view_write),
        cmocka_unit_test(test_beyond_tile),
        cmocka_unit_test(test_reader_and_writer),
        cmocka_unit_test(test_last_reader_writes),
        cmocka_unit_test(test_barrier_of_one_wave),
        cmocka_unit_test(test_parted_shuffles),
        cmocka_unit_test(test_shuffle_as_barrier),
        cmocka_unit_test(test_updated_cells),
        cmocka_unit_test(test_two_types),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_shadow_is_exact),
        cmocka_unit_test(test_shuffle_values),
        cmocka_unit_test(test_shuffle_beyond_wave),
        cmocka_unit_test(test_race_names_cell_and_lanes),
        cmocka_unit_test(test_literal_32),
        cmocka_unit_test(test_literal_64),
        cmocka_unit_test(test_references_are_not_kept),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_exceptions),
        cmocka_unit_test(test_out_of_memory_is_thrown),
        cmocka_unit_test(test_stack_overflow),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_fewer_threads),
        cmocka_unit_test(test_system_memory),
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_every_tile_once),
    };
    return cmocka_run_group_tests_name("emulator", tests, nullptr, nullptr);
}
