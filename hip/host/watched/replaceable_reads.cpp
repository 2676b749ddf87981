#include "replaceable_reads.hpp"

namespace wf::host::watch {

void replaceable_reads::begins_tile(uint32_t lanes) {
    if (open_ != 0 || readers_.size() < lanes)
        readers_.assign(lanes, {});
    open_ = 0;
}

void replaceable_reads::reads(uint32_t lane, const site &at) {
    reader &self = readers_[lane];
    open_ += self.last == step::none ? 1 : 0;
    self.last = step::read;
    self.at = at;
}

void replaceable_reads::was_replaced(uint32_t lane, const moment &then, uint32_t site) {
    const auto [found, is_new] =
        readers_[lane].replaced.emplace(std::pair(then.tile, then.lane), std::pair(then.time, site));
    if (!is_new && then.time < found->second.first)
        found->second = {then.time, site};
}

void replaceable_reads::fence(uint32_t lane) {
    if (open_ != 0 && readers_[lane].last == step::read)
        readers_[lane].last = step::fenced;
}

void replaceable_reads::passes_barrier(uint32_t first_lane, uint32_t lanes) {
    for (uint32_t i = first_lane; open_ != 0 && i < first_lane + lanes; i++)
        if (readers_[i].last == step::fenced)
            readers_[i].last = step::passed;
}

std::string replaceable_reads::reads_word(uint32_t lane, uintptr_t word, const orders &known, const sites &sites) {
    for (uint32_t i = 0; open_ != 0 && i < readers_.size(); i++) {
        reader &each = readers_[i];
        const std::string finding =
            ", to learn whether the element that lane " + std::to_string(i) + " has read (" + name_of(each.at) + ")";
        if (each.last == step::read || (each.last == step::fenced && i != lane))
            return finding + " was replaced, with no " +
                   (each.last == step::read ? "fence" : "barrier behind its fence") + " between";
        for (auto other = each.replaced.begin(); other != each.replaced.end();) {
            const auto &[by, when] = *other;
            if (!known.is_written_by(word, by.first)) {
                ++other;
                continue;
            }
            if (!known.is_fenced_before(word, {by.first, by.second, when.first}))
                return finding + " was replaced; tile " + std::to_string(by.first) + " has replaced it (" +
                       name_of(sites[when.second]) + ") with no fence between the word and that";
            other = each.replaced.erase(other);
        }
    }
    return "";
}

std::string replaceable_reads::ends(uint32_t lane, const sites &sites) const {
    if (open_ == 0 || readers_[lane].replaced.empty())
        return "";
    const auto &[by, when] = *readers_[lane].replaced.begin();
    return " has read an element that tile " + std::to_string(by.first) + " had replaced (" +
           name_of(sites[when.second]) + "), and no word that it read afterwards shows that (" +
           name_of(readers_[lane].at) + ")";
}

} // namespace wf::host::watch
