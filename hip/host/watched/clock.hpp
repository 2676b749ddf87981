// A vector clock: the last known moment of each lane, or of all lanes of a tile. It has entries only for lanes of which
// something is known (Flanagan and Freund 2009, "FastTrack").
#ifndef WAVEFOLD_HOST_WATCHED_CLOCK_HPP
#define WAVEFOLD_HOST_WATCHED_CLOCK_HPP

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wf::host::watch {

// The time of an access. A tile's time advances at its fences and barriers; 0: never in this launch.
struct moment {
    uint32_t tile = 0, lane = 0, time = 0;
};

// Copies share their entries until one of them changes.
class clock {
  public:
    bool is_empty() const { return known_ == nullptr; }
    void clear() { known_.reset(); }
    // From now on the clock covers the lane, or all lanes of the tile, up to that time.
    void learn(const moment &of_lane);
    void learn_of_all(uint32_t tile, uint32_t time);
    void join(const clock &more);
    bool covers(const moment &of_lane) const;

  private:
    using entry = std::pair<uint64_t, uint32_t>; // a lane or a tile, and its time
    using entries = std::vector<entry>;          // sorted
    void learn(uint64_t key, uint32_t time);

    std::shared_ptr<entries> known_;
};

} // namespace wf::host::watch
#endif
