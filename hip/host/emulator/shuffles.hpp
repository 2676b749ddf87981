// Shuffles and ballots of the lanes of a tile.
#ifndef WAVEFOLD_HOST_EMULATOR_SHUFFLES_HPP
#define WAVEFOLD_HOST_EMULATOR_SHUFFLES_HPP

#include "lane.hpp"
#include "scheduler.hpp"
#include "tile_report.hpp"

#include <cstring>
#include <memory>

namespace wf::host {

// The values that the lanes of a tile offer to their waves, in two slots in turn: a lane that runs ahead to the next
// shuffle does not overwrite a value that others still read. Words have slots of their own, so that those of a wave are
// in few cache lines.
struct shuffle_slots {
    alignas(8) unsigned char words[2][largest_tile][8];
    alignas(shuffle_bytes) unsigned char larger[2][largest_tile][shuffle_bytes];

    unsigned char *at(unsigned parity, unsigned lane, size_t bytes) {
        return bytes <= sizeof words[0][0] ? words[parity][lane] : larger[parity][lane];
    }
};

// The functions of lane.hpp, for the lane that runs.
class shuffles {
  public:
    explicit shuffles(tile_report &report) : slots_(new shuffle_slots), report_(report) {}

    const void *exchange(scheduler &lanes, const void *mine, size_t bytes, unsigned width, unsigned from,
                         const char *file, int line);
    uint64_t ballot(scheduler &lanes, bool mine, unsigned width, const char *file, int line);
    bool agrees(scheduler &lanes, bool mine, unsigned width, const char *file, int line);

  private:
    void offer(lane &self, const void *mine, size_t bytes);
    // In functions of their own: strings would enlarge the frames of all lanes that wait, which the cache holds.
    __attribute__((cold)) void report_source(const scheduler &lanes, unsigned source, unsigned width, const char *file,
                                             int line);
    __attribute__((cold)) void report_loop(unsigned number, bool goes_on, unsigned other, const char *file, int line);

    std::unique_ptr<shuffle_slots> slots_;
    tile_report &report_;
};

// Leaves the value where the wave finds it.
inline void shuffles::offer(lane &self, const void *mine, size_t bytes) {
    unsigned char *const slot = slots_->at(self.parity, self.number, bytes);
    self.parity ^= 1;
    switch (bytes) { // no call for a value that registers hold
    case 4:
        std::memcpy(slot, mine, 4);
        break;
    case 8:
        std::memcpy(slot, mine, 8);
        break;
    default:
        std::memcpy(slot, mine, bytes);
    }
}

__attribute__((always_inline)) inline const void *shuffles::exchange(scheduler &lanes, const void *mine, size_t bytes,
                                                                     unsigned width, unsigned from, const char *file,
                                                                     int line) {
    lane &self = lanes.running();
    unsigned source = (self.number & ~(width - 1)) + from;
    const unsigned wave_width = lanes.wave_width();
    const bool is_outside = ((source ^ self.number) & ~(wave_width - 1)) != 0 || source >= lanes.tile_size();
    if (is_outside || width > wave_width) {
        report_source(lanes, source, is_outside ? 0 : width, file, line);
        source = self.number;
    }
    const unsigned parity = self.parity;
    offer(self, mine, bytes);
    watch::meets(watch::meeting::shuffle, mine, bytes, source);
    lanes.wait(lane_state::at_shuffle, file, line);
    return slots_->at(parity, source, bytes);
}

inline uint64_t shuffles::ballot(scheduler &lanes, bool mine, unsigned width, const char *file, int line) {
    const lane &self = lanes.running();
    gathering &wave = lanes.wave_of(self);
    uint64_t &votes = wave.votes[self.parity];
    const unsigned at = self.number & (lanes.wave_width() - 1);
    if (wave.waiting == 0)
        votes = 0;
    votes |= uint64_t(mine) << at;
    // Lanes that the tile does not have vote no.
    exchange(lanes, &mine, sizeof mine, width, at & (width - 1), file, line);
    const uint64_t group = width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
    return votes >> (at & ~(width - 1)) & group;
}

// No instruction of a GPU, so the counts of watch.hpp do not include it.
inline bool shuffles::agrees(scheduler &lanes, bool mine, unsigned width, const char *file, int line) {
    lane &self = lanes.running();
    const unsigned number = self.number, first = number & ~(width - 1), parity = self.parity;
    offer(self, &mine, sizeof mine);
    lanes.wait(lane_state::at_shuffle, file, line);
    if ((*slots_->at(parity, first, sizeof mine) != 0) != mine)
        report_loop(number, mine, first, file, line);
    return mine;
}

} // namespace wf::host
#endif
