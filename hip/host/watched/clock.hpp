// What is known to have happened: up to which moment of each lane, or of all lanes of a tile. A vector clock that names
// only those of whom something is known (Flanagan and Freund 2009, "FastTrack").
#ifndef WAVEFOLD_HOST_WATCHED_CLOCK_HPP
#define WAVEFOLD_HOST_WATCHED_CLOCK_HPP

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wf::host::watch {

// When a lane did something. A tile's time goes on at its fences and barriers; 0: never in this launch.
struct moment {
    uint32_t tile = 0, lane = 0, time = 0;
};

// Copies share what they hold until one of them changes.
class clock {
  public:
    bool is_empty() const { return known_ == nullptr; }
    void clear() { known_.reset(); }
    // Of a lane, and of all lanes of a tile, everything up to that time.
    void learn(const moment &of_lane);
    void learn_of_all(uint32_t tile, uint32_t time);
    void join(const clock &more);
    bool covers(const moment &what) const;

  private:
    using entry = std::pair<uint64_t, uint32_t>; // whose time it is, and the time
    using entries = std::vector<entry>;          // sorted
    void learn(uint64_t whose, uint32_t time);

    std::shared_ptr<entries> known_;
};

} // namespace wf::host::watch
#endif
