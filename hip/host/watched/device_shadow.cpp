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
    allocations_.erase(found);
}

void device_shadow::written(const void *memory, size_t bytes) {
    if (bytes == 0)
        return;
    for (uintptr_t w = number_of(memory) / word_bytes; w <= (number_of(memory) + bytes - 1) / word_bytes; w++)
        at(w).is_undefined = false;
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

std::string device_shadow::check(access what, word &cell) {
    if (cell.launch != launch_)
        cell = {launch_, cell.is_undefined, {}, {}, {}};
    const auto apart = [](const doer &other, const char *did) {
        return ", which tile " + std::to_string(other.tile) + did +
               " in the same launch, with nothing that orders them";
    };
    std::string wrong;
    if (what != access::store && cell.is_undefined)
        wrong = " of device memory, which nobody has written";
    else if (is_apart(cell.stored))
        wrong = apart(cell.stored, " has written");
    else if (what != access::update && is_apart(cell.updated))
        wrong = apart(cell.updated, " has updated"); // who has updated it last may store there
    else if (what != access::load && is_apart(cell.read))
        wrong = apart(cell.read, " has read");

    const doer now = {tile_, time_};
    switch (what) {
    case access::load:
        if (!is_apart(cell.read)) // else one reader is remembered for several
            cell.read = now;
        break;
    case access::store:
        cell.stored = now;
        cell.is_undefined = false;
        break;
    case access::update:
        if (cell.updated.time != 0 && cell.updated.tile != tile_)
            contended_ = &cell;
        cell.updated = now;
        cell.is_undefined = false;
        break;
    }
    return wrong;
}

std::string device_shadow::did(access what, const void *address, size_t bytes) {
    contended_ = nullptr;
    std::string wrong;
    const uintptr_t first = number_of(address) / word_bytes, last = (number_of(address) + bytes - 1) / word_bytes;
    for (uintptr_t w = first; w <= last; w++) {
        const std::string here = check(what, at(w));
        if (wrong.empty())
            wrong = here;
    }
    if (what == access::update) {
        join(to_be_known_, of_words_[number_of(address)]);
        if (has_told_)
            join(of_words_[number_of(address)], told_);
        if (contended_ != nullptr)
            contended_ = address;
    }
    return wrong;
}

void device_shadow::fence() {
    join(known_, to_be_known_);
    to_be_known_.clear();
    told_ = known_;
    told_[tile_] = time_++;
    has_told_ = true;
}

void device_shadow::word_read(const void *address) {
    const auto found = of_words_.find(number_of(address));
    if (found != of_words_.end())
        join(to_be_known_, found->second);
}

void device_shadow::word_written(const void *address) {
    if (has_told_)
        of_words_[number_of(address)] = told_;
    else
        of_words_.erase(number_of(address));
    written(address, sizeof(uint64_t));
}

void device_shadow::update_in_order(const void *address) {
    fence();
    clock &of_word = of_words_[number_of(address)];
    join(known_, of_word);
    join(of_word, told_);
}

} // namespace wf::host::watch
