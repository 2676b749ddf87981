// What comes before what, in one launch: which moments of other lanes lie before what a lane of the present tile does.
//
//   a barrier of the tile   all that its lanes did before lies before all that they do behind it
//   a fence, and a word     what a lane did before a fence, and all that lies before that, lies before what another
//                           lane does that has read a word, which the first one wrote behind its fence, and has then
//                           passed a fence of its own (C++11's fences). Updates of a word pass on what others told
//   an update in order      a fence before it and one behind it
//   a barrier of the wave   tells as a word does that each lane writes and all lanes of the wave read: with fences on
//                           both sides it orders. It alone orders tile memory only (wave.hpp), unless it is said to
//   a shuffle               nothing
//
// Tiles run one after the other, so what is not of the present tile is known by what was told.
#ifndef WAVEFOLD_HOST_WATCHED_ORDERS_HPP
#define WAVEFOLD_HOST_WATCHED_ORDERS_HPP

#include "clock.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wf::host::watch {

class orders {
  public:
    // As CUDA's __syncwarp does: a barrier of a wave orders its lanes' accesses to device memory, too.
    void let_wave_barriers_order() { wave_barriers_order_ = true; }

    void begins_launch() { words_.clear(); }
    void begins_tile(uint32_t tile, uint32_t lanes);

    moment now(uint32_t lane) const { return {tile_, lane, time_}; }
    // Whether what was done then lies before what the lane does now.
    bool is_before(const moment &then, uint32_t lane) const {
        if (then.tile == tile_ && (then.lane == lane || then.time <= barrier_))
            return true;
        return all_know_.covers(then) || lanes_[lane].knows.covers(then);
    }

    void passes_tile_barrier();
    void passes_wave_barrier(uint32_t first_lane, uint32_t lanes);
    void fence(uint32_t lane);
    // For the host, too.
    void system_fence(uint32_t lane);
    // Whether what was done then lies before the lane's last fence for the host.
    bool host_is_told(const moment &then, uint32_t lane) const { return lanes_[lane].tells_host.covers(then); }

    void reads_word(uint32_t lane, uintptr_t word);
    void writes_word(uint32_t lane, uintptr_t word);
    void updates_word(uint32_t lane, uintptr_t word);
    void updates_in_order(uint32_t lane, uintptr_t word);

    // Whether that tile was the last one to write the word.
    bool is_told(uintptr_t word, uint32_t tile) const;
    // Whether another tile that told something by the word passed a fence between that and what it did then. Which lane
    // does not matter, if a barrier of the tile leads from the fence to what was done.
    bool told_before(uintptr_t word, const moment &then) const;

  private:
    struct lane_orders {
        clock knows;    // beside what all lanes of the tile do
        clock has_read; // what it knows behind its next fence
        clock tells;    // by words, as of its last fence
        clock tells_host;
    };
    struct word {
        clock tells;
        moment written, fenced; // fenced: the first fence behind that, by a lane that knows of it
        uint32_t passed = 0;    // the first barrier of the tile behind the fence
    };
    lane_orders &used(uint32_t number);
    void fences_words(uint32_t lane);

    uint32_t tile_ = 0, time_ = 1;
    uint32_t barrier_ = 0; // up to this time all lanes of the tile know of each other
    clock all_know_;
    std::vector<lane_orders> lanes_;
    std::vector<uint32_t> used_;      // those that are not as they began
    std::vector<uintptr_t> unpassed_; // words of this tile that no barrier of it follows yet
    std::unordered_map<uintptr_t, word> words_;
    bool wave_barriers_order_ = false;
};

} // namespace wf::host::watch
#endif
