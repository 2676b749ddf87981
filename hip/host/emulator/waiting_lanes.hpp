// The lanes of a tile, and the meeting points at which they wait.
#ifndef WAVEFOLD_HOST_EMULATOR_WAITING_LANES_HPP
#define WAVEFOLD_HOST_EMULATOR_WAITING_LANES_HPP

#include "fiber.hpp"
#include "wave_parts.hpp"

#include <cstdint>
#include <cstring>
#include <string>

namespace wf::host {

enum class lane_state { fresh, running, at_tile_barrier, at_wave_barrier, at_shuffle, finished };

// One cache line holds what a switch to the lane reads.
struct alignas(64) lane {
    unsigned number = 0;
    unsigned wave = 0;
    lane_state state = lane_state::fresh;
    int line = 0;
    const char *file = nullptr; // of the meeting point where it waits
    fiber suspended;
    const void *frame = nullptr; // where on its stack it waits
    unsigned stack = 0;          // number of the stack on which it runs
    unsigned parity = 0;         // of the slot that its next shuffle uses
    wave_part *part = nullptr;   // of the meeting where it waits; null: a meeting of the whole wave or tile
};

inline bool same_file(const char *a, const char *b) {
    return a == b || std::strcmp(a, b) == 0;
}

inline bool same_meeting_point(const lane &a, const lane &b) {
    return a.state == b.state && a.line == b.line && same_file(a.file, b.file);
}
inline bool same_part(const lane &a, const lane &b) {
    return same_meeting_point(a, b) && (a.part == nullptr) == (b.part == nullptr) &&
           (a.part == nullptr || a.part->mask == b.part->mask);
}

inline std::string line_of_source(const char *file, int line) {
    const char *const slash = std::strrchr(file, '/');
    return std::string(slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line);
}

// The lanes of a wave that wait, counted as they arrive.
struct gathering {
    unsigned lanes = 0; // of the wave
    unsigned waiting = 0;
    unsigned parts = 0;      // lanes that wait for a part of the wave
    bool is_together = true; // all waiting lanes are at the meeting point of the first one
    uint64_t votes[2] = {};  // by lane, for each parity as with slots
    const lane *first = nullptr;
    bool is_complete() const { return waiting == lanes && is_together; }
};

} // namespace wf::host
#endif
