// Numbers for places in the source, for records that are too small for a place.
#ifndef WAVEFOLD_HOST_WATCHED_SITES_HPP
#define WAVEFOLD_HOST_WATCHED_SITES_HPP

#include "../emulator/watch.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace wf::host::watch {

// "05_tiled_3.hip:21"
inline std::string name_of(const site &at) {
    const std::string path = at.file;
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(at.line);
}

class sites {
  public:
    static constexpr uint32_t largest = (1u << 16) - 1;
    // One number per place. Places beyond the largest number share that one.
    uint32_t number_of(const site &at) {
        if (!all_.empty() && is_same(all_[last_], at))
            return last_;
        if (all_.size() == all_.capacity()) // first: if memory is short, each number still has its place
            all_.reserve(2 * all_.size() + 1);
        const auto [found, is_new] = numbers_.emplace(std::tuple(at.file, at.line, at.column), uint32_t(all_.size()));
        if (is_new && all_.size() > largest)
            found->second = largest;
        else if (is_new)
            all_.push_back(at);
        return last_ = found->second;
    }
    const site &operator[](uint32_t number) const { return all_[number]; }

  private:
    static bool is_same(const site &a, const site &b) {
        return a.file == b.file && a.line == b.line && a.column == b.column;
    }

    std::vector<site> all_;
    std::map<std::tuple<const char *, uint32_t, uint32_t>, uint32_t> numbers_;
    uint32_t last_ = 0;
};

} // namespace wf::host::watch
#endif
