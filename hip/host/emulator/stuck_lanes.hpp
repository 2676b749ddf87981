// The finding about lanes that wait for others which never arrive.
#ifndef WAVEFOLD_HOST_EMULATOR_STUCK_LANES_HPP
#define WAVEFOLD_HOST_EMULATOR_STUCK_LANES_HPP

#include "waiting_lanes.hpp"

#include <string>
#include <vector>

namespace wf::host {

// lanes: the first tile_size of them are the tile's, and at least one of these waits.
std::string describe_stuck_lanes(const std::vector<lane> &lanes, unsigned tile_size, unsigned wave_width);

} // namespace wf::host
#endif
