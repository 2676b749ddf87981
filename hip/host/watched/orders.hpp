// The order of accesses in one launch: which moments of other lanes lie before the next access of a lane of the present
// tile.
//
//   a barrier of the tile   all accesses of its lanes before it lie before all of theirs behind it
//   a fence, and a word     Lane A passes a fence, then writes a word. Lane B reads the word, then passes a fence of
//                           its own. All that lies before A's fence lies before B's accesses behind its fence (C++11's
//                           fences). An update of a word also passes on the orders of earlier writes
//   an update in order      a fence before it and one behind it
//   a barrier of the wave   orders as a word that each lane writes and all lanes of the wave read: only between two
//                           fences. Alone it orders tile memory only (wave.hpp), except after let_wave_barriers_order()
//   a shuffle               nothing
//
// Tiles run one after the other, so accesses of other tiles are known only by words and updates.
#ifndef WAVEFOLD_HOST_WATCHED_ORDERS_HPP
#define WAVEFOLD_HOST_WATCHED_ORDERS_HPP

#include "clock.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wf::host::watch {

class orders {
  public:
    // As CUDA's __syncwarp: a barrier of a wave orders its lanes' accesses to device memory, too.
    void let_wave_barriers_order() { wave_barriers_order_ = true; }
    // As in CUDA's own examples: a lane needs no fence behind an atomic update to see what lies before a fence ahead of
    // an earlier update. On GPUs later reads do not overtake an update whose result they depend on.
    void let_updates_order() { updates_order_ = true; }

    void begins_launch() { words_.clear(); }
    void begins_tile(uint32_t tile, uint32_t lanes);

    moment now(uint32_t lane) const { return {tile_, lane, time_}; }
    // Whether the access lies before the lane's next one.
    bool is_before(const moment &then, uint32_t lane) const {
        if (then.tile == tile_ && (then.lane == lane || then.time <= barrier_))
            return true;
        return all_know_.covers(then) || lanes_[lane].knows.covers(then);
    }

    void passes_tile_barrier();
    // lanes: bit i is lane first_lane + i.
    void passes_wave_barrier(uint32_t first_lane, uint64_t lanes);
    void fence(uint32_t lane);
    // Orders for the host, too.
    void system_fence(uint32_t lane);
    // Whether the access lies before the lane's last fence for the host.
    bool is_before_host(const moment &then, uint32_t lane) const { return lanes_[lane].host_knows.covers(then); }

    void reads_word(uint32_t lane, uintptr_t word);
    void writes_word(uint32_t lane, uintptr_t word);
    void updates_word(uint32_t lane, uintptr_t word);
    void updates_in_order(uint32_t lane, uintptr_t word);

    // Whether the tile was the last one to write the word.
    bool is_written_by(uintptr_t word, uint32_t tile) const;
    // Whether the tile that wrote the word passed a fence between that and its access. Any lane's fence counts, if a
    // barrier of the tile leads from it to the access.
    bool is_fenced_before(uintptr_t word, const moment &then) const;

  private:
    struct lane_orders {
        clock knows;     // in addition to the moments that all lanes of the tile know
        clock has_read;  // known from its next fence on
        clock publishes; // by words, as of its last fence
        clock host_knows;
    };
    struct word {
        clock published;        // known to a lane that reads the word and passes a fence
        moment written, fenced; // fenced: the first fence behind the write, by a lane that knows of it
        uint32_t passed = 0;    // the first barrier of the tile behind that fence
    };
    lane_orders &used(uint32_t number);
    void fences_words(uint32_t lane);

    uint32_t tile_ = 0, time_ = 1;
    uint32_t barrier_ = 0; // up to this time all lanes of the tile know of each other's accesses
    clock all_know_;
    std::vector<lane_orders> lanes_;
    std::vector<uint32_t> used_;      // lanes that are no longer in their first state
    std::vector<uintptr_t> unpassed_; // words that this tile wrote since its last barrier
    std::unordered_map<uintptr_t, word> words_;
    bool wave_barriers_order_ = false, updates_order_ = false;
};

} // namespace wf::host::watch
#endif
