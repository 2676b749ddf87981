// Reads of what another tile may replace meanwhile (read_replaceable() of atomic.hpp): right only if what was read is
// thrown away wherever it had been replaced. So a word that is read afterwards must say that, on every GPU:
//
//   here   the reader passes a fence, and if another lane reads the word, a barrier as well
//   there  who replaces has told so by that word, and passed a fence, before (orders.hpp)
#ifndef WAVEFOLD_HOST_WATCHED_REPLACEABLE_READS_HPP
#define WAVEFOLD_HOST_WATCHED_REPLACEABLE_READS_HPP

#include "orders.hpp"
#include "sites.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wf::host::watch {

class replaceable_reads {
  public:
    void begins_tile(uint32_t lanes);
    void did(uint32_t lane, const site &at);
    // What the lane has read had been replaced then, there in the source.
    void was_replaced(uint32_t lane, const moment &then, uint32_t site);
    void fence(uint32_t lane);
    void passes_barrier(uint32_t first_lane, uint32_t lanes);

    // Each returns what is wrong, or "".
    std::string reads_word(uint32_t lane, uintptr_t word, const orders &known, const sites &places);
    std::string ends(uint32_t lane, const sites &places) const;

  private:
    enum class step { none, read, fenced, passed };
    struct reader {
        step is = step::none;
        site at;
        // Who had replaced it: a lane of a tile, when that was first, and where it stands.
        std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> replaced;
    };
    std::vector<reader> readers_; // by lane
    uint32_t open_ = 0;           // of them that have read
};

} // namespace wf::host::watch
#endif
