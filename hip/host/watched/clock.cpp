#include "clock.hpp"

#include <algorithm>

namespace wf::host::watch {

namespace {

// Keys: the one for all lanes of a tile sorts before those of its lanes.
uint64_t all_of(uint32_t tile) {
    return uint64_t(tile) << 32;
}
uint64_t one_of(const moment &of_lane) {
    return all_of(of_lane.tile) + 1 + of_lane.lane;
}

template <class Entries>
auto find(Entries &known, uint64_t key) {
    return std::lower_bound(known.begin(), known.end(), key,
                            [](const auto &entry, uint64_t before) { return entry.first < before; });
}

} // namespace

void clock::learn(uint64_t key, uint32_t time) {
    if (known_ == nullptr)
        known_ = std::make_shared<entries>();
    else if (known_.use_count() > 1)
        known_ = std::make_shared<entries>(*known_);
    const auto at = find(*known_, key);
    if (at == known_->end() || at->first != key)
        known_->insert(at, {key, time});
    else
        at->second = std::max(at->second, time);
}

void clock::learn(const moment &of_lane) {
    learn(one_of(of_lane), of_lane.time);
}

void clock::learn_of_all(uint32_t tile, uint32_t time) {
    if (time != 0)
        learn(all_of(tile), time);
}

void clock::join(const clock &more) {
    if (more.known_ == known_ || more.is_empty())
        return;
    if (is_empty()) {
        known_ = more.known_;
        return;
    }
    const auto joined = std::make_shared<entries>();
    joined->reserve(known_->size() + more.known_->size());
    auto a = known_->begin(), b = more.known_->begin();
    while (a != known_->end() || b != more.known_->end()) {
        const bool takes_a = b == more.known_->end() || (a != known_->end() && a->first <= b->first);
        const bool takes_b = a == known_->end() || (b != more.known_->end() && b->first <= a->first);
        joined->push_back(
            {takes_a ? a->first : b->first, std::max(takes_a ? a->second : 0u, takes_b ? b->second : 0u)});
        if (takes_a)
            ++a;
        if (takes_b)
            ++b;
    }
    known_ = joined;
}

bool clock::covers(const moment &of_lane) const {
    if (is_empty())
        return false;
    auto at = find(*known_, all_of(of_lane.tile));
    if (at == known_->end())
        return false;
    if (at->first == all_of(of_lane.tile) && at->second >= of_lane.time)
        return true;
    at = find(*known_, one_of(of_lane));
    return at != known_->end() && at->first == one_of(of_lane) && at->second >= of_lane.time;
}

} // namespace wf::host::watch
