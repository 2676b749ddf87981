// Meetings of a part of a wave (CUDA's masks): a barrier, a shuffle or a vote of the lanes that a mask names, or of the
// lanes that reach it together.
//
// The lanes of a mask meet when each of them waits at the same place with the same mask. A lane that the tile does not
// have is ignored; one that has returned counts as arrived if the launch allows that (kernel_launch.hpp).
//
// Lanes that reach a place together: every lane of the wave waits or has returned, and those that wait at this place go
// on. Where several places have such lanes, the first one in the source goes first, so that lanes which leave a loop
// early wait behind it for the others, as on GPUs in lock step.
//
// Limit. A barrier of a part orders the tile memory of its whole wave.
#ifndef WAVEFOLD_HOST_EMULATOR_WAVE_PARTS_HPP
#define WAVEFOLD_HOST_EMULATOR_WAVE_PARTS_HPP

#include <cstddef>
#include <cstdint>

namespace wf::host {

// One lane's share of a meeting; lanes are bits of their wave.
struct wave_part {
    uint64_t mask = 0; // the lanes that meet; 0: those that reach the place together
    bool vote = false;
    const void *value = nullptr;  // offered to a shuffle; null: none
    void *got = nullptr;          // receives the value of lane `from`
    unsigned char *all = nullptr; // receives the values of all lanes that meet: that of lane i at i * bytes
    size_t bytes = 0;
    unsigned from = 0;

    uint64_t lanes = 0; // output: those that met
    uint64_t votes = 0; // output
    bool has_got() const { return (lanes >> from & 1) != 0; }
};

// For the lane that runs. A barrier orders memory, other meetings do not.
void meet(wave_part &part, bool is_barrier, const char *file, int line);
// A barrier of the tile that returns how many of its lanes vote yes.
unsigned count_at_tile_barrier(bool mine, const char *file, int line);
// Whether the lane of this lane's wave has returned.
bool has_returned(unsigned lane_of_wave);

} // namespace wf::host
#endif
