#include "device_shadow.hpp"

#include <algorithm>
#include <string>

namespace wf::host::watch {

namespace {

uintptr_t number_of(const void *address) {
    return reinterpret_cast<uintptr_t>(address);
}

void join(std::map<unsigned, unsigned> &known, const std::map<unsigned, unsigned> &more) {
    for (const auto &[tile, time] : more) {
        unsigned &here = known[tile];
        here = std::max(here, time);
    }
}

} // namespace

device_shadow::word &device_shadow::at(uintptr_t number) {
    const uintptr_t page_number = number / page_words;
    if (last_page_ == nullptr || last_number_ != page_number) {
        std::unique_ptr<page> &found = pages_[page_number];
        if (found == nullptr)
            found = std::make_unique<page>();
        last_page_ = found.get();
        last_number_ = page_number;
    }
    return last_page_->words[number % page_words];
}

void device_shadow::allocated(const void *memory, size_t bytes) {
    allocations_[number_of(memory)] = bytes;
    for (uintptr_t w = number_of(memory) / word_bytes; w < (number_of(memory) + bytes) / word_bytes; w++)
        at(w) = {0, true, {}, {}, {}};
}

void device_shadow::released(const void *memory) {
    const auto found = allocations_.find(number_of(memory));
    if (found == allocations_.end())
        return;
    written(memory, found->second);
    constexpr size_t page_bytes = page_words * word_bytes;
    const uintptr_t first = (found->first + page_bytes - 1) / page_bytes,
                    end = (found->first + found->second) / page_bytes;
    for (uintptr_t p = first; p < end; p++)
        pages_.erase(p);
    last_page_ = nullptr;
    allocations_.erase(found);
}

void device_shadow::written(const void *memory, size_t bytes) {
    if (bytes == 0)
        return;
    const uintptr_t end = (number_of(memory) + bytes - 1) / word_bytes + 1;
    for (uintptr_t w = number_of(memory) / word_bytes; w < end;) {
        const uintptr_t next = (w / page_words + 1) * page_words;
        const auto found = pages_.find(w / page_words);
        for (const uintptr_t last = next < end ? next : end; w < last; w++)
            if (found != pages_.end()) // else nobody has asked for it yet, and it counts as written
                found->second->words[w % page_words].is_undefined = false;
    }
}

void device_shadow::begins_launch() {
    launch_++;
    of_words_.clear();
}

void device_shadow::begins_tile(unsigned tile) {
    tile_ = tile;
    time_ = 1;
    known_.clear();
    to_be_known_.clear();
    told_.clear();
    has_told_ = false;
}

// Whether another tile did it, with nothing that orders that and what this tile does now.
bool device_shadow::is_apart(const doer &other) const {
    if (other.time == 0 || other.tile == tile_)
        return false;
    const auto found = known_.find(other.tile);
    return found == known_.end() || found->second < other.time;
}

std::string device_shadow::check(touch what, word &cell) {
    if (cell.launch != launch_)
        cell = {launch_, cell.is_undefined, {}, {}, {}};
    const auto apart = [](const doer &other, const char *did) {
        return ", which tile " + std::to_string(other.tile) + did +
               " in the same launch, with nothing that orders them";
    };
    const bool is_plain = what == touch::load || what == touch::store;
    std::string wrong;
    if (what != touch::store && cell.is_undefined)
        wrong = " of device memory, which nobody has written";
    else if (is_apart(cell.stored))
        wrong = apart(cell.stored, " has written");
    else if (is_plain && is_apart(cell.updated))
        wrong = apart(cell.updated, " has updated"); // who has updated it last may store there
    else if ((what == touch::store || what == touch::update) && is_apart(cell.read))
        wrong = apart(cell.read, " has read");

    const doer now = {tile_, time_};
    switch (what) {
    case touch::load:
        if (!is_apart(cell.read)) // else one reader is remembered for several
            cell.read = now;
        break;
    case touch::store:
        cell.stored = now;
        break;
    case touch::update:
        is_contended_ = is_contended_ || cell.updated.time != 0;
        cell.updated = now;
        break;
    case touch::whole_load: // which writes of the whole word do not disturb
        break;
    }
    if (what == touch::store || what == touch::update)
        cell.is_undefined = false;
    return wrong;
}

std::string device_shadow::touched(touch what, const void *address, size_t bytes) {
    std::string wrong;
    is_contended_ = false;
    const uintptr_t first = number_of(address) / word_bytes, last = (number_of(address) + bytes - 1) / word_bytes;
    for (uintptr_t w = first; w <= last; w++) {
        const std::string here = check(what, at(w));
        if (wrong.empty() && !here.empty()) {
            wrong = here;
            wrong_at_ = w == first ? address : reinterpret_cast<const void *>(w * word_bytes);
        }
    }
    return wrong;
}

std::string device_shadow::did(access what, const void *address, size_t bytes) {
    if (what != access::update)
        return touched(what == access::load ? touch::load : touch::store, address, bytes);
    join(to_be_known_, of_words_[number_of(address)]);
    if (has_told_)
        join(of_words_[number_of(address)], told_);
    return touched(touch::update, address, bytes);
}

void device_shadow::fence() {
    join(known_, to_be_known_);
    to_be_known_.clear();
    told_ = known_;
    told_[tile_] = time_++;
    has_told_ = true;
}

std::string device_shadow::word_read(const void *address) {
    const auto found = of_words_.find(number_of(address));
    if (found != of_words_.end())
        join(to_be_known_, found->second);
    return touched(touch::whole_load, address, sizeof(uint64_t));
}

std::string device_shadow::word_written(const void *address) {
    if (has_told_)
        of_words_[number_of(address)] = told_;
    else
        of_words_.erase(number_of(address));
    // A word that nobody has written becomes one that somebody has: no reason to complain.
    written(address, sizeof(uint64_t));
    return touched(touch::update, address, sizeof(uint64_t));
}

std::string device_shadow::update_in_order(const void *address, size_t bytes) {
    fence();
    clock &of_word = of_words_[number_of(address)];
    join(known_, of_word);
    join(of_word, told_);
    return touched(touch::update, address, bytes);
}

} // namespace wf::host::watch
