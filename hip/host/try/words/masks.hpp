// Meetings of lanes of a wave, for the words of masks, shuffles and votes.
//
// The lanes that a mask names meet when each of them calls the same word at the same place with the same mask. Words
// without a mask (HIP's __shfl and its kind, __activemask) are calls of the lanes that reach them together: of a
// branch, the lanes that took it (hip/host/emulator/wave_parts.hpp).
#ifndef WAVEFOLD_HOST_TRY_WORDS_MASKS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_MASKS_HPP

#include "place.hpp"

namespace wf::tried {

constexpr unsigned widest_wave = 64;

// Whom a word names: the lanes of a mask of the kernel, or those that reach the word together.
struct named_lanes {
    uint64_t mask = 0;
    bool is_mask = false;
};
constexpr named_lanes of_mask(uint64_t mask) {
    return {mask, true};
}

unsigned lane_in_wave();
// All four return the lanes that met.
uint64_t wave_barrier(named_lanes of, const place &at);
uint64_t ballot(bool mine, uint64_t *votes, named_lanes of, const place &at);
// Lane `from` of the wave has the value that replaces *value.
uint64_t exchange_values(void *value, size_t bytes, unsigned from, named_lanes of, const place &at);
// all: room for the values of widest_wave lanes; lane i's becomes element i.
uint64_t gather_values(const void *value, void *all, size_t bytes, named_lanes of, const place &at);

// Combines the values of all lanes that meet, from the lowest lane on.
template <class T, class Fold>
WF_TRY_UNRECORDED T folded_values(T value, Fold fold, named_lanes of, const place &at) {
    T all[widest_wave];
    uint64_t left = gather_values(&value, all, sizeof(T), of, at);
    T result = all[__builtin_ctzll(left)];
    while ((left &= left - 1) != 0)
        result = fold(result, all[__builtin_ctzll(left)]);
    return result;
}

} // namespace wf::tried
#endif
