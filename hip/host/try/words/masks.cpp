#include "masks.hpp"

#include "../../emulator/findings.hpp"
#include "../../emulator/machine.hpp"
#include "../../emulator/watch.hpp"
#include "../../emulator/wave_parts.hpp"
#include "../memory/touches.hpp"
#include "../stop.hpp"
#include "dimensions.hpp"

#include <cstdio>
#include <cstring>

namespace wf::tried {

namespace {

std::string text_of(uint64_t mask) {
    char text[24];
    std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(mask));
    return text;
}

// The mask as the emulator takes it: of the wave's width, and with the lane that calls.
uint64_t checked(named_lanes of) {
    const unsigned width = host::where_am_i().wave_width, self = lane_in_wave();
    const uint64_t mask = width < 64 ? of.mask & ((uint64_t(1) << width) - 1) : of.mask, own = uint64_t(1) << self;
    if (!of.is_mask || (mask & own) != 0)
        return mask;
    const bool is_short = self >= 32 && mask >> 32 == 0;
    host::report_of_lane(" calls with the mask " + text_of(mask) + ", which does not name it" +
                         (is_short ? ": in a wave of 64 lanes a mask has 64 bits" : ""));
    return mask | own;
}

uint64_t meet(host::wave_part &part, bool is_barrier, named_lanes of, const place &at) {
    check_late_load();
    host::watch::stands(at);
    stop_if_time_is_over();
    part.mask = checked(of);
    host::meet(part, is_barrier, at.file_name(), int(at.line()));
    enter_lane();
    host::watch::stands(at); // other lanes have run
    return part.lanes;
}

void report_missing(unsigned from, named_lanes of) {
    const host::place here = host::where_am_i();
    const unsigned number = here.lane - here.lane % here.wave_width + from;
    const bool is_named = !of.is_mask || (of.mask >> from & 1) != 0;
    host::report_of_lane(" reads lane " + std::to_string(number) + " by a shuffle, which " +
                         (number >= here.tile_size
                              ? "its tile of " + std::to_string(here.tile_size) + " threads does not have"
                          : !is_named                ? "its mask " + text_of(of.mask) + " does not name"
                          : host::has_returned(from) ? "has returned"
                                                     : "does not take part"));
}

} // namespace

unsigned lane_in_wave() {
    const host::place here = host::where_am_i();
    return here.lane % here.wave_width;
}

uint64_t wave_barrier(named_lanes of, const place &at) {
    host::wave_part part;
    return meet(part, true, of, at);
}

uint64_t ballot(bool mine, uint64_t *votes, named_lanes of, const place &at) {
    host::wave_part part;
    part.vote = mine;
    meet(part, false, of, at);
    *votes = part.votes;
    return part.lanes;
}

uint64_t exchange_values(void *value, size_t bytes, unsigned from, named_lanes of, const place &at) {
    unsigned char mine[host::shuffle_bytes];
    host::wave_part part;
    std::memcpy(mine, value, bytes);
    part.value = mine;
    part.got = value;
    part.bytes = bytes;
    part.from = from;
    meet(part, false, of, at);
    if (!part.has_got())
        report_missing(from, of);
    return part.lanes;
}

uint64_t gather_values(const void *value, void *all, size_t bytes, named_lanes of, const place &at) {
    host::wave_part part;
    part.value = value;
    part.all = static_cast<unsigned char *>(all);
    part.bytes = bytes;
    part.from = lane_in_wave();
    return meet(part, false, of, at);
}

} // namespace wf::tried
