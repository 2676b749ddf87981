// What a user calls the order in which the host device runs lanes.
#ifndef WAVEFOLD_HOST_SCHEDULE_NAME_HPP
#define WAVEFOLD_HOST_SCHEDULE_NAME_HPP

#include "emulator/machine.hpp"

#include <cstdlib>
#include <string>

namespace wf::host {

// "forward" or nothing, "reverse", "random" or "random=SEED"; false for anything else.
inline bool parse_schedule(const std::string &text, schedule *found) {
    if (text.empty() || text == "forward") {
        found->lanes = order::forward;
        return true;
    }
    if (text == "reverse") {
        found->lanes = order::reverse;
        return true;
    }
    if (text == "random") {
        found->lanes = order::random;
        return true;
    }
    const std::string prefix = "random=";
    const std::string digits = text.compare(0, prefix.size(), prefix) == 0 ? text.substr(prefix.size()) : "";
    if (digits.empty() || digits.size() > 19 || digits.find_first_not_of("0123456789") != std::string::npos)
        return false;
    *found = {order::random, std::strtoull(digits.c_str(), nullptr, 10)};
    return true;
}

} // namespace wf::host
#endif
