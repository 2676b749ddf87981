// What a trial found out, as JSON for the program `wavefold`.
#ifndef WAVEFOLD_HOST_TRY_ANSWER_HPP
#define WAVEFOLD_HOST_TRY_ANSWER_HPP

#include "verdict/verdict.hpp"
#include "wavefold_watch.h"

#include <optional>
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
    const char *mode = "line"; // or "program": a main() of its own; "function": solve() and its kind
    std::string function;      // of the last
    std::string kernel;
    unsigned wave_width = 0, tile_size = 0;
    size_t elements_per_tile = 0;
    unsigned tiles = 0;
    bool adds = false;
    unsigned checked = 0; // sums
    bool is_wrong = false;
    attempt wrong; // the first one
    double expected = 0, got = 0;
    std::string hint; // what the wrong result equals, or ""
    struct finding {
        attempt at;
        std::string text;
    };
    std::vector<finding> findings; // one for each place
    std::vector<finding> notes;    // what broke no rule, but may surprise; one for each place
    size_t counted_n = 0;          // of the sum that was counted; 0: none was
    wf_watch counted = {};
    unsigned launches = 0, sampled_launches = 0; // sampled: only some tiles were checked
    std::optional<verdict::conclusion> judged;   // of a function's results
    std::vector<std::string> recognised;         // sentences on a program's results
    attempt now;
    std::string stopped; // why; "": it ended by itself
};

// Adds a finding of the present sum: of each sum its first one, of each line of the source one, and not too many.
void add_finding(answer &to, const std::string &text);
// Adds a finding of the host's code, of each line one; others of the sum do not hide it.
void add_host_finding(answer &to, const std::string &text);
// Each text once, and not too many.
void add_note(answer &to, const std::string &text);

void add_note(answer &to, const std::string &text);

std::string as_json(const answer &what);

} // namespace wf::tried
#endif
