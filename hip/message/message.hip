// Messages between ranks (wavefold_message.h), where GPUs have the results: a tile for each field.
//
// Idea:   message_write makes words that can be joined of a rank's results, where they lie; message_read makes results
//         of what was joined. What the words are is the host's text, too: message_words.h. A tile is one wave.
// Limit:  latency; one thread of each tile does all but carry the limbs of an exact sum.
#include "wave_state.hpp"

namespace wf {

template <unsigned Width>
__global__ void __launch_bounds__(Width) message_write(wf_message_part part) {
    const tiled_index tidx;
    const tile_static<int64_t> cells(tidx);
    for (unsigned i = 0; i < WF_MESSAGE_CHECK_WORDS && tidx.global == 0; i++)
        part.message[i] = wf_message_check_word(int(i), part.request);
    if (tidx.tile >= part.count)
        return;
    const wf_message_entry entry = part.entries[tidx.tile];
    wf_joined_sum own = {};
    if (entry.kind == WF_MESSAGE_DESCRIPTION && entry.joins_state != 0)
        own = sum_of_state<Width>(tidx, part.message + entry.sums, cells);
    if (tidx.local == 0)
        wf_write_words(&entry, part.message, part.records, &own);
}

template <unsigned Width>
__global__ void __launch_bounds__(Width) message_read(wf_message_part part) {
    const tiled_index tidx;
    const tile_static<int64_t> cells(tidx);
    const bool is_whole = wf_message_check_holds(part.message, part.ranks, part.request);
    if (!is_whole && tidx.global == 0)
        *part.failures = 1;
    if (!is_whole || tidx.tile >= part.count)
        return;
    const wf_message_entry entry = part.entries[tidx.tile];
    wf_joined_sum joined = {};
    if (entry.joins_state != 0)
        joined = sum_of_state<Width>(tidx, part.message + entry.sums, cells);
    if (tidx.local == 0)
        wf_read_words(&entry, part.ranks, part.message, part.records, part.record_words, &joined);
}

} // namespace wf
