#include "stuck_lanes.hpp"

#include <algorithm>

namespace wf::host {

static std::string whereabouts(const lane &lane) {
    if (lane.state == lane_state::finished)
        return "has returned";
    return (lane.state == lane_state::at_tile_barrier ? "waits at the tile barrier " : "waits for its wave ") +
           line_of_source(lane.file, lane.line);
}

std::string describe_stuck_lanes(const std::vector<lane> &lanes, unsigned tile_size, unsigned wave_width) {
    const lane *waiting = &lanes[0];
    while (waiting->state == lane_state::finished)
        waiting++;
    const auto waits_alike = [waiting](const lane &lane) {
        return lane.state != lane_state::finished && same_meeting_point(*waiting, lane);
    };
    // A lane that waits for its wave is held up by a lane of that wave, whatever other waves do.
    const bool for_tile = waiting->state == lane_state::at_tile_barrier;
    const unsigned first = for_tile ? 0 : waiting->wave * wave_width;
    const lane *other = &lanes[first];
    const lane *const end = other + (for_tile ? tile_size : std::min(wave_width, tile_size - first));
    while (waits_alike(*other) && other + 1 < end)
        other++;
    const auto alike = std::count_if(lanes.begin(), lanes.begin() + tile_size, waits_alike);
    const std::string with = alike == 1   ? ""
                             : alike == 2 ? " (as does 1 more lane)"
                                          : " (as do " + std::to_string(alike - 1) + " more lanes)";
    return "divergent barrier: lane " + std::to_string(waiting->number) + " " + whereabouts(*waiting) + with +
           ", but lane " + std::to_string(other->number) + " " + whereabouts(*other);
}

} // namespace wf::host
