#include "counts.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace wf::host::watch {

namespace {

constexpr unsigned banks = 32, bank_bytes = 4;

template <size_t Size>
void put(char (&to)[Size], const std::string &text) {
    std::snprintf(to, Size, "%s", text.c_str());
}

std::string file_of(const site &at) {
    const std::string path = at.file;
    return path.substr(path.rfind('/') + 1);
}

uint64_t key_of(const access_site &site) {
    const auto file = reinterpret_cast<uintptr_t>(site.at.file);
    const uint64_t place = uint64_t(site.at.line) << 32 | uint64_t(site.at.column) << 8 | uint64_t(site.kind) << 6 |
                           uint64_t(site.in_tile) << 5;
    return (place ^ site.bytes * 0xbf58476d1ce4e5b9u) * 0x9e3779b97f4a7c15u ^ file;
}

// The number of different units (of `unit` bytes) that the accesses of some lanes touch.
uint64_t units(std::vector<uint64_t> &scratch, uint64_t lanes, const std::array<uint64_t, 64> &address, uint32_t bytes,
               uint64_t unit) {
    scratch.clear();
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t first = address[size_t(std::countr_zero(left))];
        for (uint64_t at = first / unit; at <= (first + bytes - 1) / unit; at++)
            scratch.push_back(at);
    }
    std::sort(scratch.begin(), scratch.end());
    return uint64_t(std::unique(scratch.begin(), scratch.end()) - scratch.begin());
}

// Passes beyond those that the same number of words needs if the banks share them evenly. Each half of a wave of 64
// takes its own.
uint64_t extra_passes(std::vector<uint64_t> &scratch, uint64_t lanes, const std::array<uint64_t, 64> &address,
                      uint32_t bytes) {
    uint64_t extra = 0;
    for (const uint64_t half : {lanes & UINT32_MAX, lanes >> 32 << 32}) {
        const uint64_t words = units(scratch, half, address, bytes, bank_bytes);
        std::array<uint64_t, banks> words_of_bank = {};
        for (uint64_t i = 0; i < words; i++)
            words_of_bank[scratch[i] % banks]++;
        extra += *std::max_element(words_of_bank.begin(), words_of_bank.end()) - (words + banks - 1) / banks;
    }
    return extra;
}

} // namespace

const char *name_of(const access_site &site) {
    switch (site.kind) {
    case access::load:
        return site.in_tile ? "tile load" : "load";
    case access::store:
        return site.in_tile ? "tile store" : "store";
    case access::update:
        break;
    }
    return site.in_tile ? "tile update" : "update";
}

uint64_t counts::whole_wave(unsigned wave) const {
    const unsigned lanes = std::min(shape_.wave_width, shape_.tile_size - wave * shape_.wave_width);
    return lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
}

void counts::begins(const launch_shape &shape) {
    shape_ = shape;
    tiles_begun_ = 0;
    wf_launch_counts fresh = {};
    put(fresh.kernel, shape.kernel);
    fresh.tiles = shape.tiles;
    fresh.tile_size = shape.tile_size;
    fresh.wave_width = shape.wave_width;
    launches_.push_back(fresh);
    here_ = &sites_[shape.kernel];
    index_.clear();
    for (size_t i = 0; i < here_->size(); i++)
        index_[key_of((*here_)[i].site)] = i;
    last_ = 0;
    waves_.resize((shape.tile_size + shape.wave_width - 1) / shape.wave_width);
}

void counts::start(site_counts &fresh) const {
    fresh.passed.assign(shape_.tile_size, 0);
    fresh.waves.assign(waves_.size(), {});
}

void counts::begins_tile(unsigned tile) {
    tile_ = tile;
    step_.assign(shape_.tile_size, 0);
    for (std::vector<step_of_wave> &steps : waves_)
        steps.clear();
    for (site_counts &each : *here_)
        start(each);
}

counts::site_counts &counts::at(const access_site &site) {
    const uint64_t key = key_of(site);
    if (last_ < here_->size() && key_of((*here_)[last_].site) == key)
        return (*here_)[last_];
    const auto found = index_.find(key);
    if (found != index_.end()) {
        last_ = found->second;
        return (*here_)[last_];
    }
    site_counts fresh = {site, {}, {}, {}};
    put(fresh.line.kernel, shape_.kernel);
    put(fresh.line.file, file_of(site.at));
    put(fresh.line.what, name_of(site));
    fresh.line.line = site.at.line;
    fresh.line.column = site.at.column;
    start(fresh);
    // Reserve first: if memory is short, index_ and the sites still agree, and other lanes go on.
    if (here_->size() == here_->capacity())
        here_->reserve(2 * here_->size() + 1);
    index_.emplace(key, here_->size());
    last_ = here_->size();
    here_->push_back(std::move(fresh));
    return (*here_)[last_];
}

void counts::accesses(unsigned lane, const access_site &site, uint64_t address) {
    site_counts &counted = at(site);
    const unsigned wave = lane / shape_.wave_width, in_wave = lane % shape_.wave_width;
    wave_at_site &here = counted.waves[wave];
    const uint64_t turn = counted.passed[lane]++ - here.complete;
    while (here.incomplete.size() <= turn)
        here.incomplete.emplace_back();
    wave_access &group = here.incomplete[turn];
    group.lanes |= uint64_t(1) << in_wave;
    group.address[in_wave] = address;
    while (!here.incomplete.empty() && here.incomplete.front().lanes == whole_wave(wave)) {
        count(counted, here.incomplete.front());
        here.incomplete.pop_front();
        here.complete++;
    }
    std::vector<step_of_wave> &steps = waves_[wave];
    if (steps.size() <= step_[lane])
        steps.resize(step_[lane] + 1);
    steps[step_[lane]].active |= uint64_t(1) << in_wave;
}

void counts::count(site_counts &counted, const wave_access &group) {
    static thread_local std::vector<uint64_t> scratch;
    const auto lanes = uint64_t(std::popcount(group.lanes)), bytes = lanes * counted.site.bytes;
    wf_launch_counts &all = launches_.back();
    counted.line.accesses++;
    counted.line.lanes += lanes;
    counted.line.bytes += bytes;
    if (counted.site.in_tile) {
        const uint64_t extra = extra_passes(scratch, group.lanes, group.address, counted.site.bytes);
        wf_tile_accesses &sum = counted.site.kind == access::load ? all.tile_loads : all.tile_stores;
        sum.accesses++;
        sum.lanes += lanes;
        sum.bytes += bytes;
        sum.extra_passes += extra;
        counted.line.extra_passes += extra;
        return;
    }
    if (counted.site.kind == access::update) {
        all.updates += lanes;
        return;
    }
    const auto lines = [&](uint64_t unit) {
        return units(scratch, group.lanes, group.address, counted.site.bytes, unit);
    };
    wf_device_accesses &sum = counted.site.kind == access::load ? all.loads : all.stores;
    sum.accesses++;
    sum.lanes += lanes;
    sum.bytes += bytes;
    sum.lines_32 += lines(32);
    sum.lines_64 += lines(64);
    sum.lines_128 += lines(128);
    counted.line.lines_128 += lines(128);
}

void counts::meets(unsigned lane, meeting kind) {
    const unsigned wave = lane / shape_.wave_width, in_wave = lane % shape_.wave_width;
    std::vector<step_of_wave> &steps = waves_[wave];
    if (steps.size() <= step_[lane])
        steps.resize(step_[lane] + 1);
    step_of_wave &step = steps[step_[lane]];
    step.ends = kind;
    if (kind == meeting::shuffle)
        step.active |= uint64_t(1) << in_wave;
    step_[lane]++;
}

void counts::meets_in_part(unsigned lane, meeting kind, bool is_first) {
    wf_launch_counts &all = launches_.back();
    if (is_first)
        (kind == meeting::shuffle ? all.shuffles : all.wave_barriers)++;
    std::vector<step_of_wave> &steps = waves_[lane / shape_.wave_width];
    if (steps.size() <= step_[lane])
        steps.resize(step_[lane] + 1);
    if (kind == meeting::shuffle)
        steps[step_[lane]].active |= uint64_t(1) << lane % shape_.wave_width;
}

void counts::ends_tile() {
    static const char *const endings[] = {"barrier", "wave barrier", "shuffle", "return"};
    wf_launch_counts &all = launches_.back();
    size_t most = 0;
    for (unsigned w = 0; w < waves_.size(); w++) {
        const uint64_t whole = whole_wave(w);
        most = std::max(most, waves_[w].size());
        for (const step_of_wave &step : waves_[w]) {
            all.steps_of_waves++;
            all.lane_steps += uint64_t(std::popcount(whole));
            all.active_lane_steps += uint64_t(std::popcount(step.active));
            all.divergent_steps += step.active != 0 && step.active != whole ? 1 : 0;
            all.wave_barriers += step.ends == meeting::wave_barrier ? 1 : 0;
            all.shuffles += step.ends == meeting::shuffle ? 1 : 0;
        }
    }
    // All waves pass the tile's barriers.
    for (const step_of_wave &step : waves_[0])
        all.tile_barriers += step.ends == meeting::tile_barrier ? 1 : 0;
    if (tiles_begun_++ == 0)
        for (uint32_t s = 0; s < most; s++) {
            wf_step_counts step = {};
            step.launch = uint32_t(launches_.size() - 1);
            step.step = s;
            meeting ends = meeting::end;
            for (unsigned w = 0; w < waves_.size(); w++) {
                const uint64_t whole = whole_wave(w), active = s < waves_[w].size() ? waves_[w][s].active : 0;
                step.lanes += uint32_t(std::popcount(whole));
                step.active_lanes += uint32_t(std::popcount(active));
                (active == 0 ? step.idle_waves : active == whole ? step.full_waves : step.divergent_waves)++;
                // Where waves part, the first one that goes on decides; a tile barrier has precedence.
                if (s < waves_[w].size() && (ends == meeting::end || waves_[w][s].ends == meeting::tile_barrier))
                    ends = waves_[w][s].ends;
            }
            put(step.ends, endings[int(ends)]);
            steps_.push_back(step);
        }
    for (site_counts &counted : *here_)
        for (wave_at_site &wave : counted.waves)
            for (const wave_access &group : wave.incomplete)
                count(counted, group);
}

void counts::add_event(unsigned lane, const char *kind, const std::string &array, uint64_t index, const void *value,
                       uint32_t bytes) {
    wf_watch_event event = {};
    event.launch = uint32_t(launches_.size() - 1);
    event.tile = tile_;
    event.step = step_[lane];
    event.lane = lane;
    put(event.what, kind);
    put(event.array, array);
    event.index = index;
    std::memcpy(&event.value, value, std::min<size_t>(bytes, sizeof event.value));
    event.bytes = bytes;
    events_.push_back(event);
}

wf_watch counts::all() {
    lines_.clear();
    for (const auto &[kernel, sites] : sites_)
        for (const site_counts &each : sites)
            lines_.push_back(each.line);
    return {launches_.data(), launches_.size(), steps_.data(),  steps_.size(),
            lines_.data(),    lines_.size(),    events_.data(), events_.size()};
}

} // namespace wf::host::watch
