// wave.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_WAVE_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_WAVE_HPP

#include "lane.hpp"

#include <cstring>

namespace wf {

// The caller chooses either width.
constexpr unsigned narrow_wave = 32, wide_wave = 64;

inline void wave_barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    host::wait_for_wave(file, line);
}

template <unsigned Width, class T>
T shuffle(T value, unsigned lane, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(sizeof(T) <= host::shuffle_bytes, "more than a shuffle moves");
    static_assert((Width & (Width - 1)) == 0, "lanes are shuffled in groups of a power of two");
    T theirs;
    std::memcpy(&theirs, host::exchange(&value, sizeof value, Width, lane, file, line), sizeof theirs);
    return theirs;
}

// Each is a meeting point of the line that calls it, so that lanes that part and shuffle in different lines are found.
template <unsigned Width, class T>
T shuffle_up(const tiled_index &tidx, T value, unsigned delta, const char *file = __builtin_FILE(),
             int line = __builtin_LINE()) {
    return shuffle<Width>(value, (lane_of<Width>(tidx) + Width - delta) % Width, file, line);
}

template <unsigned Width, class T>
T shuffle_xor(const tiled_index &tidx, T value, unsigned mask, const char *file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    return shuffle<Width>(value, lane_of<Width>(tidx) ^ mask, file, line);
}

template <unsigned Width, class T>
T broadcast(T value, unsigned lane, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return shuffle<Width>(value, lane, file, line);
}

template <unsigned Width>
uint64_t ballot(const tiled_index &, bool mine, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return host::ballot(mine, Width, file, line);
}

template <unsigned Width>
bool wave_uniform(const tiled_index &, bool mine, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return host::agrees(mine, Width, file, line);
}

// Both code paths run: wide waves fold word by word, narrow ones in steps, which `wavefold explain` can draw as a tree.
template <unsigned Width>
constexpr bool folds_words = Width == wide_wave;

template <unsigned Width>
uint32_t wave_largest(const tiled_index &tidx, uint32_t word) {
    for (unsigned mask = Width / 2; mask > 0; mask /= 2) {
        const uint32_t theirs = shuffle_xor<Width>(tidx, word, mask);
        word = theirs > word ? theirs : word;
    }
    return word;
}

template <unsigned Width, unsigned Count>
void wave_sum(const tiled_index &tidx, uint32_t (&words)[Count]) {
    struct all_words {
        uint32_t words[Count];
    } mine;
    std::memcpy(mine.words, words, sizeof words);
    for (unsigned mask = Width / 2; mask > 0; mask /= 2) {
        const all_words theirs = shuffle_xor<Width>(tidx, mine, mask);
        for (unsigned k = 0; k < Count; k++)
            mine.words[k] += theirs.words[k];
    }
    std::memcpy(words, mine.words, sizeof words);
}

inline unsigned last_lane(uint64_t votes) {
    return 63 - unsigned(__builtin_clzll(votes));
}

inline unsigned count_lanes(uint64_t votes) {
    return unsigned(__builtin_popcountll(votes));
}

inline unsigned wave_uniform(unsigned value) {
    return value;
}

} // namespace wf

#endif
