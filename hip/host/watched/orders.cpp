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
    const bool is_fresh = found.knows.is_empty() && found.has_read.is_empty() && found.tells.is_empty();
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

void orders::passes_wave_barrier(uint32_t first_lane, uint32_t lanes) {
    if (!wave_barriers_order_ && used_.empty())
        return;
    clock all;
    for (uint32_t i = first_lane; i < first_lane + lanes; i++) {
        all.join(wave_barriers_order_ ? lanes_[i].knows : lanes_[i].tells);
        if (wave_barriers_order_)
            all.learn(now(i));
    }
    if (all.is_empty())
        return;
    for (uint32_t i = first_lane; i < first_lane + lanes; i++)
        (wave_barriers_order_ ? used(i).knows : used(i).has_read).join(all);
    time_++;
}

// What words told so far, this lane's and those that it knows of, lies before its fence.
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
    self.tells = all_know_;
    self.tells.join(self.knows);
    self.tells.learn(now(number));
    self.tells.learn_of_all(tile_, barrier_);
    fences_words(number);
    time_++;
}

void orders::system_fence(uint32_t number) {
    fence(number);
    lanes_[number].tells_host = lanes_[number].tells;
}

void orders::reads_word(uint32_t number, uintptr_t address) {
    const auto found = words_.find(address);
    if (found != words_.end() && !found->second.tells.is_empty())
        used(number).has_read.join(found->second.tells);
}

void orders::writes_word(uint32_t number, uintptr_t address) {
    word &found = words_[address];
    if (found.written.time == 0 || found.written.tile != tile_)
        unpassed_.push_back(address);
    found = {lanes_[number].tells, now(number), {}, 0};
}

void orders::updates_word(uint32_t number, uintptr_t address) {
    reads_word(number, address);
    if (!lanes_[number].tells.is_empty())
        words_[address].tells.join(lanes_[number].tells);
}

void orders::updates_in_order(uint32_t number, uintptr_t address) {
    fence(number);
    updates_word(number, address);
    fence(number);
}

bool orders::is_told(uintptr_t address, uint32_t tile) const {
    const auto found = words_.find(address);
    return found != words_.end() && found->second.written.time != 0 && found->second.written.tile == tile;
}

bool orders::told_before(uintptr_t address, const moment &then) const {
    const word &told = words_.at(address);
    return told.fenced.time != 0 && ((told.fenced.lane == then.lane && told.fenced.time < then.time) ||
                                     (told.passed != 0 && told.passed < then.time));
}

} // namespace wf::host::watch
