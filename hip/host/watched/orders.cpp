#include "orders.hpp"

namespace wf::host::watch {

void orders::begins_tile(uint32_t tile, uint32_t lanes) {
    tile_ = tile;
    time_ = 1;
    barrier_ = 0;
    all_know_.clear();
    for (const uint32_t each : used_)
        lanes_[each] = {};
    used_.clear();
    unpassed_.clear();
    if (lanes_.size() < lanes)
        lanes_.resize(lanes);
}

orders::lane_orders &orders::used(uint32_t number) {
    lane_orders &found = lanes_[number];
    const bool is_fresh = found.knows.is_empty() && found.has_read.is_empty() && found.publishes.is_empty();
    if (is_fresh)
        used_.push_back(number);
    return found;
}

void orders::passes_tile_barrier() {
    for (const uint32_t each : used_) {
        all_know_.join(lanes_[each].knows);
        lanes_[each].knows.clear();
    }
    for (const uintptr_t each : unpassed_) {
        word &found = words_[each];
        if (found.fenced.time != 0 && found.passed == 0)
            found.passed = time_;
    }
    barrier_ = time_++;
}

void orders::passes_wave_barrier(uint32_t first_lane, uint64_t lanes) {
    if (!wave_barriers_order_ && used_.empty())
        return;
    clock all;
    const auto of_lanes = [=](const auto &use) {
        for (uint64_t left = lanes; left != 0; left &= left - 1)
            use(first_lane + uint32_t(__builtin_ctzll(left)));
    };
    of_lanes([&](uint32_t i) {
        all.join(wave_barriers_order_ ? lanes_[i].knows : lanes_[i].publishes);
        if (wave_barriers_order_)
            all.learn(now(i));
    });
    if (all.is_empty())
        return;
    of_lanes([&](uint32_t i) { (wave_barriers_order_ ? used(i).knows : used(i).has_read).join(all); });
    time_++;
}

// The words written so far, by this lane or known to it, lie before its fence.
void orders::fences_words(uint32_t lane) {
    for (const uintptr_t each : unpassed_) {
        word &found = words_[each];
        if (found.fenced.time == 0 && (found.written.lane == lane || found.written.time <= barrier_))
            found.fenced = now(lane);
    }
}

void orders::fence(uint32_t number) {
    lane_orders &self = used(number);
    self.knows.join(self.has_read);
    self.has_read.clear();
    self.publishes = all_know_;
    self.publishes.join(self.knows);
    self.publishes.learn(now(number));
    self.publishes.learn_of_all(tile_, barrier_);
    fences_words(number);
    time_++;
}

void orders::system_fence(uint32_t number) {
    fence(number);
    lanes_[number].host_knows = lanes_[number].publishes;
}

void orders::reads_word(uint32_t number, uintptr_t address) {
    const auto found = words_.find(address);
    if (found != words_.end() && !found->second.published.is_empty())
        used(number).has_read.join(found->second.published);
}

void orders::writes_word(uint32_t number, uintptr_t address) {
    word &found = words_[address];
    if (found.written.time == 0 || found.written.tile != tile_)
        unpassed_.push_back(address);
    found = {lanes_[number].publishes, now(number), {}, 0};
}

void orders::updates_word(uint32_t number, uintptr_t address) {
    reads_word(number, address);
    lane_orders &self = lanes_[number];
    if (updates_order_ && !self.has_read.is_empty()) {
        self.knows.join(self.has_read);
        self.has_read.clear();
    }
    if (!self.publishes.is_empty())
        words_[address].published.join(self.publishes);
}

void orders::updates_in_order(uint32_t number, uintptr_t address) {
    fence(number);
    updates_word(number, address);
    fence(number);
}

bool orders::is_written_by(uintptr_t address, uint32_t tile) const {
    const auto found = words_.find(address);
    return found != words_.end() && found->second.written.time != 0 && found->second.written.tile == tile;
}

bool orders::is_fenced_before(uintptr_t address, const moment &then) const {
    const word &read = words_.at(address);
    return read.fenced.time != 0 && ((read.fenced.lane == then.lane && read.fenced.time < then.time) ||
                                     (read.passed != 0 && read.passed < then.time));
}

} // namespace wf::host::watch
