// wave.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_WAVE_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_WAVE_HPP

#include "machine.hpp"

namespace wf {

// Either width can be asked for.
constexpr unsigned narrow_wave = 32, wide_wave = 64;

inline void wave_barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    host::wait_for_wave(file, line);
}

template <unsigned Width, class T>
T shuffle(T value, unsigned lane, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(sizeof(T) <= host::shuffle_bytes, "more than a shuffle moves");
    T theirs;
    host::exchange(&value, &theirs, sizeof value, Width, lane, file, line);
    return theirs;
}

template <unsigned Width, class T>
T shuffle_up(const tiled_index &tidx, T value, unsigned delta) {
    return shuffle<Width>(value, (lane_of<Width>(tidx) + Width - delta) % Width);
}

template <unsigned Width, class T>
T shuffle_xor(const tiled_index &tidx, T value, unsigned mask) {
    return shuffle<Width>(value, lane_of<Width>(tidx) ^ mask);
}

template <unsigned Width, class T>
T broadcast(T value, unsigned lane) {
    return shuffle<Width>(value, lane);
}

template <unsigned Width>
uint64_t ballot(const tiled_index &tidx, bool mine) {
    const unsigned lane = lane_of<Width>(tidx);
    uint64_t said = uint64_t(mine) << lane;
    for (unsigned mask = Width / 2; mask > 0; mask /= 2)
        said |= shuffle<Width>(said, lane ^ mask);
    return said;
}

inline unsigned last_lane(uint64_t said) {
    return 63 - unsigned(__builtin_clzll(said));
}

inline unsigned wave_uniform(unsigned value) {
    return value;
}

} // namespace wf

#endif
