// What a launch's accesses come to: waves' accesses, lines of memory, passes of tile memory, steps.
//
// Lanes run one after the other, so which of them would have acted together is found afterwards: the k-th time that a
// lane passes a place in the source, it does so with the lanes of its wave that pass that place for the k-th time.
// Where lanes part and pass a place in different turns, that counts as fewer accesses than a GPU makes.
#ifndef WAVEFOLD_HOST_WATCHED_COUNTS_HPP
#define WAVEFOLD_HOST_WATCHED_COUNTS_HPP

#include "../emulator/watch.hpp"
#include "wavefold_watch.h"

#include <array>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace wf::host::watch {

// What is done at a place; each has a kind of memory, too.
struct deed {
    site at;
    access what;
    bool in_tile;
    uint32_t bytes;
};

const char *name_of(const deed &what);

class counts {
  public:
    explicit counts(bool keeps_events) : keeps_events_(keeps_events) {}

    void begins(const launch_shape &shape);
    void begins_tile(unsigned tile);
    void did(unsigned lane, const deed &what, uint64_t address);
    void meets(unsigned lane, meeting what);
    void ends_tile();
    // One more update of a word that others have updated in this launch, too.
    void collides() { launches_.back().collisions++; }
    void note(unsigned lane, const char *what, const std::string &array, uint64_t index, const void *value,
              uint32_t bytes);
    bool keeps_events() const { return keeps_events_; }

    // Valid until anything else is called.
    wf_watch all();

  private:
    // The lanes of a wave that passed a place for the same time.
    struct together {
        uint64_t lanes = 0;
        std::array<uint64_t, 64> address;
    };
    struct wave_at_place {
        std::deque<together> waiting; // the first one is number done
        uint64_t done = 0;
    };
    struct place_counts {
        deed what;
        wf_line_counts line;
        std::vector<uint64_t> passed; // by lane of the tile
        std::vector<wave_at_place> waves;
    };
    struct step_of_wave {
        uint64_t active = 0; // lanes
        meeting ends = meeting::end;
    };

    place_counts &at(const deed &what);
    void count(place_counts &place, const together &group);
    void start_places(place_counts &place) const;
    uint64_t whole_wave(unsigned wave) const;

    bool keeps_events_;
    launch_shape shape_ = {};
    unsigned tile_ = 0, tiles_begun_ = 0;
    std::vector<wf_launch_counts> launches_;
    std::vector<wf_step_counts> steps_;
    std::vector<wf_watch_event> events_;
    std::vector<wf_line_counts> lines_;
    std::map<std::string, std::vector<place_counts>> places_; // of each kernel, by the order in which they were met
    std::unordered_map<uint64_t, size_t> index_;              // of the present kernel's places
    std::vector<place_counts> *here_ = nullptr;
    size_t last_ = 0;            // the place that was met last: most often the next one
    std::vector<unsigned> step_; // of each lane of the tile
    std::vector<std::vector<step_of_wave>> waves_;
};

} // namespace wf::host::watch
#endif
