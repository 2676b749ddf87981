// radix: a stable sort by counting; each pass puts the keys in the order of eight bits.
//
// Idea:   eight bits of a key are a digit, and the lowest one comes first. A pass keeps the order of keys whose digits
//         are equal, so the order by the digits before lasts. A key's place is the number of keys with smaller digits,
//         which one read counts for all passes, and of equal ones before it. A tile ranks its keys: lanes find those of
//         their digit by ballots. Then it looks back, as look_back does, for each of the digit's 256 values. The keys
//         pass through tile memory, so that those of a value are stored as neighbours (Adinets and Merrill 2022,
//         "Onesweep").
// Limit:  memory: a read and a write of every key for each eight bits; and the ballots of the ranks.
// Beside: bitonic_registers
// Change: no comparisons. The number of passes depends on the bits of a key, not on the length of the array: 4 for f32,
//         where the network takes 38 for 2^28 keys. It needs room for a second array.
// Diff:   longer, because it is another method, and tiles talk to each other (radix_tile.hpp, radix_digits.hpp).
#include "../grid.hpp"
#include "../sort/radix_tile.hpp"

namespace wf {

// Which part of the sort a launch does: tiles first_tile to last_tile, by one digit. starts: where the keys of each of
// the digit's values go that come first in this launch; next_starts: in the next one.
struct radix_pass {
    radix_digit digit;
    unsigned number, first_tile, last_tile, polls;
    array_view<const uint64_t> starts;
    array_view<uint64_t> next_starts;
    word_view tile_status_words;
    ticket_view ticket; // counts on from launch to launch of a pass
};

template <class U, bool HasValues, unsigned Width>
__global__ void WF_BOUNDS(radix_threads, radix_threads_at_once<HasValues>)
    radix(sort_source<U, no_value> source, sort_target<U, no_value> target, value_arrays values, radix_pass pass) {
    const tiled_index tidx;
    wait_for_earlier_kernels();
    using memory = radix_memory<U, Width>;
    constexpr unsigned rows = WF_RADIX_KEYS(sizeof(U));
    radix_tile<U, Width> keys(tidx);
    const digit_status_array states(pass.tile_status_words, pass.number, tidx.local);
    const unsigned tid = tidx.local;

    keys.clear_counts();
    const unsigned tile =
        wave_uniform(draw_number(tidx, pass.ticket, tile_static<unsigned>(tidx), cell_at<unsigned>(memory::ticket)));
    const size_t begin = size_t(tile) * memory::keys;
    const unsigned count = source.size() - begin < memory::keys ? unsigned(source.size() - begin) : memory::keys;
    keys.load(source, begin, rows);
    const digit_counts counts = keys.count(pass.digit, rows);
    if (keys.has_digits())
        states.publish_aggregate(tile, counts);
    const digit_counts ranks = keys.rank(pass.digit, counts, rows);
    keys.place_keys(rows);

    if (keys.has_digits()) {
        const auto count_tile = [&](unsigned other) {
            return count_digits(source, pass.digit, size_t(other) * memory::keys, memory::keys, tid);
        };
        const digit_counts before = states.look_back(tile, pass.first_tile, pass.polls, count_tile);
        const digit_counts inclusive = {before.low + counts.low, before.high + counts.high};
        states.publish_inclusive(tile, inclusive);
        const uint64_t low = pass.starts[2 * tid], high = pass.starts[2 * tid + 1];
        keys.set_offsets({low + before.low - ranks.low, high + before.high - ranks.high});
        if (tile == pass.last_tile) {
            pass.next_starts[2 * tid] = low + inclusive.low;
            pass.next_starts[2 * tid + 1] = high + inclusive.high;
        }
    }
    tidx.barrier.wait();

    keys.store_keys(pass.digit, target, count);
    if constexpr (HasValues)
        visit_value_word(values.bytes, [&](auto word) {
            keys.template move_values<decltype(word)>(pass.digit, values, begin, count);
        });
}

} // namespace wf
