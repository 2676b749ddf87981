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

uint64_t key_of(const deed &what) {
    const auto file = reinterpret_cast<uintptr_t>(what.at.file);
    const uint64_t place = uint64_t(what.at.line) << 32 | uint64_t(what.at.column) << 8 | uint64_t(what.what) << 6 |
                           uint64_t(what.in_tile) << 5;
    return (place ^ what.bytes * 0xbf58476d1ce4e5b9u) * 0x9e3779b97f4a7c15u ^ file;
}

// How many different units of so many bytes some accesses touch.
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

// Passes beyond those of as many words that lie in as many banks as can be. Each half of a wave of 64 takes its own.
uint64_t extra_passes(std::vector<uint64_t> &scratch, uint64_t lanes, const std::array<uint64_t, 64> &address,
                      uint32_t bytes) {
    uint64_t extra = 0;
    for (const uint64_t half : {lanes & UINT32_MAX, lanes >> 32 << 32}) {
        const uint64_t words = units(scratch, half, address, bytes, bank_bytes);
        std::array<uint64_t, banks> asked = {};
        for (uint64_t i = 0; i < words; i++)
            asked[scratch[i] % banks]++;
        extra += *std::max_element(asked.begin(), asked.end()) - (words + banks - 1) / banks;
    }
    return extra;
}

} // namespace

const char *name_of(const deed &what) {
    switch (what.what) {
    case access::load:
        return what.in_tile ? "tile load" : "load";
    case access::store:
        return what.in_tile ? "tile store" : "store";
    case access::update:
        break;
    }
    return what.in_tile ? "tile update" : "update";
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
    here_ = &places_[shape.kernel];
    index_.clear();
    for (size_t i = 0; i < here_->size(); i++)
        index_[key_of((*here_)[i].what)] = i;
    last_ = 0;
    waves_.resize((shape.tile_size + shape.wave_width - 1) / shape.wave_width);
}

void counts::start_places(place_counts &place) const {
    place.passed.assign(shape_.tile_size, 0);
    place.waves.assign(waves_.size(), {});
}

void counts::begins_tile(unsigned tile) {
    tile_ = tile;
    step_.assign(shape_.tile_size, 0);
    for (std::vector<step_of_wave> &steps : waves_)
        steps.clear();
    for (place_counts &place : *here_)
        start_places(place);
}

counts::place_counts &counts::at(const deed &what) {
    const uint64_t key = key_of(what);
    if (last_ < here_->size() && key_of((*here_)[last_].what) == key)
        return (*here_)[last_];
    const auto found = index_.find(key);
    if (found != index_.end()) {
        last_ = found->second;
        return (*here_)[last_];
    }
    place_counts fresh = {what, {}, {}, {}};
    put(fresh.line.kernel, shape_.kernel);
    put(fresh.line.file, file_of(what.at));
    put(fresh.line.what, name_of(what));
    fresh.line.line = what.at.line;
    fresh.line.column = what.at.column;
    start_places(fresh);
    // Where memory is short, index and places still agree: other lanes go on.
    if (here_->size() == here_->capacity())
        here_->reserve(2 * here_->size() + 1);
    index_.emplace(key, here_->size());
    last_ = here_->size();
    here_->push_back(std::move(fresh));
    return (*here_)[last_];
}

void counts::did(unsigned lane, const deed &what, uint64_t address) {
    place_counts &place = at(what);
    const unsigned wave = lane / shape_.wave_width, in_wave = lane % shape_.wave_width;
    wave_at_place &here = place.waves[wave];
    const uint64_t turn = place.passed[lane]++ - here.done;
    while (here.waiting.size() <= turn)
        here.waiting.emplace_back();
    together &group = here.waiting[turn];
    group.lanes |= uint64_t(1) << in_wave;
    group.address[in_wave] = address;
    while (!here.waiting.empty() && here.waiting.front().lanes == whole_wave(wave)) {
        count(place, here.waiting.front());
        here.waiting.pop_front();
        here.done++;
    }
    std::vector<step_of_wave> &steps = waves_[wave];
    if (steps.size() <= step_[lane])
        steps.resize(step_[lane] + 1);
    steps[step_[lane]].active |= uint64_t(1) << in_wave;
}

void counts::count(place_counts &place, const together &group) {
    static thread_local std::vector<uint64_t> scratch;
    const auto lanes = uint64_t(std::popcount(group.lanes)), bytes = lanes * place.what.bytes;
    wf_launch_counts &all = launches_.back();
    place.line.accesses++;
    place.line.lanes += lanes;
    place.line.bytes += bytes;
    if (place.what.in_tile) {
        const uint64_t extra = extra_passes(scratch, group.lanes, group.address, place.what.bytes);
        wf_tile_accesses &sum = place.what.what == access::load ? all.tile_loads : all.tile_stores;
        sum.accesses++;
        sum.lanes += lanes;
        sum.bytes += bytes;
        sum.extra_passes += extra;
        place.line.extra_passes += extra;
        return;
    }
    if (place.what.what == access::update) {
        all.updates += lanes;
        return;
    }
    const auto lines = [&](uint64_t unit) {
        return units(scratch, group.lanes, group.address, place.what.bytes, unit);
    };
    wf_device_accesses &sum = place.what.what == access::load ? all.loads : all.stores;
    sum.accesses++;
    sum.lanes += lanes;
    sum.bytes += bytes;
    sum.lines_32 += lines(32);
    sum.lines_64 += lines(64);
    sum.lines_128 += lines(128);
    place.line.lines_128 += lines(128);
}

void counts::meets(unsigned lane, meeting what) {
    const unsigned wave = lane / shape_.wave_width, in_wave = lane % shape_.wave_width;
    std::vector<step_of_wave> &steps = waves_[wave];
    if (steps.size() <= step_[lane])
        steps.resize(step_[lane] + 1);
    step_of_wave &step = steps[step_[lane]];
    step.ends = what;
    if (what == meeting::shuffle)
        step.active |= uint64_t(1) << in_wave;
    step_[lane]++;
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
                // Of waves that part, the first one that goes on says it.
                if (s < waves_[w].size() && (ends == meeting::end || waves_[w][s].ends == meeting::tile_barrier))
                    ends = waves_[w][s].ends;
            }
            put(step.ends, endings[int(ends)]);
            steps_.push_back(step);
        }
    for (place_counts &place : *here_)
        for (wave_at_place &wave : place.waves)
            for (const together &group : wave.waiting)
                count(place, group);
}

void counts::note(unsigned lane, const char *what, const std::string &array, uint64_t index, const void *value,
                  uint32_t bytes) {
    wf_watch_event event = {};
    event.launch = uint32_t(launches_.size() - 1);
    event.tile = tile_;
    event.step = step_[lane];
    event.lane = lane;
    put(event.what, what);
    put(event.array, array);
    event.index = index;
    std::memcpy(&event.value, value, std::min<size_t>(bytes, sizeof event.value));
    event.bytes = bytes;
    events_.push_back(event);
}

wf_watch counts::all() {
    lines_.clear();
    for (const auto &[kernel, places] : places_)
        for (const place_counts &place : places)
            lines_.push_back(place.line);
    return {launches_.data(), launches_.size(), steps_.data(),  steps_.size(),
            lines_.data(),    lines_.size(),    events_.data(), events_.size()};
}

} // namespace wf::host::watch
