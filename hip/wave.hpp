// Wavefront words: lanes, shuffles, and a barrier of the wave. The only header that knows how wide a wave is.
//
// Width is a template parameter, a power of two up to the hardware's width, chosen at launch from the queried device.
// Lanes of a wave do not run in lock step: whatever passes between them goes through a shuffle or wave_barrier().
#ifndef WAVEFOLD_WAVE_HPP
#define WAVEFOLD_WAVE_HPP

#include "tile.hpp"

namespace wf {

#if defined(WF_HOST_DEVICE)

inline void wave_barrier(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    host::wait_for_wave(file, line);
}

// The value of the lane delta further up in its group of Width; a lane that has none gets its own.
template <unsigned Width, class T>
T shuffle_down(T value, unsigned delta, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    const unsigned lane = host::where_am_i().lane;
    const unsigned source = lane % Width + delta < Width ? lane + delta : lane;
    T theirs;
    host::exchange(&value, &theirs, sizeof value, source, file, line);
    return theirs;
}

#endif

// Folds the values of a group of Width lanes, in lane order; the first lane of the group has the result.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce(T value, Op fold) {
    for (unsigned delta = 1; delta < Width; delta *= 2)
        value = fold(value, shuffle_down<Width>(value, delta));
    return value;
}

} // namespace wf
#endif
