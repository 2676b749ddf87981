#include "shuffle_words.hpp"

#include "../../emulator/machine.hpp"
#include "../../emulator/watch.hpp"

namespace wf::tried {

void shuffle(void *value, size_t bytes, direction where, unsigned by, unsigned width, named_lanes of, const place &at) {
    const host::place here = host::where_am_i();
    if (width == 0 || (width & (width - 1)) != 0 || width > here.wave_width) {
        host::watch::stands(at);
        host::report_of_lane(" shuffles in groups of " + std::to_string(width) + " lanes, in a wave of " +
                             std::to_string(here.wave_width) +
                             ": that must be a power of two, and no more than the wave");
        width = here.wave_width;
    }
    const unsigned self = lane_in_wave(), first = self & ~(width - 1), mine = self - first;
    unsigned from = self;
    switch (where) {
    case direction::down:
        from = by < width && mine + by < width ? self + by : self;
        break;
    case direction::up:
        from = by <= mine ? self - by : self;
        break;
    case direction::across:
        from = (self ^ by) > (self | (width - 1)) ? self : self ^ by;
        break;
    case direction::to:
        from = first + by % width;
        break;
    }
    exchange_values(value, bytes, from, of, at);
}

} // namespace wf::tried
