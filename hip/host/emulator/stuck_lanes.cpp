#include "stuck_lanes.hpp"

#include <algorithm>
#include <cstdio>

namespace wf::host {

static std::string mask_text(uint64_t mask) {
    char text[24];
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(mask));
    return text;
}

// all: the mask of all lanes of a wave.
static std::string whereabouts(const lane &lane, uint64_t all) {
    if (lane.state == lane_state::finished)
        return "has returned";
    const bool is_part = lane.part != nullptr && (lane.part->mask & all) != all;
    return (lane.state == lane_state::at_tile_barrier ? "waits at the tile barrier "
            : is_part ? "waits for the lanes of its mask " + mask_text(lane.part->mask) + " "
                      : std::string("waits for its wave ")) +
           line_of_source(lane.file, lane.line);
}

std::string describe_stuck_lanes(const std::vector<lane> &lanes, unsigned tile_size, unsigned wave_width) {
    const lane *waiting = &lanes[0];
    while (waiting->state == lane_state::finished)
        waiting++;
    const uint64_t all = wave_width < 64 ? (uint64_t(1) << wave_width) - 1 : ~uint64_t(0);
    const auto waits_alike = [waiting](const lane &lane) {
        return lane.state != lane_state::finished && same_part(*waiting, lane);
    };
    // A lane that waits for its wave is held up by a lane of that wave, whatever other waves do.
    const bool for_tile = waiting->state == lane_state::at_tile_barrier;
    const unsigned first = for_tile ? 0 : waiting->wave * wave_width;
    const lane *other = &lanes[first];
    const lane *const end = other + (for_tile ? tile_size : std::min(wave_width, tile_size - first));
    const auto is_missed = [&](const lane &lane) {
        const bool is_named = waiting->part == nullptr || (waiting->part->mask >> (lane.number - first) & 1) != 0;
        return is_named && !waits_alike(lane);
    };
    while (!is_missed(*other) && other + 1 < end)
        other++;
    const auto alike = std::count_if(lanes.begin(), lanes.begin() + tile_size, waits_alike);
    const std::string with = alike == 1   ? ""
                             : alike == 2 ? " (as does 1 more lane)"
                                          : " (as do " + std::to_string(alike - 1) + " more lanes)";
    return "divergent barrier: lane " + std::to_string(waiting->number) + " " + whereabouts(*waiting, all) + with +
           ", but lane " + std::to_string(other->number) + " " + whereabouts(*other, all);
}

} // namespace wf::host
