// What a trial found out, as JSON for the program `wavefold`.
#ifndef WAVEFOLD_HOST_TRY_ANSWER_HPP
#define WAVEFOLD_HOST_TRY_ANSWER_HPP

#include "wavefold_watch.h"

#include <string>
#include <vector>

namespace wf::tried {

// Of one sum.
struct attempt {
    size_t n = 0;
    const char *schedule = "";
    bool has_finding = false;
};

struct answer {
    std::string kernel;
    unsigned wave_width = 0, tile_size = 0;
    size_t elements_per_tile = 0;
    unsigned tiles = 0;
    unsigned checked = 0; // sums
    bool is_wrong = false;
    attempt wrong; // the first one
    double expected = 0, got = 0;
    struct finding {
        attempt at;
        std::string text;
    };
    std::vector<finding> findings; // one for each place
    size_t counted_n = 0;          // of the sum that was counted; 0: none was
    wf_watch counted = {};
    attempt now;
    std::string stopped; // why; "": it ended by itself
};

// Adds a finding of the present sum: of each sum its first one, of each line of the source one, and not too many.
void add_finding(answer &to, const std::string &text);

std::string as_json(const answer &what);

} // namespace wf::tried
#endif
