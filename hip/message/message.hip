// Messages between ranks (wavefold_message.h), where GPUs have the results: a tile for each field.
//
// Idea:   message_write makes words that can be joined of a rank's results, where they lie; message_read makes results
//         of what was joined. What the words are is the host's text, too: message_words.h. A tile is one wave.
// Limit:  latency; one thread of each tile does all but bring the words of an exact sum into tile memory.
#include "../reduce/exact_value.hpp"
#include "../tile.hpp"

#include "message/message_words.h"

namespace wf {

template <unsigned Width>
__global__ void __launch_bounds__(Width) message_write(wf_message_part part) {
    const tiled_index tidx;
    if (tidx.local != 0)
        return;
    for (unsigned i = 0; i < WF_MESSAGE_CHECK_WORDS && tidx.tile == 0; i++)
        part.message[i] = wf_check_word(int(i), part.request);
    if (tidx.tile >= part.count)
        return;
    const wf_message_entry entry = part.entries[tidx.tile];
    wf_write_words(&entry, part.message, part.records);
}

template <unsigned Width>
__global__ void __launch_bounds__(Width) message_read(wf_message_part part) {
    const tiled_index tidx;
    const tile_static<int64_t> cells(tidx);
    const bool is_whole = wf_check_holds(part.message, part.ranks, part.request);
    if (!is_whole && tidx.global == 0)
        *part.failures = 1;
    if (!is_whole || tidx.tile >= part.count)
        return;
    const wf_message_entry entry = part.entries[tidx.tile];
    if (entry.joins_state != 0)
        for (unsigned i = tidx.local; i < WF_STATE_WORDS; i += Width)
            cells[i] = int64_t(part.message[entry.sums + i]);
    tidx.barrier.wait();
    if (tidx.local == 0)
        wf_read_words(&entry, part.ranks, part.message, part.records, part.record_words,
                      entry.joins_state != 0 ? cells.of_one_thread(0, WF_STATE_WORDS) : nullptr);
}

} // namespace wf
