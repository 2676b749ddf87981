// The watched device must find planted bugs of kernels in device memory, and nothing in the same kernels without the
// bug. counts.cpp compares its counts of accesses with known numbers.
#include "reference_race_checker.hpp"
#include "watched_tests.hpp"

#include <cstring>
#include <memory>
#include <random>

namespace {

// The device memory of the kernels.
struct alignas(128) arrays {
    int source[count], result[count];
    unsigned ticket;
    uint64_t words[tiles];
};

} // namespace

std::string finding_of(planted *kernel, unsigned width, host::schedule schedule, result_is state,
                       host::watched &watched, start starts, planted *earlier) {
    auto memory = std::make_unique<arrays>();
    watched.memory().allocated(memory.get(), sizeof *memory);
    for (size_t i = 0; i < count; i++)
        memory->source[i] = int(i * i % 10007) + 1;
    watched.memory().written(memory->source, sizeof memory->source);
    if (state == result_is::written)
        watched.memory().written(memory->result, sizeof memory->result);
    watched.memory().written(&memory->ticket, sizeof memory->ticket);
    std::memset(memory->words, 0, sizeof memory->words);
    watched.memory().written(memory->words, sizeof memory->words);
    watched.memory().shared(memory->result, sizeof memory->result);
    watched.forget_names();
    watched.name("source", memory->source, sizeof memory->source, sizeof(int));
    watched.name("result", memory->result, sizeof memory->result, sizeof(int));
    host::machine machine(width, schedule, 1);
    machine.name_kernel("planted");
    {
        const host::watched::session session(watched);
        for (planted *const each : {earlier, kernel}) {
            const auto launch = [&](auto... arguments) {
                if (starts == start::early)
                    launch_early_on(machine, each, tiles, tile, tile * sizeof(int), arguments...);
                else
                    launch_on(machine, each, tiles, tile, tile * sizeof(int), arguments...);
            };
            memory->ticket = 0;
            if (each != nullptr)
                launch(source_view(memory->source, count), result_view(memory->result, count),
                       ticket_view(&memory->ticket, 1), word_view(memory->words, tiles));
        }
    }
    watched.memory().released(memory.get());
    return machine.take_finding();
}

namespace {

void assert_contains(const std::string &text, std::initializer_list<const char *> parts) {
    for (const char *part : parts)
        if (text.find(part) == std::string::npos)
            fail_msg("'%s' lacks '%s'", text.c_str(), part);
}

template <class Kernel>
void must_find(Kernel kernel, std::initializer_list<const char *> parts, result_is state = result_is::written,
               start starts = start::in_order) {
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            host::watched watched;
            assert_contains(finding_of(kernel, width, schedule, state, watched, starts), parts);
        }
}

template <class Kernel>
void must_not_find(Kernel kernel, result_is state = result_is::unwritten, start starts = start::in_order) {
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            host::watched watched;
            assert_string_equal(finding_of(kernel, width, schedule, state, watched, starts).c_str(), "");
        }
}

// ---- Reads of unwritten memory --------------------------------------------------------------------------------------

void reads_unwritten(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.global == 7)
        result[8] = int(result[7]) + 1;
}
void writes_first(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    result[tidx.global] = source[tidx.global];
    result[tidx.global] = int(result[tidx.global]) + 1;
}
void updates_unwritten(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0)
        atomic_fold(result, 0, 1, sum<int>());
}

void test_unwritten(void **) {
    must_find(reads_unwritten, {"planted", "lane 7", "element 7 of 'result'", "was never written", "test_watched.cpp:"},
              result_is::unwritten);
    must_find(updates_unwritten, {"updated element 0 of 'result'", "was never written"}, result_is::unwritten);
    must_not_find(writes_first);
}

// Of two arrays that share a page, one is released, or written in part.
void test_neighbours(void **) {
    constexpr size_t page = 4096;
    alignas(page) static char memory[3 * page];
    char *const arrays[] = {memory, memory + page * 3 / 2};
    constexpr size_t bytes = sizeof memory / 2;
    for (unsigned freed = 0; freed < 2; freed++) {
        host::watched watched;
        for (char *const array : arrays)
            watched.memory().allocated(array, bytes);
        char *const other = arrays[1 - freed];
        watched.memory().released(arrays[freed]);
        assert_null(watched.memory().first_unwritten(arrays[freed], bytes));
        assert_ptr_equal(watched.memory().first_unwritten(other, bytes), other);
        watched.memory().written(other, bytes - 8);
        assert_ptr_equal(watched.memory().first_unwritten(other, bytes), other + bytes - 8);
        watched.memory().written(other + bytes - 8, 8);
        assert_null(watched.memory().first_unwritten(other, bytes));
    }
}

// A limit of the shadow's memory loses accesses, but not which words were never written.
void test_forgotten_accesses(void **) {
    using host::watch::access;
    constexpr size_t page_words = 1024, words = 16 * page_words;
    alignas(page_words * sizeof(uint32_t)) static uint32_t memory[words];
    host::watch::device_shadow shadow;
    shadow.keep_at_most(3 * page_words);
    shadow.allocated(memory, sizeof memory);
    for (unsigned launch = 0; launch < 2; launch++) {
        shadow.begins_launch(1);
        shadow.begins_tile(0);
        for (size_t w = 0; w < words; w += 3)
            assert_string_equal(shadow.accesses({0, {}}, access::store, memory + w, 4).c_str(), "");
    }
    for (size_t w = 0; w < words; w++)
        assert_int_equal(shadow.first_unwritten(memory + w, 4) != nullptr, w % 3 != 0);
    shadow.unwritten(memory + 3, 4);
    assert_ptr_equal(shadow.first_unwritten(memory + 3, 4), memory + 3);
    assert_non_null(std::strstr(shadow.accesses({0, {}}, access::load, memory + 3, 4).c_str(), "never written"));
}

// Random calls for parts of a few pages, compared with a flag for each word.
void test_pages(void **) {
    using host::watch::access;
    constexpr size_t page_words = 1024, words = 5 * page_words;
    alignas(page_words * sizeof(uint32_t)) static uint32_t memory[words];
    std::minstd_rand random;
    const auto any = [&](size_t below) { return size_t(random() >> 8) % below; };
    for (unsigned round = 0; round < 200; round++) {
        host::watch::device_shadow shadow;
        shadow.begins_launch(1);
        shadow.begins_tile(0);
        std::vector<bool> is_unwritten(words);
        std::map<size_t, size_t> allocated; // first word, end
        for (unsigned step = 0; step < 12; step++) {
            // Often whole pages, for which the shadow has a shortcut.
            const size_t unit = any(2) == 0 ? page_words : 1, first = any(words / unit) * unit,
                         end = first + (1 + any((words - first) / unit)) * unit;
            const auto next = allocated.lower_bound(first);
            const bool is_free = (next == allocated.end() || next->first >= end) &&
                                 (next == allocated.begin() || std::prev(next)->second <= first);
            if (any(2) == 0 && is_free) {
                shadow.allocated(memory + first, (end - first) * sizeof *memory);
                allocated[first] = end;
                std::fill(is_unwritten.begin() + long(first), is_unwritten.begin() + long(end), true);
            } else if (any(3) == 0 && next != allocated.end()) {
                shadow.released(memory + next->first);
                std::fill(is_unwritten.begin() + long(next->first), is_unwritten.begin() + long(next->second), false);
                allocated.erase(next);
            } else if (any(2) == 0) {
                shadow.written(memory + first, (end - first) * sizeof *memory);
                std::fill(is_unwritten.begin() + long(first), is_unwritten.begin() + long(end), false);
            }
            const size_t word = any(words);
            assert_int_equal(shadow.accesses({0, {}}, access::load, memory + word, sizeof *memory) != "",
                             is_unwritten[word]);
            if (any(4) != 0)
                continue;
            const auto found = std::find(is_unwritten.begin() + long(first), is_unwritten.begin() + long(end), true);
            const size_t at = size_t(found - is_unwritten.begin());
            assert_ptr_equal(shadow.first_unwritten(memory + first, (end - first) * sizeof *memory),
                             at < end ? memory + at : nullptr);
        }
    }
}

// ---- Kernels that start early ---------------------------------------------------------------------------------------

void waits_late(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const int mine = source[tidx.global];
    wait_for_earlier_kernels();
    result[tidx.global] = mine;
}
void waits_in_part(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local != 5)
        wait_for_earlier_kernels();
    result[tidx.global] = source[tidx.global];
}
void some_only_end(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 5)
        return;
    wait_for_earlier_kernels();
    result[tidx.global] = source[tidx.global];
}
void waits_first(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    let_next_kernel_start();
    wait_for_earlier_kernels();
    result[tidx.global] = source[tidx.global];
}

void notifies_before_it_waits(source_view, result_view, ticket_view, word_view words) {
    const tiled_index tidx;
    if (tidx.global == 0)
        write_word_for_host(words.address(0), 1);
    wait_for_earlier_kernels();
}

void test_early(void **) {
    must_find(notifies_before_it_waits, {"lane 0 notified the host before it has waited for earlier kernels"},
              result_is::written, start::early);
    must_find(waits_late, {"read memory before it has waited for earlier kernels", "test_watched.cpp:"},
              result_is::written, start::early);
    must_find(waits_in_part, {"lane 5", "before it has waited for earlier kernels"}, result_is::written, start::early);
    must_find(some_only_end, {"lane 5", "ended before it has waited"}, result_is::written, start::early);
    must_not_find(waits_first, result_is::unwritten, start::early);
    must_not_find(waits_late);
}

// ---- Indices outside ------------------------------------------------------------------------------------------------

void one_too_far(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    result[tidx.global] = source[tidx.global + 1];
}

void test_outside(void **) {
    must_find(one_too_far, {"'source'", "index 512", "512 elements", "1 beyond", "test_watched.cpp:"});
}

// ---- Tiles that nothing orders --------------------------------------------------------------------------------------

void all_write_one(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[0] = source[tidx.global];
}
void reads_a_neighbour(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0) {
        result[tidx.tile] = source[tidx.tile];
        if (tidx.tile > 0)
            result[tiles + tidx.tile] = int(result[0]);
        else
            result[tiles] = 0;
    }
}
void updates_one(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.global == 0)
        result[0] = 0; // no order with the updates of other tiles
    if (tidx.local == 0)
        atomic_fold(result, 0, int(source[tidx.global]), sum<int>());
}

// The last tile joins the others' sums, as last_block does.
template <bool CountsInOrder>
void joins(source_view source, result_view result, ticket_view ticket, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[tidx.tile] = source[tidx.global];
    if (CountsInOrder) {
        if (!last_tile(tidx, ticket) || tidx.local != 0)
            return;
    } else if (tidx.local != 0 || count_up(ticket) != tiles - 1) { // no fence
        return;
    }
    int total = 0;
    for (unsigned t = 0; t < tiles; t++)
        total += int(result[t]);
    result[tiles] = total;
}

// A tile reads the result of the previous tile. Tiles draw numbers, so that the previous one has begun.
template <bool FencesThere, bool FencesHere>
void passes_on(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned number = count_up(ticket);
    if (number > 0) {
        while (read_word(words, number - 1) == 0)
            let_others_run();
        if (FencesHere)
            device_fence();
        result[number] = int(result[number - 1]) + source[number];
    } else {
        result[0] = source[0];
    }
    if (FencesThere)
        device_fence();
    write_word(words, number, 1);
}

void test_races_of_tiles(void **) {
    must_find(all_write_one, {"wrote element 0 of 'result'", "which tile ", "in the same launch", "test_watched.cpp:"});
    must_find(reads_a_neighbour, {"'result'", "nothing that orders them"});
    must_find(updates_one, {"'result'", "nothing that orders them"});
    must_find(joins<false>, {"read element ", "of 'result'", "nothing that orders them"});
    must_not_find(joins<true>);
    must_find(passes_on<false, true>, {"nothing that orders them"});
    must_find(passes_on<true, false>, {"nothing that orders them"});
    must_not_find(passes_on<true, true>);
}

// ---- Lanes of one tile ----------------------------------------------------------------------------------------------

// Each lane reads the result of its neighbour.
enum class between { nothing, barrier, wave_barrier, fenced_wave_barrier, shuffle };
template <between Is>
void reads_a_neighbour_lane(source_view source, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const unsigned first = tidx.tile * tile, wave = tidx.local & ~31u;
    if (tidx.local < tile / 2)
        result[first + tidx.local] = source[tidx.global];
    if (Is == between::barrier)
        tidx.barrier.wait();
    if (Is == between::fenced_wave_barrier)
        device_fence();
    if (Is == between::wave_barrier || Is == between::fenced_wave_barrier)
        wave_barrier();
    if (Is == between::fenced_wave_barrier)
        device_fence();
    if (Is == between::shuffle)
        shuffle<32>(tidx.local, 0);
    if (tidx.local < tile / 2)
        result[first + tile / 2 + tidx.local] = int(result[first + wave + (tidx.local + 1) % 32]);
}
void two_lanes_write(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 3 || tidx.local == 70)
        result[tidx.tile] = 1;
}
// One of three readers writes, behind a shuffle, which all meet at and which orders nothing.
template <bool Waits, unsigned Writer>
void writes_what_others_read(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[tidx.tile] = 1;
    tidx.barrier.wait();
    const int read = tidx.local < 3 ? int(result[tidx.tile]) : 0;
    shuffle<32>(read, 0);
    if (Waits)
        tidx.barrier.wait();
    if (tidx.local == Writer)
        result[tidx.tile] = read + 1;
}
// Two lanes have two bytes each of a word, or share one.
template <bool Shares>
void writes_bytes(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const array_view<unsigned char> bytes(reinterpret_cast<unsigned char *>(result.address(tidx.tile)), 4);
    if (tidx.local < 2) {
        bytes[Shares ? 0 : 2 * tidx.local] = 1;
        bytes[2 * tidx.local + 1] = 1;
    }
}
// A plain load among atomic updates; the last update is the tile's own.
template <bool Waits>
void reads_among_updates(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[tidx.tile] = 0;
    tidx.barrier.wait();
    if (tidx.local < 8)
        atomic_fold(result, tidx.tile, 1, sum<int>());
    if (Waits)
        tidx.barrier.wait();
    if (tidx.local == 7)
        result[tiles + tidx.tile] = int(result[tidx.tile]);
}

void test_races_of_lanes(void **) {
    must_find(reads_a_neighbour_lane<between::nothing>, {"of 'result', which tile ", "nothing that orders them"});
    must_not_find(reads_a_neighbour_lane<between::barrier>);
    must_find(reads_a_neighbour_lane<between::wave_barrier>, {"of 'result', which tile ", "nothing that orders them"});
    must_not_find(reads_a_neighbour_lane<between::fenced_wave_barrier>);
    must_find(reads_a_neighbour_lane<between::shuffle>, {"of 'result', which tile ", "nothing that orders them"});
    must_find(two_lanes_write, {"wrote element ", "has written (test_watched.cpp:", "nothing that orders them"});
    for (planted *const kernel :
         {writes_what_others_read<false, 0>, writes_what_others_read<false, 1>, writes_what_others_read<false, 2>})
        must_find(kernel, {"wrote element ", "has read (test_watched.cpp:"});
    must_not_find(writes_what_others_read<true, 1>);
    must_find(writes_bytes<true>, {"wrote element ", "nothing that orders them"});
    must_not_find(writes_bytes<false>);
    must_find(reads_among_updates<false>, {"'result'", "nothing that orders them"});
    must_not_find(reads_among_updates<true>);
}

// Two lanes store bytes of three words: a race is of a word of which both have the same byte.
void test_races_of_bytes(void **) {
    using host::watch::access;
    alignas(8) static char memory[12];
    host::watch::device_shadow shadow;
    const auto spans = [](const auto &use) {
        for (unsigned bytes : {1u, 2u, 4u, 8u})
            for (unsigned first = 0; first + bytes <= sizeof memory; first++)
                use(first, bytes);
    };
    spans([&](unsigned a, unsigned a_bytes) {
        spans([&](unsigned b, unsigned b_bytes) {
            shadow.begins_launch(2);
            shadow.begins_tile(0);
            assert_string_equal(shadow.accesses({0, {}}, access::store, memory + a, a_bytes).c_str(), "");
            const std::string finding = shadow.accesses({1, {}}, access::store, memory + b, b_bytes);
            const unsigned shared = std::max(a, b);
            const bool races = shared < std::min(a + a_bytes, b + b_bytes);
            assert_int_equal(!finding.empty(), races);
            if (races)
                assert_ptr_equal(shadow.finding_at(), memory + std::max(b, shared / 4 * 4));
        });
    });
}

// CUDA's guide loads a word, and then compares and swaps it in a loop.
void test_loads_before_swaps(void **) {
    using host::watch::access;
    static uint32_t word;
    for (const bool swaps : {true, false}) {
        host::watch::device_shadow shadow;
        const auto does = [&](unsigned tile, access kind) {
            shadow.begins_tile(tile);
            return shadow.accesses({0, {}}, kind, &word, sizeof word);
        };
        shadow.begins_launch(1);
        assert_string_equal(does(0, access::update).c_str(), "");
        assert_false(shadow.races_with_update());
        assert_string_not_equal(does(1, access::load).c_str(), "");
        assert_true(shadow.races_with_update());
        if (swaps)
            shadow.excuse_load(0, &word, sizeof word);
        assert_string_equal(shadow.accesses({0, {}}, access::update, &word, sizeof word).c_str(), "");
        assert_int_equal(does(2, access::update).empty(), swaps);
        assert_string_not_equal(does(3, access::store).c_str(), "");
        assert_false(shadow.races_with_update());
    }
}

// Random accesses of a few lanes to two words: the shadow finds what reference_race_checker.hpp finds, and names a
// racing access.
class random_launches {
  public:
    explicit random_launches(bool wave_barriers_order) : wave_barriers_order_(wave_barriers_order) {
        if (wave_barriers_order)
            shadow_.let_wave_barriers_order();
    }
    // Up to its first race.
    void launch() {
        shadow_.begins_launch(lanes);
        reference_race_checker all(wave_barriers_order_);
        const auto kinds = std::array{any(4), any(4)}; // of accesses to each word
        for (unsigned t = 0; t < 3; t++) {
            shadow_.begins_tile(t);
            all.begins_tile(t, lanes);
            for (unsigned i = 0; i < 11; i++)
                if (!goes_on(all, kinds))
                    return;
        }
    }
    unsigned raced = 0, forgotten = 0;

  private:
    static constexpr unsigned lanes = 3, wave = 2; // the last lane is in a wave of its own
    static constexpr access_kind choices[][6] = {
        {access_kind::load, access_kind::load, access_kind::load, access_kind::store, access_kind::store,
         access_kind::store},
        {access_kind::update, access_kind::update, access_kind::update, access_kind::update_in_order,
         access_kind::read_word, access_kind::read_word},
        {access_kind::read_word, access_kind::read_word, access_kind::write_word, access_kind::write_word,
         access_kind::update, access_kind::update},
        {access_kind::load, access_kind::store, access_kind::update, access_kind::update_in_order,
         access_kind::read_word, access_kind::write_word}};

    unsigned any(unsigned below) { return unsigned(random_() >> 8) % below; }
    bool goes_on(reference_race_checker &all, const std::array<unsigned, 2> &kinds) {
        const unsigned lane = any(lanes), word = any(2), step = any(20);
        if (step < 6) {
            shadow_.fence(lane);
            all.fence(lane);
        } else if (step == 6) {
            shadow_.passes_tile_barrier();
            all.passes_barrier(lanes, true);
        } else if (step == 7) {
            shadow_.passes_wave_barrier(0, (uint64_t(1) << wave) - 1);
            all.passes_barrier(wave, false);
        } else {
            const access_kind next = choices[kinds[word]][any(6)];
            all.add(lane, next, word);
            const std::vector<unsigned> races = all.races();
            const std::string finding = access_word({lane, {"accesses", all.last(), 0}}, next, &words_[word]);
            assert_int_equal(shadow_.is_contended(), !is_plain(next) && !is_read(next) && all.is_contended());
            if (finding.empty() && !races.empty() && all.has_many())
                forgotten++;
            else
                assert_int_equal(finding.empty(), races.empty());
            if (!finding.empty()) {
                raced++;
                assert_true(std::any_of(races.begin(), races.end(),
                                        [&](unsigned each) { return finding == all.name_of(each); }));
            }
            return races.empty();
        }
        return true;
    }
    std::string access_word(const host::watch::device_shadow::accessor &by, access_kind kind, const uint64_t *word) {
        using host::watch::access;
        switch (kind) {
        case access_kind::update_in_order:
            return shadow_.update_in_order(by, word, sizeof *word);
        case access_kind::read_word:
            return shadow_.word_read(by, word);
        case access_kind::write_word:
            return shadow_.word_written(by, word);
        default:
            return shadow_.accesses(by,
                                    kind == access_kind::load    ? access::load
                                    : kind == access_kind::store ? access::store
                                                                 : access::update,
                                    word, sizeof *word);
        }
    }

    bool wave_barriers_order_;
    host::watch::device_shadow shadow_;
    std::minstd_rand random_;
    uint64_t words_[2] = {};
};

void test_races_of_random_launches(void **) {
    for (const bool wave_barriers_order : {false, true}) {
        random_launches launches(wave_barriers_order);
        for (unsigned i = 0; i < 20000; i++)
            launches.launch();
        assert_true(launches.raced > 10000 && launches.forgotten < 100);
    }
}

// ---- A lane publishes the results of its tile -----------------------------------------------------------------------

// Lane 1 writes, and lane 0 publishes; in the next tile lane 0 waits for that, and lane 1 reads.
template <bool WaitsThere, bool WaitsHere>
void publishes_for_another(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    if (number > 0 && tidx.local == 0) {
        while (read_word(words, number - 1) == 0)
            let_others_run();
        device_fence();
    }
    if (WaitsHere)
        tidx.barrier.wait();
    if (tidx.local == 1)
        result[number] = number > 0 ? int(result[number - 1]) + source[number] : source[0];
    if (WaitsThere)
        tidx.barrier.wait();
    if (tidx.local == 0) {
        device_fence();
        write_word(words, number, 1);
    }
}

// From the third tile on all read the result of the first one. They know it through the previous tile, if they read its
// word.
template <bool ReadsWord>
void passes_on_published(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    if (tidx.local == 0 && (number == 1 || (number > 1 && ReadsWord))) {
        while (read_word(words, number - 1) == 0)
            let_others_run();
        device_fence();
    }
    tidx.barrier.wait();
    if (tidx.local == 1 && number != 1)
        result[number] = number > 1 ? int(result[0]) + source[number] : source[0];
    tidx.barrier.wait();
    if (tidx.local == 2) {
        device_fence();
        write_word(words, number, 1);
    }
}

// The lanes of a wave add, and lane 0 publishes: with a fence of each lane, and then one of lane 0.
template <bool EachFences, bool Waits, bool Fences>
void adds_and_publishes(source_view, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    const bool acts = tidx.local < 32; // of any wave the first ones
    if (number == 0 && acts)
        result[tidx.local] = 0;
    while (number > 0 && acts && read_word(words, number - 1) == 0)
        let_others_run();
    device_fence();
    if (number == tiles - 1) {
        if (acts)
            result[32 + tidx.local] = int(result[31 - tidx.local]);
        return;
    }
    if (acts)
        atomic_fold(result, tidx.local, 1, sum<int>());
    if (EachFences)
        device_fence();
    if (Waits)
        wave_barrier();
    if (tidx.local == 0) {
        if (Fences)
            device_fence();
        write_word(words, number, 1);
    }
}

void test_publishing_for_others(void **) {
    must_not_find(publishes_for_another<true, true>);
    must_find(publishes_for_another<false, true>, {"'result'", "nothing that orders them"});
    must_find(publishes_for_another<true, false>, {"'result'", "nothing that orders them"});
    must_not_find(passes_on_published<true>);
    must_find(passes_on_published<false>, {"'result'", "nothing that orders them"});
    must_not_find(adds_and_publishes<true, true, true>);
    must_find(adds_and_publishes<false, true, true>, {"'result'", "nothing that orders them"});
    must_find(adds_and_publishes<true, false, true>, {"'result'", "nothing that orders them"});
    must_find(adds_and_publishes<true, true, false>, {"'result'", "nothing that orders them"});
}

// ---- Words of a tile that waves add to ------------------------------------------------------------------------------

// All waves add to the same words. Stored words count as written, exchanged ones must have been.
template <bool Atomically, bool Stores>
void adds_to_words(source_view, result_view, ticket_view, word_view) {
    constexpr unsigned words = 32;
    const tiled_index tidx;
    const tile_static<uint32_t> sums(tidx);
    if (tidx.local < words) {
        if (Stores)
            tile_store(sums, tidx.local, 0);
        else
            tile_exchange(sums, tidx.local, 0);
    }
    tidx.barrier.wait();
    const unsigned word = tidx.local % words;
    if (Atomically)
        tile_add(sums, word, 1);
    else
        sums[word] = sums[word] + 1;
}

void test_words_of_a_tile(void **) {
    must_not_find(adds_to_words<true, true>);
    must_find(adds_to_words<false, true>, {"race in tile memory", "test_watched.cpp:"});
    must_find(adds_to_words<true, false>, {"of tile memory, which was never written", "test_watched.cpp:"});
}

// ---- Reads of replaceable elements ----------------------------------------------------------------------------------

// Each tile reads an element of the previous tile, which may have replaced it, and then the word that shows that.
template <bool FencesHere, bool FencesThere, bool ReadsWord>
void reads_replaced(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned number = count_up(ticket);
    if (number > 0) {
        const int read = read_replaceable(array_view<const int>(result.address(0), count), number - 1);
        if (FencesHere)
            device_fence();
        if (ReadsWord && read_word(words, number - 1) == 0)
            result[tiles + number] = read;
    }
    write_word(words, number, 1);
    if (FencesThere)
        device_fence();
    result[number] = source[number];
    if (!FencesThere) // too late
        device_fence();
}

// One lane writes the word, another passes the fence, and a third replaces: barriers lead from each to the next.
template <bool WaitsBefore, bool WaitsBehind>
void replaces_after_others(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    if (tidx.local == 0) {
        if (number > 0) {
            const int read = read_replaceable(array_view<const int>(result.address(0), count), number - 1);
            device_fence();
            if (read_word(words, number - 1) == 0)
                result[tiles + number] = read;
        }
        write_word(words, number, 1);
    }
    if (WaitsBefore)
        tidx.barrier.wait();
    if (tidx.local == 1)
        device_fence();
    if (WaitsBehind)
        tidx.barrier.wait();
    if (tidx.local == 2)
        result[number] = source[number];
    tidx.barrier.wait(); // too late
}

// Lane 1 reads a replaceable element, and lane 0 the word, behind a meeting point.
template <bool Fences, between Is>
void reads_word_for_another(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    int read = 0;
    if (number > 0 && tidx.local == 1) {
        read = read_replaceable(array_view<const int>(result.address(0), count), number - 1);
        if (Fences)
            system_fence();
    }
    if (Is == between::barrier)
        tidx.barrier.wait();
    else if (Is == between::wave_barrier)
        wave_barrier();
    else
        shuffle<32>(read, 0);
    if (tidx.local == 0) {
        if (number > 0)
            read_word(words, number - 1);
        write_word(words, number, 1);
        device_fence();
        result[number] = source[number];
    }
    tidx.barrier.wait(); // until lane 0 has read the word
}

void test_replaceable_reads(void **) {
    must_not_find(reads_replaced<true, true, true>, result_is::written);
    must_find(reads_replaced<false, true, true>, {"was replaced", "no fence between"});
    must_find(reads_replaced<true, false, true>, {"was replaced", "no fence between the word and that"});
    must_find(reads_replaced<true, true, false>, {"no word that it read afterwards shows that"});
    must_not_find(replaces_after_others<true, true>, result_is::written);
    must_find(replaces_after_others<false, true>, {"was replaced", "no fence between the word and that"});
    must_find(replaces_after_others<true, false>, {"was replaced", "no fence between the word and that"});
    must_not_find(reads_word_for_another<true, between::barrier>, result_is::written);
    must_not_find(reads_word_for_another<true, between::wave_barrier>, result_is::written);
    must_find(reads_word_for_another<false, between::barrier>,
              {"the element that lane 1 has read (", "with no fence between"});
    must_find(reads_word_for_another<true, between::shuffle>,
              {"the element that lane 1 has read (", "no barrier behind its fence"});
}

// ---- Words for the host ---------------------------------------------------------------------------------------------

enum class notifies { in_order, without_fence, for_the_device, too_early, before_other_memory };
template <notifies How>
void notifies_the_host(source_view source, result_view result, ticket_view, word_view words) {
    const tiled_index tidx;
    if (tidx.global != 0)
        return;
    if (How != notifies::too_early)
        result[0] = source[0];
    if (How == notifies::for_the_device)
        device_fence();
    if (How == notifies::in_order || How == notifies::before_other_memory)
        system_fence();
    uint64_t *const word = words.address(0);
    write_word_for_host(word, 1);
    if (How == notifies::too_early)
        result[0] = source[0];
    if (How == notifies::before_other_memory) // which the host does not read
        array_view<int>(const_cast<int *>(source.address(1)), 1)[0] = 1;
}

void test_notifying_the_host(void **) {
    must_not_find(notifies_the_host<notifies::in_order>);
    must_not_find(notifies_the_host<notifies::before_other_memory>);
    must_find(notifies_the_host<notifies::without_fence>,
              {"notifies the host", "lane 0 has written (test_watched.cpp:"});
    must_find(notifies_the_host<notifies::for_the_device>, {"notifies the host", "no system fence between"});
    must_find(notifies_the_host<notifies::too_early>,
              {"wrote element 0 of 'result'", "has notified it that all is there"});
}

// The host reads shared memory until its release, and each launch notifies it anew.
void test_shared_memory(void **) {
    using host::watch::access;
    static int memory[4];
    host::watch::device_shadow shadow;
    const auto stores = [&](unsigned i) { return shadow.accesses({0, {}}, access::store, memory + i, sizeof(int)); };
    const auto begins = [&] {
        shadow.begins_launch(1);
        shadow.begins_tile(0);
    };
    shadow.shared(memory + 1, 2 * sizeof(int));
    begins();
    assert_string_equal(shadow.notifies_host(0).c_str(), "");
    assert_string_equal(stores(0).c_str(), "");
    assert_string_equal(stores(3).c_str(), "");
    for (const unsigned i : {1u, 2u}) {
        assert_contains(stores(i), {"has notified it that all is there"});
        assert_ptr_equal(shadow.finding_at(), memory + i);
    }
    begins();
    assert_string_equal(shadow.accesses({0, {}}, access::update, memory + 1, sizeof(int)).c_str(), "");
    assert_string_equal(shadow.notifies_host(0).c_str(), ""); // no store to shared memory
    begins();
    assert_string_equal(stores(1).c_str(), "");
    assert_contains(shadow.notifies_host(0), {"no system fence between"});
    shadow.released(memory + 1);
    begins();
    assert_string_equal(stores(1).c_str(), "");
    assert_string_equal(shadow.notifies_host(0).c_str(), "");
    assert_string_equal(stores(1).c_str(), "");
}

// ---- Launch by launch -----------------------------------------------------------------------------------------------

// A tile reads the result of the previous tile, but mistakes the word of an earlier launch for one of this launch.
void reads_old_words(source_view, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned number = count_up(ticket);
    const bool is_published = number > 0 && read_word(words, number - 1) != 0;
    if (is_published)
        device_fence();
    result[number] = is_published ? int(result[number - 1]) + 1 : 0;
}
void reads_another_tile(source_view, result_view result, ticket_view, word_view) {
    const tiled_index tidx;
    const int other = result[(tidx.global + tile) % count];
    if (other == 0) // as none is
        result[tidx.global] = 0;
}

void test_launches(void **) {
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            host::watched watched;
            assert_contains(finding_of(reads_old_words, width, schedule, result_is::unwritten, watched, start::in_order,
                                       passes_on<true, true>),
                            {"read element ", "of 'result'", "nothing that orders them"});
            for (planted *const kernel : {reads_another_tile, notifies_the_host<notifies::in_order>}) {
                host::watched other;
                assert_string_equal(
                    finding_of(kernel, width, schedule, result_is::unwritten, other, start::in_order, writes_first)
                        .c_str(),
                    "");
            }
        }
}

// ---- Endless waits --------------------------------------------------------------------------------------------------

void waits_for_the_last(source_view, result_view, ticket_view, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned next = (tidx.tile + 1) % tiles;
    while (read_word(words, next) == 0)
        let_others_run();
    write_word(words, tidx.tile, 1);
}

void test_deadlock(void **) {
    must_find(waits_for_the_last, {"planted", "lane 0", "waits for a tile", "deadlock", "test_watched.cpp:"});
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_unwritten),
                                cmocka_unit_test(test_neighbours),
                                cmocka_unit_test(test_forgotten_accesses),
                                cmocka_unit_test(test_pages),
                                cmocka_unit_test(test_early),
                                cmocka_unit_test(test_outside),
                                cmocka_unit_test(test_races_of_tiles),
                                cmocka_unit_test(test_races_of_lanes),
                                cmocka_unit_test(test_races_of_bytes),
                                cmocka_unit_test(test_loads_before_swaps),
                                cmocka_unit_test(test_races_of_random_launches),
                                cmocka_unit_test(test_publishing_for_others),
                                cmocka_unit_test(test_replaceable_reads),
                                cmocka_unit_test(test_words_of_a_tile),
                                cmocka_unit_test(test_launches),
                                cmocka_unit_test(test_notifying_the_host),
                                cmocka_unit_test(test_shared_memory),
                                cmocka_unit_test(test_deadlock),
                                cmocka_unit_test(test_sites),
                                cmocka_unit_test(test_counts),
                                cmocka_unit_test(test_every_count),
                                cmocka_unit_test(test_places),
                                cmocka_unit_test(test_steps_of_parted_waves),
                                cmocka_unit_test(test_counts_of_sizes)};
    return cmocka_run_group_tests_name("watched", tests, nullptr, nullptr);
}
