// The counts of a launch: accesses of waves, lines of memory, passes of tile memory, steps.
//
// Lanes run one after the other, so the accesses of a wave are put together afterwards: when a lane passes an access
// site for the k-th time, it does so together with the lanes of its wave that pass the site for the k-th time. Where
// lanes part and pass a site in different turns, that counts as fewer accesses than a GPU makes.
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

// A place in the source with a kind of access.
struct access_site {
    site at;
    access kind;
    bool in_tile;
    uint32_t bytes;
};

const char *name_of(const access_site &site);

class counts {
  public:
    explicit counts(bool keeps_events) : keeps_events_(keeps_events) {}

    void begins(const launch_shape &shape);
    void begins_tile(unsigned tile);
    void accesses(unsigned lane, const access_site &site, uint64_t address);
    void meets(unsigned lane, meeting kind);
    // Ends no step, so that the steps of a wave's lanes stay abreast. is_first: counts the meeting.
    void meets_in_part(unsigned lane, meeting kind, bool is_first);
    void ends_tile();
    // One more update of a word that was updated before in this launch.
    void collides() { launches_.back().collisions++; }
    void add_event(unsigned lane, const char *kind, const std::string &array, uint64_t index, const void *value,
                   uint32_t bytes);
    bool keeps_events() const { return keeps_events_; }

    // Valid until the next call.
    wf_watch all();

  private:
    // One access of a wave: the lanes that passed a site for the k-th time.
    struct wave_access {
        uint64_t lanes = 0;
        std::array<uint64_t, 64> address;
    };
    struct wave_at_site {
        std::deque<wave_access> incomplete; // the first one is number `complete`
        uint64_t complete = 0;
    };
    struct site_counts {
        access_site site;
        wf_line_counts line;
        std::vector<uint64_t> passed; // by lane of the tile
        std::vector<wave_at_site> waves;
    };
    struct step_of_wave {
        uint64_t active = 0; // lanes
        meeting ends = meeting::end;
    };

    site_counts &at(const access_site &site);
    void count(site_counts &counted, const wave_access &group);
    void start(site_counts &fresh) const;
    uint64_t whole_wave(unsigned wave) const;

    bool keeps_events_;
    launch_shape shape_ = {};
    unsigned tile_ = 0, tiles_begun_ = 0;
    std::vector<wf_launch_counts> launches_;
    std::vector<wf_step_counts> steps_;
    std::vector<wf_watch_event> events_;
    std::vector<wf_line_counts> lines_;
    std::map<std::string, std::vector<site_counts>> sites_; // of each kernel, in the order of their first accesses
    std::unordered_map<uint64_t, size_t> index_;            // in here_, by key
    std::vector<site_counts> *here_ = nullptr;              // the sites of the present kernel
    size_t last_ = 0;            // the site of the last access: most often that of the next one, too
    std::vector<unsigned> step_; // of each lane of the tile
    std::vector<std::vector<step_of_wave>> waves_;
};

} // namespace wf::host::watch
#endif
