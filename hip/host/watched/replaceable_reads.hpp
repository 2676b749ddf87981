// Reads of elements that another tile may replace meanwhile (read_replaceable() of atomic.hpp). The reader must discard
// an element that had been replaced, so a word that it reads afterwards must show that, on every GPU:
//
//   the reading tile    the reader passes a fence; if another lane reads the word, they also meet at a barrier
//   the replacing tile  writes that word, then passes a fence, and then replaces the element (orders.hpp)
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
    void reads(uint32_t lane, const site &at);
    // The element that the lane reads was replaced: when, and at which site.
    void was_replaced(uint32_t lane, const moment &then, uint32_t site);
    void fence(uint32_t lane);
    void passes_barrier(uint32_t first_lane, uint32_t lanes);

    // Each returns a finding, or "".
    std::string reads_word(uint32_t lane, uintptr_t word, const orders &known, const sites &sites);
    std::string ends(uint32_t lane, const sites &sites) const;

  private:
    enum class step { none, read, fenced, passed };
    struct reader {
        step last = step::none;
        site at;
        // By tile and lane: the time and the site of its first replacement.
        std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> replaced;
    };
    std::vector<reader> readers_; // by lane
    uint32_t open_ = 0;           // readers that have read
};

} // namespace wf::host::watch
#endif
