// The counts of the watched device, by launch, step, line and event, for kernels with known numbers of accesses.
#include "watched_tests.hpp"

#include <cstring>
#include <set>

// ---- Places in the source -------------------------------------------------------------------------------------------

void test_sites(void **) {
    host::watch::sites sites;
    static const char *const files[] = {"a", "b"};
    uint32_t number = 0;
    for (uint32_t line = 0; line < (1 << 15) + 4; line++)
        for (const char *file : files) {
            const uint32_t column = line / 2;
            const uint32_t expected = std::min(number++, host::watch::sites::largest);
            assert_int_equal(sites.number_of({file, line - column, column}), expected);
            assert_int_equal(sites.number_of({file, line - column, column}), expected);
        }
    assert_string_equal(host::watch::name_of(sites[5]).c_str(), "b:1"); // line 2 - 1
    assert_int_equal(sites.number_of({"a", 0, 0}), 0);
}

// ---- Counts ---------------------------------------------------------------------------------------------------------

namespace {

// Each thread's cell lies Stride cells from its neighbour's.
template <unsigned Stride>
void strides(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    const unsigned here = tidx.local * Stride % tile + tidx.local * Stride / tile;
    cells[here] = source[here * tiles + tidx.tile];
    tidx.barrier.wait();
    if (tidx.local % 2 == 0)
        result[tidx.global] = cells[tidx.local];
}

wf_launch_counts counts_of(void (*kernel)(source_view, result_view, ticket_view, word_view), unsigned width) {
    host::watched watched;
    assert_string_equal(finding_of(kernel, width, schedules[0], result_is::unwritten, watched).c_str(), "");
    const wf_watch all = watched.all();
    assert_int_equal(all.launch_count, 1);
    return all.launches[0];
}

} // namespace

void test_counts(void **) {
    for (const unsigned width : widths) {
        const unsigned waves = tile / width * tiles, rows = width / 32;
        const wf_launch_counts apart = counts_of(strides<1>, width);
        assert_int_equal(apart.loads.accesses, waves);
        assert_int_equal(apart.loads.lanes, count);
        assert_int_equal(apart.loads.bytes, count * sizeof(int));
        // A lane's elements are 16 bytes apart: 8 in a line of 128, 2 in one of 32, though the array begins anywhere.
        assert_in_range(apart.loads.lines_128, waves * width / 8, waves * (width / 8 + 1));
        assert_in_range(apart.loads.lines_32, waves * width / 2, waves * (width / 2 + 1));
        assert_int_equal(apart.tile_stores.extra_passes, 0);
        assert_int_equal(apart.tile_loads.extra_passes, 0); // 16 even cells of each half in 16 banks
        assert_int_equal(apart.tile_loads.lanes, count / 2);
        assert_int_equal(apart.tile_barriers, tiles);
        assert_int_equal(apart.divergent_steps, waves); // every second lane behind the barrier
        assert_int_equal(apart.active_lane_steps, count + count / 2);
        assert_int_equal(apart.lane_steps, 2 * count);
        // Of each 32 lanes' cells: every 2nd lies in every 2nd bank; of every 32nd, four share one.
        assert_int_equal(counts_of(strides<2>, width).tile_stores.extra_passes, waves * rows);
        assert_int_equal(counts_of(strides<32>, width).tile_stores.extra_passes, waves * rows * 3);
    }
}

namespace {

// Each kind of access, once; twice launched.
constexpr unsigned loads_in = __LINE__ + 4, reads_in = __LINE__ + 9, updates_in = __LINE__ + 11;
void every_kind(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const tile_static<int> cells(tidx);
    cells[tidx.local] = source[tidx.global];
    wave_barrier();
    shuffle<32>(tidx.local, tidx.local % 32 ^ 1);
    tidx.barrier.wait();
    if (tidx.local % 2 == 0)
        result[tidx.global] = cells[tidx.local * 2 % tile]; // every 4th bank
    if (tidx.local < 3)
        atomic_fold(result, tidx.tile * tile + 1, 1, sum<int>());
}

void assert_same(const wf_tile_accesses &counted, uint64_t accesses, uint64_t lanes, uint64_t extra_passes) {
    assert_int_equal(counted.accesses, accesses);
    assert_int_equal(counted.lanes, lanes);
    assert_int_equal(counted.bytes, lanes * sizeof(int));
    assert_int_equal(counted.extra_passes, extra_passes);
}
void assert_same(const wf_device_accesses &counted, uint64_t accesses, uint64_t lanes) {
    assert_int_equal(counted.accesses, accesses);
    assert_int_equal(counted.lanes, lanes);
    assert_int_equal(counted.bytes, lanes * sizeof(int));
    assert_int_equal(counted.lines_32, count / 8); // of all elements, or of every second one
    assert_int_equal(counted.lines_64, count / 16);
    assert_int_equal(counted.lines_128, count / 32);
}

} // namespace

void test_every_count(void **) {
    for (const unsigned width : widths) {
        host::watched watched;
        watched.start(true);
        assert_string_equal(
            finding_of(every_kind, width, schedules[0], result_is::written, watched, start::in_order, every_kind)
                .c_str(),
            "");
        const wf_watch all = watched.all();
        const unsigned waves = tile / width, in_all = waves * tiles, half_waves = count / 32;
        assert_int_equal(all.launch_count, 2);
        for (unsigned i = 0; i < all.launch_count; i++) {
            const wf_launch_counts &launch = all.launches[i];
            assert_string_equal(launch.kernel, "planted");
            assert_int_equal(launch.tiles, tiles);
            assert_int_equal(launch.tile_size, tile);
            assert_int_equal(launch.wave_width, width);
            assert_same(launch.loads, in_all, count);
            assert_same(launch.stores, in_all, count / 2);
            assert_same(launch.tile_loads, in_all, count / 2, half_waves);
            assert_same(launch.tile_stores, in_all, count, 0);
            assert_int_equal(launch.updates, 3 * tiles);
            assert_int_equal(launch.collisions, 2 * tiles);
            assert_int_equal(launch.tile_barriers, tiles);
            assert_int_equal(launch.wave_barriers, in_all);
            assert_int_equal(launch.shuffles, in_all);
            assert_int_equal(launch.steps_of_waves, 4 * in_all);
            assert_int_equal(launch.divergent_steps, in_all);
            assert_int_equal(launch.lane_steps, 4 * count);
            assert_int_equal(launch.active_lane_steps, 2 * count + count / 2 + tiles); // lane 1 updates alone
        }

        static const struct {
            const char *ends;
            unsigned active, full, divergent;
        } steps[] = {{"wave barrier", tile, 1, 0},
                     {"shuffle", tile, 1, 0},
                     {"barrier", 0, 0, 0},
                     {"return", tile / 2 + 1, 0, 1}};
        assert_int_equal(all.step_count, 8);
        for (unsigned i = 0; i < all.step_count; i++) {
            const wf_step_counts &step = all.steps[i];
            const auto &expected = steps[i % 4];
            assert_int_equal(step.launch, i / 4);
            assert_int_equal(step.step, i % 4);
            assert_string_equal(step.ends, expected.ends);
            assert_int_equal(step.lanes, tile);
            assert_int_equal(step.active_lanes, expected.active);
            assert_int_equal(step.full_waves, expected.full * waves);
            assert_int_equal(step.divergent_waves, expected.divergent * waves);
            assert_int_equal(step.idle_waves, (1 - expected.full - expected.divergent) * waves);
        }

        // Of both launches, in the order of the first accesses.
        const struct {
            const char *what;
            uint64_t line, accesses, lanes, lines_128, extra_passes;
        } lines[] = {{"load", loads_in, in_all, count, count / 32, 0},
                     {"tile store", loads_in, in_all, count, 0, 0},
                     {"tile load", reads_in, in_all, count / 2, 0, half_waves},
                     {"store", reads_in, in_all, count / 2, count / 32, 0},
                     {"update", updates_in, tiles, 3 * tiles, 0, 0}};
        assert_int_equal(all.line_count, std::size(lines));
        for (unsigned i = 0; i < all.line_count; i++) {
            const wf_line_counts &line = all.lines[i];
            assert_string_equal(line.kernel, "planted");
            assert_string_equal(line.file, "counts.cpp");
            assert_int_equal(line.line, lines[i].line);
            assert_true(line.column > 0);
            assert_string_equal(line.what, lines[i].what);
            assert_int_equal(line.accesses, 2 * lines[i].accesses);
            assert_int_equal(line.lanes, 2 * lines[i].lanes);
            assert_int_equal(line.bytes, 2 * lines[i].lanes * sizeof(int));
            assert_int_equal(line.lines_128, 2 * lines[i].lines_128);
            assert_int_equal(line.extra_passes, 2 * lines[i].extra_passes);
        }

        // Lanes run forward. In the last tile, lane 2 updates last; only stores of later lanes follow.
        const auto event_of = [&](uint32_t lane, const char *what) {
            const wf_watch_event *found = nullptr;
            for (size_t i = 0; i < all.event_count; i++)
                if (all.events[i].lane == lane && std::strcmp(all.events[i].what, what) == 0)
                    found = &all.events[i];
            assert_non_null(found);
            assert_int_equal(found->launch, 1);
            assert_int_equal(found->tile, tiles - 1);
            assert_int_equal(found->bytes, sizeof(int));
            return *found;
        };
        assert_int_equal(all.event_count, 2 * (4 * count + 3 * tiles));
        const struct {
            const char *what, *array;
            uint32_t step;
            uint64_t index, value;
        } events[] = {{"load", "source", 0, count - tile + 2, (count - tile + 2) * (count - tile + 2) % 10007 + 1},
                      {"tile store", "", 0, 2, (count - tile + 2) * (count - tile + 2) % 10007 + 1},
                      {"shuffle", "", 1, 3, 2},
                      {"tile load", "", 3, 4, (count - tile + 4) * (count - tile + 4) % 10007 + 1},
                      {"store", "result", 3, count - tile + 2, (count - tile + 4) * (count - tile + 4) % 10007 + 1},
                      {"update", "result", 3, count - tile + 1, 6}}; // of both launches
        for (const auto &expected : events) {
            const wf_watch_event event = event_of(2, expected.what);
            assert_string_equal(event.array, expected.array);
            assert_int_equal(event.step, expected.step);
            assert_int_equal(event.index, expected.index);
            assert_int_equal(event.value, expected.value);
        }
    }
}

// Each access site has counts of its own: by kernel, file, line, column, kind of access, kind of memory and size.
void test_places(void **) {
    using namespace host::watch;
    static const char *const files[] = {"one.hip", "another.hip"};
    host::watch::counts counts(false);
    for (const char *kernel : {"one", "another", "one"}) {
        counts.begins({kernel, 1, 1, 32, false});
        counts.begins_tile(0);
        for (const char *file : files)
            for (const uint32_t line : {1u, 2u, 300u})
                for (const uint32_t column : {1u, 2u, 30u})
                    for (const auto kind : {access::load, access::store, access::update})
                        for (const bool in_tile : {false, true})
                            for (const uint32_t bytes : {1u, 4u, 16u})
                                if (kernel[0] == 'o' || line != 1) // other sites come first
                                    counts.accesses(0, {{file, line, column}, kind, in_tile, bytes}, 0);
        counts.meets(0, meeting::end);
        counts.ends_tile();
    }
    constexpr size_t places = 2 * 3 * 3 * 3 * 2 * 3;
    for (unsigned again = 0; again < 2; again++) {
        const wf_watch all = counts.all();
        assert_int_equal(all.line_count, places + places / 3 * 2);
        for (size_t i = 0; i < all.line_count; i++)
            assert_int_equal(all.lines[i].accesses, all.lines[i].kernel[0] == 'o' ? 2 : 1);
    }
}

// Waves that part: a step ends as in the wave that goes on, and a tile barrier has precedence.
void test_steps_of_parted_waves(void **) {
    using namespace host::watch;
    host::watch::counts counts(false);
    for (const bool is_of_first : {false, true}) { // which wave shuffles
        counts.begins({"parted", 1, 64, 32, false});
        counts.begins_tile(0);
        for (unsigned lane = 0; lane < 64; lane++) {
            if ((lane < 32) == is_of_first)
                counts.meets(lane, meeting::shuffle);
            if (is_of_first)
                counts.meets(lane, meeting::tile_barrier);
            counts.meets(lane, meeting::end);
        }
        counts.ends_tile();
    }
    const wf_watch all = counts.all();
    const char *const endings[] = {"shuffle", "return", "barrier", "barrier", "return"};
    assert_int_equal(all.step_count, std::size(endings));
    for (size_t i = 0; i < all.step_count; i++)
        assert_string_equal(all.steps[i].ends, endings[i]);
    assert_int_equal(all.steps[0].active_lanes, 32);
    assert_int_equal(all.launches[1].tile_barriers, 1);
}

// Accesses of 1 to 16 bytes, side by side or 128 bytes apart.
void test_counts_of_sizes(void **) {
    using namespace host::watch;
    constexpr unsigned lanes = 33, passes_by = 3; // a wave, and a lane of another one
    const auto cell_of = [](unsigned lane) { return lane < 32 ? lane * 5 % 32 : lane; };
    for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
        for (const uint64_t apart : {uint64_t(bytes), uint64_t(128)})
            for (const bool lane_by_lane : {false, true}) {
                host::watch::counts counts(false);
                counts.begins({"sizes", 1, lanes, 32, false});
                counts.begins_tile(0);
                const auto passes = [&](unsigned lane) {
                    counts.accesses(lane, {{}, access::load, true, bytes}, cell_of(lane) * apart);
                    counts.accesses(lane, {{}, access::store, false, bytes}, 1024 - 1 + cell_of(lane) * apart);
                };
                for (unsigned i = 0; i < lanes * passes_by; i++)
                    passes(lane_by_lane ? i / passes_by : i % lanes);
                for (unsigned i = 0; i < lanes; i++)
                    counts.meets(i, meeting::end);
                counts.ends_tile();
                const wf_watch all = counts.all();
                const wf_launch_counts &sums = all.launches[0];
                assert_int_equal(sums.tile_loads.accesses, 2 * passes_by);
                assert_int_equal(sums.tile_loads.bytes, lanes * passes_by * bytes);
                assert_int_equal(sums.stores.lanes, lanes * passes_by);
                assert_int_equal(sums.lane_steps, lanes);
                assert_int_equal(sums.divergent_steps, 0);
                // All words are in the same bank. Spread evenly they would take words / 32 passes.
                const unsigned words = bytes < 4 ? 1 : bytes / 4;
                const unsigned extra = apart == bytes ? 0 : 32 - words;
                assert_int_equal(sums.tile_loads.extra_passes, passes_by * extra);
                std::set<std::pair<unsigned, uint64_t>> lines[3]; // of each wave
                for (unsigned lane = 0; lane < lanes; lane++)
                    for (uint32_t k = 0; k < bytes; k++)
                        for (unsigned size = 0; size < 3; size++)
                            lines[size].insert({lane / 32, (1024 - 1 + lane * apart + k) / (32u << size)});
                assert_int_equal(sums.stores.lines_32, passes_by * lines[0].size());
                assert_int_equal(sums.stores.lines_64, passes_by * lines[1].size());
                assert_int_equal(sums.stores.lines_128, passes_by * lines[2].size());
            }
}
