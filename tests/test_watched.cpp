// The watched device against kernels with planted bugs of device memory, which it must catch, and their mended twins,
// which it must not; and its counts of accesses whose number is known.
#include "every_deed.hpp"
#include "grid.hpp"
#include "host/emulator/machine.hpp"
#include "host/watched/watched.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstring>
#include <random>
#include <string>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf;
using host::order;

namespace {

constexpr unsigned tile = 128, tiles = 4;
constexpr size_t count = size_t(tile) * tiles;

const host::schedule schedules[] = {{order::forward, 0}, {order::reverse, 0}, {order::random, 2}};
const unsigned widths[] = {32, 64};

using source_view = array_view<const int>;
using result_view = array_view<int>;

// What kernels find in device memory.
struct alignas(128) arrays {
    int source[count], result[count];
    unsigned ticket;
    uint64_t words[tiles];
};

enum class result_is { unwritten, written };
enum class start { in_order, early };
using planted = void(source_view, result_view, ticket_view, word_view);

// Runs a kernel, behind an earlier one if there is one, and gives what is wrong with them.
std::string finding_of(planted *kernel, unsigned width, host::schedule schedule, result_is state,
                       host::watched &watched, start starts = start::in_order, planted *earlier = nullptr) {
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

void assert_says(const std::string &text, std::initializer_list<const char *> parts) {
    for (const char *part : parts)
        if (text.find(part) == std::string::npos)
            fail_msg("'%s' does not say '%s'", text.c_str(), part);
}

template <class Kernel>
void must_find(Kernel kernel, std::initializer_list<const char *> parts, result_is state = result_is::written,
               start starts = start::in_order) {
    for (const unsigned width : widths)
        for (const host::schedule &schedule : schedules) {
            host::watched watched;
            assert_says(finding_of(kernel, width, schedule, state, watched, starts), parts);
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

// ---- Reads of what nobody has written -------------------------------------------------------------------------------

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
    must_find(reads_unwritten,
              {"planted", "lane 7", "element 7 of 'result'", "nobody has written", "test_watched.cpp:"},
              result_is::unwritten);
    must_find(updates_unwritten, {"updated element 0 of 'result'", "nobody has written"}, result_is::unwritten);
    must_not_find(writes_first);
}

// Of neighbours that share a page one is given back, or written in part.
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

// Random calls for parts of a few pages, beside a flag for each word.
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
            // Often whole pages: those are known as such.
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
            const size_t asked = any(words);
            assert_int_equal(shadow.did({0, {}}, access::load, memory + asked, sizeof *memory) != "",
                             is_unwritten[asked]);
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

void tells_before_it_waits(source_view, result_view, ticket_view, word_view words) {
    const tiled_index tidx;
    if (tidx.global == 0)
        write_word_for_host(words.address(0), 1);
    wait_for_earlier_kernels();
}

void test_early(void **) {
    must_find(tells_before_it_waits, {"lane 0 told the host before it has waited for earlier kernels"},
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
        result[0] = 0; // before others update it? Nothing says so
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

// A tile reads what the one before it wrote. Tiles draw numbers, so that the one before has begun.
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

// Each lane reads what its neighbour has written.
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
// A plain load beside atomic updates, of which the tile's own is the last.
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
            assert_string_equal(shadow.did({0, {}}, access::store, memory + a, a_bytes).c_str(), "");
            const std::string wrong = shadow.did({1, {}}, access::store, memory + b, b_bytes);
            const unsigned shared = std::max(a, b);
            const bool races = shared < std::min(a + a_bytes, b + b_bytes);
            assert_int_equal(!wrong.empty(), races);
            if (races)
                assert_ptr_equal(shadow.wrong_at(), memory + std::max(b, shared / 4 * 4));
        });
    });
}

// Random deeds of a few lanes on two words: the shadow says what every_deed.hpp says, and names one that is racing.
class random_launches {
  public:
    explicit random_launches(bool wave_barriers_order) : wave_barriers_order_(wave_barriers_order) {
        if (wave_barriers_order)
            shadow_.let_wave_barriers_order();
    }
    // Up to its first race.
    void launch() {
        shadow_.begins_launch(lanes);
        every_deed all(wave_barriers_order_);
        const auto kinds = std::array{any(4), any(4)}; // of what is done to each word
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
    static constexpr deed done[][6] = {
        {deed::load, deed::load, deed::load, deed::store, deed::store, deed::store},
        {deed::update, deed::update, deed::update, deed::update_in_order, deed::read_word, deed::read_word},
        {deed::read_word, deed::read_word, deed::write_word, deed::write_word, deed::update, deed::update},
        {deed::load, deed::store, deed::update, deed::update_in_order, deed::read_word, deed::write_word}};

    unsigned any(unsigned below) { return unsigned(random_() >> 8) % below; }
    bool goes_on(every_deed &all, const std::array<unsigned, 2> &kinds) {
        const unsigned lane = any(lanes), word = any(2), what = any(20);
        if (what < 6) {
            shadow_.fence(lane);
            all.fence(lane);
        } else if (what == 6) {
            shadow_.passes_tile_barrier();
            all.passes_barrier(lanes, true);
        } else if (what == 7) {
            shadow_.passes_wave_barrier(0, wave);
            all.passes_barrier(wave, false);
        } else {
            const deed next = done[kinds[word]][any(6)];
            all.did(lane, next, word);
            const std::vector<unsigned> races = all.races();
            const std::string wrong = did({lane, {"deeds", all.last(), 0}}, next, &words_[word]);
            assert_int_equal(shadow_.is_contended(), !is_plain(next) && !is_read(next) && all.is_contended());
            if (wrong.empty() && !races.empty() && all.has_many())
                forgotten++;
            else
                assert_int_equal(wrong.empty(), races.empty());
            if (!wrong.empty()) {
                raced++;
                assert_true(
                    std::any_of(races.begin(), races.end(), [&](unsigned each) { return wrong == all.name_of(each); }));
            }
            return races.empty();
        }
        return true;
    }
    std::string did(const host::watch::device_shadow::actor &who, deed what, const uint64_t *word) {
        using host::watch::access;
        switch (what) {
        case deed::update_in_order:
            return shadow_.update_in_order(who, word, sizeof *word);
        case deed::read_word:
            return shadow_.word_read(who, word);
        case deed::write_word:
            return shadow_.word_written(who, word);
        default:
            return shadow_.did(who,
                               what == deed::load    ? access::load
                               : what == deed::store ? access::store
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

// ---- A lane tells other tiles what its tile has done ----------------------------------------------------------------

// Lane 1 writes, lane 0 tells; lane 0 of the next tile is told, lane 1 reads.
template <bool WaitsThere, bool WaitsHere>
void tells_for_another(source_view source, result_view result, ticket_view ticket, word_view words) {
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

// From the third tile on all read what the first one wrote. They know of it through the tile before them, if they ask.
template <bool Asks>
void tells_what_it_was_told(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    const tile_static<unsigned> cells(tidx);
    const unsigned number = draw_number(tidx, ticket, cells, 0);
    if (tidx.local == 0 && (number == 1 || (number > 1 && Asks))) {
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

// The lanes of a wave add up, and lane 0 tells: with a fence each, and then one of its own.
template <bool EachFences, bool Waits, bool Fences>
void adds_and_tells(source_view, result_view result, ticket_view ticket, word_view words) {
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

void test_telling_for_others(void **) {
    must_not_find(tells_for_another<true, true>);
    must_find(tells_for_another<false, true>, {"'result'", "nothing that orders them"});
    must_find(tells_for_another<true, false>, {"'result'", "nothing that orders them"});
    must_not_find(tells_what_it_was_told<true>);
    must_find(tells_what_it_was_told<false>, {"'result'", "nothing that orders them"});
    must_not_find(adds_and_tells<true, true, true>);
    must_find(adds_and_tells<false, true, true>, {"'result'", "nothing that orders them"});
    must_find(adds_and_tells<true, false, true>, {"'result'", "nothing that orders them"});
    must_find(adds_and_tells<true, true, false>, {"'result'", "nothing that orders them"});
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
    must_find(adds_to_words<true, false>, {"of tile memory, which nobody has written", "test_watched.cpp:"});
}

// ---- What another tile may replace meanwhile ------------------------------------------------------------------------

// Tiles take turns. Each looks at what the one before it has, which that may have replaced; and asks whether it had.
template <bool FencesHere, bool FencesThere, bool Asks>
void reads_what_is_replaced(source_view source, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned number = count_up(ticket);
    if (number > 0) {
        const int read = read_replaceable(array_view<const int>(result.address(0), count), number - 1);
        if (FencesHere)
            device_fence();
        if (Asks && read_word(words, number - 1) == 0)
            result[tiles + number] = read;
    }
    write_word(words, number, 1);
    if (FencesThere)
        device_fence();
    result[number] = source[number];
    if (!FencesThere) // too late
        device_fence();
}

// A lane tells, another one passes the fence, and a third one replaces: barriers lead from each to the next.
template <bool WaitsBefore, bool WaitsBehind>
void replaces_what_others_told(source_view source, result_view result, ticket_view ticket, word_view words) {
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

// Lane 1 reads what may be replaced, and lane 0 asks, behind a meeting point.
template <bool Fences, between Is>
void asks_for_another(source_view source, result_view result, ticket_view ticket, word_view words) {
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
    tidx.barrier.wait(); // until it has asked
}

void test_replaceable_reads(void **) {
    must_not_find(reads_what_is_replaced<true, true, true>, result_is::written);
    must_find(reads_what_is_replaced<false, true, true>, {"was replaced", "no fence between"});
    must_find(reads_what_is_replaced<true, false, true>, {"was replaced", "no fence behind what it told"});
    must_find(reads_what_is_replaced<true, true, false>, {"no word that it read afterwards says so"});
    must_not_find(replaces_what_others_told<true, true>, result_is::written);
    must_find(replaces_what_others_told<false, true>, {"was replaced", "no fence behind what it told"});
    must_find(replaces_what_others_told<true, false>, {"was replaced", "no fence behind what it told"});
    must_not_find(asks_for_another<true, between::barrier>, result_is::written);
    must_not_find(asks_for_another<true, between::wave_barrier>, result_is::written);
    must_find(asks_for_another<false, between::barrier>, {"what lane 1 has read (", "with no fence between"});
    must_find(asks_for_another<true, between::shuffle>, {"what lane 1 has read (", "no barrier behind its fence"});
}

// ---- What the host is told ------------------------------------------------------------------------------------------

enum class tells { in_order, without_fence, for_the_device, too_early, before_other_memory };
template <tells How>
void tells_the_host(source_view source, result_view result, ticket_view, word_view words) {
    const tiled_index tidx;
    if (tidx.global != 0)
        return;
    if (How != tells::too_early)
        result[0] = source[0];
    if (How == tells::for_the_device)
        device_fence();
    if (How == tells::in_order || How == tells::before_other_memory)
        system_fence();
    uint64_t *const word = words.address(0);
    write_word_for_host(word, 1);
    if (How == tells::too_early)
        result[0] = source[0];
    if (How == tells::before_other_memory) // which the host does not read
        array_view<int>(const_cast<int *>(source.address(1)), 1)[0] = 1;
}

void test_telling_the_host(void **) {
    must_not_find(tells_the_host<tells::in_order>);
    must_not_find(tells_the_host<tells::before_other_memory>);
    must_find(tells_the_host<tells::without_fence>, {"tells the host", "lane 0 has written (test_watched.cpp:"});
    must_find(tells_the_host<tells::for_the_device>, {"tells the host", "no system fence between"});
    must_find(tells_the_host<tells::too_early>, {"wrote element 0 of 'result'", "has told it that all is there"});
}

// The host reads so many bytes until they are given back, and is told by each launch anew.
void test_shared_memory(void **) {
    using host::watch::access;
    static int memory[4];
    host::watch::device_shadow shadow;
    const auto stores = [&](unsigned i) { return shadow.did({0, {}}, access::store, memory + i, sizeof(int)); };
    const auto begins = [&] {
        shadow.begins_launch(1);
        shadow.begins_tile(0);
    };
    shadow.shared(memory + 1, 2 * sizeof(int));
    begins();
    assert_string_equal(shadow.host_told(0).c_str(), "");
    assert_string_equal(stores(0).c_str(), "");
    assert_string_equal(stores(3).c_str(), "");
    for (const unsigned i : {1u, 2u}) {
        assert_says(stores(i), {"has told it that all is there"});
        assert_ptr_equal(shadow.wrong_at(), memory + i);
    }
    begins();
    assert_string_equal(shadow.did({0, {}}, access::update, memory + 1, sizeof(int)).c_str(), "");
    assert_string_equal(shadow.host_told(0).c_str(), ""); // of what nobody stores
    begins();
    assert_string_equal(stores(1).c_str(), "");
    assert_says(shadow.host_told(0), {"no system fence between"});
    shadow.released(memory + 1);
    begins();
    assert_string_equal(stores(1).c_str(), "");
    assert_string_equal(shadow.host_told(0).c_str(), "");
    assert_string_equal(stores(1).c_str(), "");
}

// ---- Launch by launch -----------------------------------------------------------------------------------------------

// A tile reads what the one before it writes, and takes the word of an earlier launch for one of this launch.
void asks_old_words(source_view, result_view result, ticket_view ticket, word_view words) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    const unsigned number = count_up(ticket);
    const bool is_told = number > 0 && read_word(words, number - 1) != 0;
    if (is_told)
        device_fence();
    result[number] = is_told ? int(result[number - 1]) + 1 : 0;
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
            assert_says(finding_of(asks_old_words, width, schedule, result_is::unwritten, watched, start::in_order,
                                   passes_on<true, true>),
                        {"read element ", "of 'result'", "nothing that orders them"});
            for (planted *const kernel : {reads_another_tile, tells_the_host<tells::in_order>}) {
                host::watched other;
                assert_string_equal(
                    finding_of(kernel, width, schedule, result_is::unwritten, other, start::in_order, writes_first)
                        .c_str(),
                    "");
            }
        }
}

// ---- Waiting for what never comes -----------------------------------------------------------------------------------

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

        // Of both launches, in the order in which the places were met.
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
            assert_string_equal(line.file, "test_watched.cpp");
            assert_int_equal(line.line, lines[i].line);
            assert_true(line.column > 0);
            assert_string_equal(line.what, lines[i].what);
            assert_int_equal(line.accesses, 2 * lines[i].accesses);
            assert_int_equal(line.lanes, 2 * lines[i].lanes);
            assert_int_equal(line.bytes, 2 * lines[i].lanes * sizeof(int));
            assert_int_equal(line.lines_128, 2 * lines[i].lines_128);
            assert_int_equal(line.extra_passes, 2 * lines[i].extra_passes);
        }

        // Lanes run forward: the first one loads, stores, and so on; the third one of the last tile updates last but
        // for those that store behind it.
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

// Each place has figures of its own: of each kernel in every file, line and column, by what is done there to what.
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
                    for (const auto what : {access::load, access::store, access::update})
                        for (const bool in_tile : {false, true})
                            for (const uint32_t bytes : {1u, 4u, 16u})
                                if (kernel[0] == 'o' || line != 1) // other places come first
                                    counts.did(0, {{file, line, column}, what, in_tile, bytes}, 0);
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

// Waves that part: a step ends as it does for who goes on, and above all with the tile's barrier.
void test_steps_of_parted_waves(void **) {
    using namespace host::watch;
    host::watch::counts counts(false);
    for (const bool is_of_first : {false, true}) { // whose shuffle it is
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

// Accesses of so many bytes, side by side or each so far from the next.
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
                    counts.did(lane, {{}, access::load, true, bytes}, cell_of(lane) * apart);
                    counts.did(lane, {{}, access::store, false, bytes}, 1024 - 1 + cell_of(lane) * apart);
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
                // The same bank for all, in which each has a word; evenly they would take words / 32 passes.
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

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_unwritten),
                                cmocka_unit_test(test_neighbours),
                                cmocka_unit_test(test_pages),
                                cmocka_unit_test(test_early),
                                cmocka_unit_test(test_outside),
                                cmocka_unit_test(test_races_of_tiles),
                                cmocka_unit_test(test_races_of_lanes),
                                cmocka_unit_test(test_races_of_bytes),
                                cmocka_unit_test(test_races_of_random_launches),
                                cmocka_unit_test(test_telling_for_others),
                                cmocka_unit_test(test_replaceable_reads),
                                cmocka_unit_test(test_words_of_a_tile),
                                cmocka_unit_test(test_launches),
                                cmocka_unit_test(test_telling_the_host),
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
