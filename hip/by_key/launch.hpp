// Launches of the steps of reductions by key.
#ifndef WAVEFOLD_BY_KEY_LAUNCH_HPP
#define WAVEFOLD_BY_KEY_LAUNCH_HPP

#include "bins.hip"
#include "runs.hip"

namespace wf {

struct words_of_16_bytes {
    uint64_t words[2];
};

inline array_view<uint64_t> words_at(void *memory, uint64_t count) {
    return {static_cast<uint64_t *>(memory), memory != nullptr ? count : 0};
}

template <class U>
run_list<U> runs_of(const wf_by_key_request &what) {
    const uint64_t chunks = what.count != 0 ? (what.count + what.chunk - 1) / what.chunk : 1;
    return {{static_cast<const U *>(what.source), what.count},
            what.chunk,
            words_at(what.chunk_counts, chunks),
            what.first_tile};
}

template <class I>
index_list<I> indices_of(const wf_by_key_request &what) {
    return {{static_cast<const I *>(what.source), what.count}, what.bins, what.sign_bit};
}

template <class U, class Queue>
void launch_count_runs(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, what.head.wave_width == narrow_wave ? count_runs<U, narrow_wave> : count_runs<U, wide_wave>,
              what.head.tiles, what.head.tile_size, WF_BY_KEY_TILE / narrow_wave * sizeof(int64_t), runs_of<U>(what));
}

template <class U, class Queue>
void launch_write_runs(const wf_by_key_request &what, Queue queue) {
    const run_target to = {what.unique_keys, words_at(what.offsets, what.room + 1), words_at(what.runs, 1), what.room,
                           what.fills};
    launch_on(queue, what.head.wave_width == narrow_wave ? write_runs<U, narrow_wave> : write_runs<U, wide_wave>,
              what.head.tiles, what.head.tile_size, WF_BY_KEY_TILE / narrow_wave * sizeof(int64_t), runs_of<U>(what),
              to);
}

template <class Queue>
void launch_lengths(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, lengths_of_segments<uint64_t>, what.head.tiles, what.head.tile_size, 0,
              array_view<const uint64_t>(static_cast<const uint64_t *>(what.offsets), what.results + 1),
              words_at(what.result, what.results), what.first_tile);
}

template <class I, class Queue>
void launch_check_indices(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, check_indices<I>, what.head.tiles, what.head.tile_size, 0, indices_of<I>(what),
              words_at(what.first_bad, 1));
}

template <class I, class Queue>
void launch_count_indices(const wf_by_key_request &what, Queue queue) {
    const unsigned tile_bins = what.bins * sizeof(uint32_t) <= WF_TILE_MEMORY ? unsigned(what.bins) : 0;
    launch_on(queue, count_indices<I>, what.head.tiles, what.head.tile_size, tile_bins * sizeof(uint32_t),
              indices_of<I>(what), array_view<int64_t>(static_cast<int64_t *>(what.result), what.bins), tile_bins);
}

template <class I, class Queue>
void launch_bins(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, bins_of_indices<I>, what.head.tiles, what.head.tile_size, 0, indices_of<I>(what),
              array_view<uint32_t>(static_cast<uint32_t *>(what.result), what.results), what.bins_first,
              what.first_tile);
}

template <class V, class Queue>
void launch_join(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, join_arrays<V>, what.head.tiles, what.head.tile_size, 0,
              array_view<const V>(static_cast<const V *>(what.first), what.first_count),
              array_view<const V>(static_cast<const V *>(what.source), what.count),
              array_view<V>(static_cast<V *>(what.result), what.results), what.first_tile);
}

template <class Queue>
void launch_bin_offsets(const wf_by_key_request &what, Queue queue) {
    launch_on(queue, offsets_of_bins<uint32_t>, what.head.tiles, what.head.tile_size, 0,
              array_view<const uint32_t>(static_cast<const uint32_t *>(what.source), what.count),
              words_at(what.offsets, what.bins + 1), what.first_tile);
}

template <class Queue>
using by_key_launcher = void (*)(const wf_by_key_request &, Queue);

// U: an unsigned integer as long as the source's elements.
template <class U, class Queue>
by_key_launcher<Queue> by_key_launcher_of(wf_by_key_step step) {
    switch (step) {
    case WF_BY_KEY_COUNT_RUNS:
        return &launch_count_runs<U, Queue>;
    case WF_BY_KEY_WRITE_RUNS:
        return &launch_write_runs<U, Queue>;
    case WF_BY_KEY_CHECK_INDICES:
        return &launch_check_indices<U, Queue>;
    case WF_BY_KEY_COUNT_INDICES:
        return &launch_count_indices<U, Queue>;
    case WF_BY_KEY_BINS:
        return &launch_bins<U, Queue>;
    case WF_BY_KEY_JOIN:
        return &launch_join<U, Queue>;
    case WF_BY_KEY_LENGTHS:
        return &launch_lengths<Queue>;
    case WF_BY_KEY_BIN_OFFSETS:
        return &launch_bin_offsets<Queue>;
    }
    return nullptr;
}

template <class Queue>
by_key_launcher<Queue> find_launcher(const wf_by_key_request &what) {
    switch (what.element_bytes) {
    case 1:
        return by_key_launcher_of<uint8_t, Queue>(what.step);
    case 2:
        return by_key_launcher_of<uint16_t, Queue>(what.step);
    case 4:
        return by_key_launcher_of<uint32_t, Queue>(what.step);
    case 8:
        return by_key_launcher_of<uint64_t, Queue>(what.step);
    case 16:
        return what.step == WF_BY_KEY_JOIN ? &launch_join<words_of_16_bytes, Queue> : nullptr;
    }
    return nullptr;
}

} // namespace wf
#endif
