

#include "scheduler.hpp"

#include <cstring>

namespace wf::host {

void scheduler::meet(wave_part &part, bool is_barrier, const char *file, int line) {
    running_->part = &part;
    gatherings_[running_->wave].parts++;
    wait(is_barrier ? lane_state::at_wave_barrier : lane_state::at_shuffle, file, line);
    const watch::meeting kind = is_barrier ? watch::meeting::wave_barrier : watch::meeting::shuffle;
    const unsigned self = running_->number % launch_->wave_width;
    if (unsigned(__builtin_popcountll(part.lanes)) == gatherings_[running_->wave].lanes)
        watch::meets(kind, part.value, part.bytes, running_->number - self + part.from);
    else
        watch::meets_in_part(kind, unsigned(__builtin_ctzll(part.lanes)) == self);
}

unsigned scheduler::count_at_tile_barrier(bool mine, const char *file, int line) {
    wave_part part;
    part.vote = mine;
    running_->part = &part;
    wait(lane_state::at_tile_barrier, file, line);
    return unsigned(part.votes);
}

// For the lanes that a tile barrier releases.
void scheduler::count_votes() {
    unsigned votes = 0;
    for (unsigned i = 0; i < launch_->tile_size; i++)
        votes += lanes_[i].part != nullptr && lanes_[i].part->vote ? 1 : 0;
    for (unsigned i = 0; i < launch_->tile_size; i++)
        if (wave_part *const part = std::exchange(lanes_[i].part, nullptr); part != nullptr)
            part->votes = votes;
}

bool scheduler::has_returned(unsigned lane_of_wave) const {
    const unsigned number = running_->wave * launch_->wave_width + lane_of_wave;
    return number < launch_->tile_size && lanes_[number].state == lane_state::finished;
}

void scheduler::note_return(const lane &returned, const lane &waiting) {
    if (note_.empty())
        note_ = "lane " + std::to_string(returned.number) + " has returned, and counts as arrived at " +
                line_of_source(waiting.file, waiting.line) +
                ": NVIDIA's GPUs since Volta allow that, older ones and others do not";
}

// Gives each lane the votes, and the value that it wants. first: the wave's first lane.
void scheduler::pass_part(unsigned first, uint64_t lanes) {
    uint64_t votes = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const auto i = unsigned(__builtin_ctzll(left));
        votes |= uint64_t(lanes_[first + i].part->vote) << i;
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        wave_part &part = *lanes_[first + unsigned(__builtin_ctzll(left))].part;
        part.lanes = lanes;
        part.votes = votes;
        const auto value_of = [&](unsigned i) { return lanes_[first + i].part->value; };
        if (part.got != nullptr && part.has_got())
            std::memcpy(part.got, value_of(part.from), part.bytes);
        for (uint64_t others = part.all != nullptr ? lanes : 0; others != 0; others &= others - 1) {
            const auto i = unsigned(__builtin_ctzll(others));
            std::memcpy(part.all + i * part.bytes, value_of(i), part.bytes);
        }
    }
}

// The wave's other lanes go on waiting.
void scheduler::release_some(gathering &wave, unsigned first, uint64_t lanes) {
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        lane &each = lanes_[first + unsigned(__builtin_ctzll(left))];
        if (std::exchange(each.part, nullptr) != nullptr)
            wave.parts--;
        wave.waiting--;
        each.state = lane_state::running; // no longer one that waits; it runs in the next batch
        batch_.push_back(&each);
    }
    wave.first = nullptr;
    wave.is_together = true;
    for (unsigned i = 0; i < wave.lanes; i++) {
        const lane &each = lanes_[first + i];
        if (each.state == lane_state::running || each.state == lane_state::finished)
            continue;
        if (wave.first == nullptr)
            wave.first = &each;
        wave.is_together &= same_meeting_point(*wave.first, each);
    }
}

// Lane i of the wave waits with a mask: releases the lanes of the mask if they all wait with it.
bool scheduler::release_part(gathering &wave, unsigned first, unsigned i) {
    const lane &self = lanes_[first + i];
    const uint64_t all = wave.lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << wave.lanes) - 1;
    uint64_t there = 0;
    const lane *returned = nullptr;
    for (uint64_t left = self.part->mask & all; left != 0; left &= left - 1) {
        const auto k = unsigned(__builtin_ctzll(left));
        const lane &other = lanes_[first + k];
        if (other.state == lane_state::finished && launch_->returned_lanes_arrive)
            returned = &other;
        else if (same_part(self, other))
            there |= uint64_t(1) << k;
        else
            return false;
    }
    if (returned != nullptr)
        note_return(*returned, self);
    if (self.state == lane_state::at_wave_barrier)
        passed_.push_back(there);
    pass_part(first, there);
    release_some(wave, first, there);
    return true;
}

// Of the lanes without a mask, releases those that wait at the place which is the first one in the source.
bool scheduler::release_first_place(gathering &wave, unsigned first) {
    const auto waits = [&](unsigned i) {
        const lane &each = lanes_[first + i];
        return each.part != nullptr && each.part->mask == 0 && each.state != lane_state::at_tile_barrier;
    };
    const lane *earliest = nullptr;
    for (unsigned i = 0; i < wave.lanes; i++) {
        const lane &each = lanes_[first + i];
        if (waits(i) && (earliest == nullptr || (same_file(earliest->file, each.file) && each.line < earliest->line)))
            earliest = &each;
    }
    if (earliest == nullptr)
        return false;
    uint64_t lanes = 0;
    for (unsigned i = 0; i < wave.lanes; i++)
        lanes |= uint64_t(waits(i) && same_meeting_point(*earliest, lanes_[first + i])) << i;
    if (earliest->state == lane_state::at_wave_barrier)
        passed_.push_back(lanes);
    pass_part(first, lanes);
    release_some(wave, first, lanes);
    return true;
}

void scheduler::release_parts(unsigned number) {
    gathering &wave = gatherings_[number];
    const unsigned first = number * launch_->wave_width;
    bool is_any = false;
    passed_.clear();
    for (unsigned i = 0; i < wave.lanes && wave.parts != 0; i++)
        if (lanes_[first + i].part != nullptr && lanes_[first + i].part->mask != 0)
            is_any |= release_part(wave, first, i);
    if (!is_any && wave.parts != 0)
        release_first_place(wave, first);
}

// Releases the lanes that wait at one tile barrier, if all others have returned.
bool scheduler::release_rest_of_tile() {
    const lane *waiting = nullptr, *returned = nullptr;
    for (unsigned i = 0; i < launch_->tile_size; i++) {
        const lane &each = lanes_[i];
        if (each.state == lane_state::finished)
            returned = &each;
        else if (each.state != lane_state::at_tile_barrier ||
                 (waiting != nullptr && !same_meeting_point(*waiting, each)))
            return false;
        else
            waiting = &each;
    }
    if (waiting == nullptr || returned == nullptr)
        return false;
    note_return(*returned, *waiting);
    if (waiting->part != nullptr)
        count_votes();
    for (unsigned w = 0; w < gatherings_.size(); w++) {
        const unsigned first = w * launch_->wave_width;
        uint64_t lanes = 0;
        for (unsigned i = 0; i < gatherings_[w].lanes; i++)
            lanes |= uint64_t(lanes_[first + i].state != lane_state::finished) << i;
        if (lanes != 0)
            release_some(gatherings_[w], first, lanes);
    }
    return true;
}

} // namespace wf::host
