// Which tile a schedule runs next, and which lane. The thread that runs a tile has no influence on either.
#ifndef WAVEFOLD_HOST_EMULATOR_SCHEDULE_ORDERS_HPP
#define WAVEFOLD_HOST_EMULATOR_SCHEDULE_ORDERS_HPP

#include "schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace wf::host {

// splitmix64 (Steele, Lea, Flood 2014): a good bit mixer, and with a counter a random generator.
inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// A permutation of 0 .. count - 1 that depends on the seed: an odd multiplication modulo a power of two, repeated until
// the product falls below count.
inline unsigned shuffled(unsigned i, unsigned count, uint64_t seed) {
    unsigned mask = count - 1;
    for (unsigned shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    const auto factor = static_cast<unsigned>(mix(seed)) | 1u;
    const auto offset = static_cast<unsigned>(mix(seed + 1));
    do
        i = (i * factor + offset) & mask;
    while (i >= count);
    return i;
}

// The tile that begins as number i of a launch.
inline unsigned tile_at(const schedule &schedule, unsigned i, unsigned tiles) {
    switch (schedule.lanes) {
    case order::reverse:
        return tiles - 1 - i;
    case order::random:
        return shuffled(i, tiles, schedule.seed);
    case order::forward:
        break;
    }
    return i;
}

// The order of the lanes of one tile.
class lane_order {
  public:
    void begins_tile(const schedule &schedule, unsigned tile) {
        order_ = schedule.lanes;
        random_ = mix(schedule.seed ^ mix(tile));
    }

    // lanes: in forward order.
    template <class Lane>
    void arrange(std::vector<Lane> &lanes) {
        switch (order_) {
        case order::forward:
            break;
        case order::reverse:
            std::reverse(lanes.begin(), lanes.end());
            break;
        case order::random:
            for (size_t i = lanes.size(); i > 1; i--) {
                random_ = mix(random_);
                std::swap(lanes[i - 1], lanes[(random_ >> 32) * i >> 32]); // a fraction of i, without a division
            }
            break;
        }
    }

  private:
    order order_ = order::forward;
    uint64_t random_ = 0;
};

} // namespace wf::host
#endif
