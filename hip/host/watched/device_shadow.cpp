#include "device_shadow.hpp"

#include "../emulator/machine.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace wf::host::watch {

device_shadow::word device_shadow::fresh(uint32_t launch, bool is_undefined) {
    word made = {};
    made.launch = launch & launch_mask;
    made.is_undefined = is_undefined ? 1 : 0;
    return made;
}

// ---- Pages ----------------------------------------------------------------------------------------------------------

device_shadow::page *device_shadow::make_page(uintptr_t number) {
    while (pages_.size() >= most_pages_ && !oldest_.empty()) {
        compact(oldest_.front());
        oldest_.pop_front();
    }
    auto made = std::make_unique<page>();
    const auto some = undefined_.find(number);
    if (unwritten_.erase(number) != 0) {
        for (word &each : made->words)
            each.is_undefined = 1;
    } else if (some != undefined_.end()) {
        for (size_t w = 0; w < page_words; w++)
            made->words[w].is_undefined = some->second[w] ? 1 : 0;
        undefined_.erase(some);
    }
    if (most_pages_ != SIZE_MAX)
        oldest_.push_back(number);
    return pages_.emplace(number, std::move(made)).first->second.get();
}

device_shadow::word &device_shadow::at(uintptr_t number) {
    const uintptr_t page_number = number / page_words;
    if (last_page_ == nullptr || last_number_ != page_number) {
        const auto found = pages_.find(page_number);
        last_page_ = found != pages_.end() ? found->second.get() : make_page(page_number);
        last_number_ = page_number;
    }
    return last_page_->words[number % page_words];
}

// Keeps of a page only which words were never written.
void device_shadow::compact(uintptr_t number) {
    const auto found = pages_.find(number);
    if (found == pages_.end())
        return;
    std::bitset<page_words> undefined;
    for (size_t w = 0; w < page_words; w++)
        undefined[w] = found->second->words[w].is_undefined != 0;
    pages_.erase(found);
    last_page_ = nullptr;
    if (undefined.all())
        unwritten_.insert(number);
    else if (undefined.any())
        undefined_[number] = undefined;
}

void device_shadow::compact_all() {
    for (const uintptr_t number : oldest_)
        compact(number);
    oldest_.clear();
}

// Calls use(number, first, end) for the words of each page.
template <class Use>
static void for_each_page(uintptr_t first, uintptr_t end, uintptr_t page_words, const Use &use) {
    for (uintptr_t w = first; w < end;) {
        const uintptr_t number = w / page_words, last = std::min((number + 1) * page_words, end);
        use(number, w, last);
        w = last;
    }
}

// Makes no page: arrays may be large, or many.
void device_shadow::set_undefined(uintptr_t first, uintptr_t end, bool is_undefined) {
    for_each_page(first, end, page_words, [&](uintptr_t number, uintptr_t from, uintptr_t to) {
        const auto found = pages_.find(number);
        if (found != pages_.end()) {
            for (uintptr_t w = from; w < to; w++)
                found->second->words[w % page_words].is_undefined = is_undefined ? 1 : 0;
        } else if (to - from == page_words) {
            undefined_.erase(number);
            if (is_undefined)
                unwritten_.insert(number);
            else
                unwritten_.erase(number);
        } else if (is_undefined || unwritten_.count(number) + undefined_.count(number) != 0) {
            std::bitset<page_words> &some = undefined_[number];
            if (unwritten_.erase(number) != 0)
                some.set();
            for (uintptr_t w = from; w < to; w++)
                some[w % page_words] = is_undefined;
        }
    });
}

// Of the words of one page: the first one that was never written, or end.
uintptr_t device_shadow::first_undefined(uintptr_t first, uintptr_t end) const {
    const uintptr_t number = first / page_words;
    const auto found = pages_.find(number);
    const auto some = undefined_.find(number);
    if (found == pages_.end() && some == undefined_.end())
        return unwritten_.count(number) != 0 ? first : end;
    for (uintptr_t w = first; w < end; w++)
        if (found != pages_.end() ? found->second->words[w % page_words].is_undefined != 0
                                  : some->second[w % page_words])
            return w;
    return end;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

void device_shadow::allocated(const void *memory, size_t bytes) {
    allocations_[number_of(memory)] = bytes;
    const uintptr_t first = number_of(memory) / word_bytes, end = (number_of(memory) + bytes) / word_bytes;
    set_undefined(first, end, true);
    for_each_page(first, end, page_words, [&](uintptr_t number, uintptr_t from, uintptr_t to) {
        const auto found = pages_.find(number); // with accesses to earlier memory
        for (uintptr_t w = from; found != pages_.end() && w < to; w++)
            found->second->words[w % page_words] = fresh(0, true);
    });
}

void device_shadow::released(const void *memory) {
    shared_.erase(number_of(memory));
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
    if (bytes != 0)
        set_undefined(number_of(memory) / word_bytes, (number_of(memory) + bytes - 1) / word_bytes + 1, false);
}

void device_shadow::unwritten(const void *memory, size_t bytes) {
    set_undefined((number_of(memory) + word_bytes - 1) / word_bytes, (number_of(memory) + bytes) / word_bytes, true);
}

const void *device_shadow::first_unwritten(const void *memory, size_t bytes) const {
    const void *found = nullptr;
    for_each_page(number_of(memory) / word_bytes, (number_of(memory) + bytes) / word_bytes, page_words,
                  [&](uintptr_t, uintptr_t from, uintptr_t to) {
                      const uintptr_t first = found == nullptr ? first_undefined(from, to) : to;
                      if (first != to)
                          found = reinterpret_cast<const void *>(first * word_bytes);
                  });
    return found;
}

// ---- Accesses -------------------------------------------------------------------------------------------------------

bool device_shadow::is_shared(uintptr_t address) const {
    const auto next = shared_.upper_bound(address);
    return next != shared_.begin() && address < std::prev(next)->second;
}

void device_shadow::begins_launch(unsigned lanes_of_tile) {
    lanes_ = lanes_of_tile;
    launch_ = (launch_ + 1) & launch_mask;
    if (pages_.size() > most_pages_ / 4) // accesses of earlier launches no longer count
        compact_all();
    orders_.begins_launch();
    for_host_.clear();
    host_notified_ = {};
}

void device_shadow::begins_tile(unsigned tile) {
    orders_.begins_tile(tile, lanes_);
    replaceable_.begins_tile(lanes_);
}

void device_shadow::passes_tile_barrier() {
    orders_.passes_tile_barrier();
    replaceable_.passes_barrier(0, lanes_);
}

void device_shadow::passes_wave_barrier(unsigned first_lane, uint64_t lanes) {
    orders_.passes_wave_barrier(first_lane, lanes);
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        replaceable_.passes_barrier(first_lane + unsigned(__builtin_ctzll(left)), 1);
}

// Whether the access was made in this launch, and nothing orders it before the lane's next one.
inline bool device_shadow::is_unordered(const past_access &other, unsigned lane) const {
    return other.time != 0 && !orders_.is_before(other.when(), lane);
}

// The earlier access that the new one races with, or null.
const device_shadow::past_access *device_shadow::race_of(word_access kind, const word &cell,
                                                         const past_access &now) const {
    const unsigned lane = now.lane;
    const auto meets = [&](const past_access &other) {
        return (other.bytes & now.bytes) != 0 && is_unordered(other, lane);
    };
    if (meets(cell.stored))
        return &cell.stored;
    const bool is_plain = kind == word_access::load || kind == word_access::store;
    // The lane that counted a ticket up last may reset it to 0 by a store (atomic.hpp).
    const past_access &last = cell.updated;
    const bool resets = kind == word_access::store && last.counts != 0 && last.time != 0 &&
                        last.tile == orders_.now(lane).tile && last.lane == lane;
    if (is_plain && !resets && !(kind == word_access::load && is_guess(now)))
        for (const past_access *each : {&cell.updated, &cell.also_updated})
            if (meets(*each))
                return each;
    if (kind != word_access::load && kind != word_access::whole_load)
        for (const past_access *each : {&cell.read, &cell.also_read})
            if ((kind == word_access::store || (each->is_whole == 0 && !is_guess(*each))) && meets(*each))
                return each;
    return nullptr;
}

// An old access of the same lane at the same time may have other bytes, which are kept.
void device_shadow::replace(past_access &old, past_access now) {
    if (old.tile == now.tile && old.time == now.time && old.lane == now.lane)
        now.bytes |= old.bytes;
    old = now;
}

void device_shadow::keep_read(word &cell, const past_access &now) const {
    const auto is_past = [&](const past_access &other) {
        return !is_unordered(other, now.lane) && (now.is_whole == 0 || other.is_whole != 0 || other.time == 0);
    };
    if (is_past(cell.read)) {
        replace(cell.read, now);
        if (is_past(cell.also_read))
            cell.also_read = {};
    } else if (is_past(cell.also_read) || (cell.also_read.tile != now.tile && cell.also_read.tile == cell.read.tile)) {
        replace(cell.also_read, now);
    }
}

void device_shadow::keep_update(word &cell, const past_access &now) const {
    if (is_unordered(cell.updated, now.lane) &&
        (cell.updated.tile != now.tile || !is_unordered(cell.also_updated, now.lane)))
        cell.also_updated = cell.updated;
    cell.updated = now;
}

void device_shadow::keep(word_access kind, word &cell, const past_access &now) {
    switch (kind) {
    case word_access::load:
    case word_access::whole_load:
        keep_read(cell, now);
        return;
    case word_access::store:
        replace(cell.stored, now);
        break;
    case word_access::update:
    case word_access::whole_store:
        is_contended_ = is_contended_ || cell.updated.time != 0;
        keep_update(cell, now);
        break;
    }
    cell.is_undefined = 0;
}

std::string device_shadow::name_of(const past_access &other, const word &cell) const {
    const char *const verb = &other == &cell.stored                              ? " has written"
                             : &other == &cell.read || &other == &cell.also_read ? " has read"
                                                                                 : " has updated";
    return ", which tile " + std::to_string(other.tile) + ", lane " + std::to_string(other.lane) + verb + " (" +
           watch::name_of(sites_[other.site]) + ") in the same launch, with nothing that orders them";
}

// The bytes of the word that an access has, as bits.
static unsigned bytes_of_word(uintptr_t word, uintptr_t address, size_t bytes) {
    constexpr uintptr_t word_bytes = 4;
    const uintptr_t first = word * word_bytes, before = address > first ? address - first : 0,
                    end = std::min(word_bytes, address + bytes - first);
    return (1u << end) - (1u << before);
}

std::string device_shadow::check(accessor by, word_access kind, const void *address, size_t bytes) {
    std::string finding;
    is_contended_ = races_with_update_ = false;
    const moment when = orders_.now(by.lane);
    past_access now = {};
    now.tile = when.tile;
    now.time = when.time;
    static_assert(largest_tile <= lane_mask + 1);
    now.lane = when.lane & lane_mask;
    now.site = sites_.number_of(by.at) & sites::largest;
    now.is_whole = kind == word_access::whole_load || kind == word_access::whole_store ? 1 : 0;
    now.counts = kind == word_access::update ? 1 : 0;
    if (kind == word_access::load)
        last_loads_[next_load_++ % last_loads_.size()] = {address, by.lane, now.site};
    const uintptr_t first = number_of(address) / word_bytes, last = (number_of(address) + bytes - 1) / word_bytes;
    for (uintptr_t w = first; w <= last; w++) {
        word &cell = at(w);
        if (cell.launch != launch_)
            cell = fresh(launch_, cell.is_undefined != 0);
        now.bytes = bytes_of_word(w, number_of(address), bytes) & 15;
        const bool reads = kind != word_access::store && kind != word_access::whole_store;
        const past_access *const other = race_of(kind, cell, now);
        if (finding.empty() && ((reads && cell.is_undefined != 0) || other != nullptr)) {
            finding =
                reads && cell.is_undefined != 0 ? " of device memory, which was never written" : name_of(*other, cell);
            finding_at_ = w == first ? address : reinterpret_cast<const void *>(w * word_bytes);
            races_with_update_ = kind == word_access::load && cell.is_undefined == 0 &&
                                 (other == &cell.updated || other == &cell.also_updated);
        }
        keep(kind, cell, now);
    }
    if (kind != word_access::store || shared_.empty() || !is_shared(number_of(address)))
        return finding;
    for_host_[number_of(address)] = now;
    if (!finding.empty() || host_notified_.time == 0)
        return finding;
    finding_at_ = address;
    return ", which the host reads, after lane " + std::to_string(host_notified_.lane) + " of tile " +
           std::to_string(host_notified_.tile) + " has notified it that all is there";
}

std::string device_shadow::accesses(accessor by, access kind, const void *address, size_t bytes) {
    if (kind == access::update)
        orders_.updates_word(by.lane, number_of(address));
    return check(by,
                 kind == access::load    ? word_access::load
                 : kind == access::store ? word_access::store
                                         : word_access::update,
                 address, bytes);
}

void device_shadow::excuse_load(unsigned lane, const void *address, size_t bytes) {
    const moment now = orders_.now(lane);
    for (const plain_load &each : last_loads_)
        if (each.address == address && each.lane == lane)
            guesses_.insert(each.site);
    for (uintptr_t w = number_of(address) / word_bytes; w <= (number_of(address) + bytes - 1) / word_bytes; w++)
        for (past_access word::*which : {&word::read, &word::also_read}) {
            past_access &load = at(w).*which;
            if (load.time == now.time && load.tile == now.tile && load.lane == now.lane)
                load.is_whole = 1;
        }
}

void device_shadow::fence(unsigned lane) {
    orders_.fence(lane);
    replaceable_.fence(lane);
}

void device_shadow::system_fence(unsigned lane) {
    orders_.system_fence(lane);
    replaceable_.fence(lane);
}

std::string device_shadow::word_read(accessor by, const void *address) {
    orders_.reads_word(by.lane, number_of(address));
    const std::string finding = check(by, word_access::whole_load, address, sizeof(uint64_t));
    if (!finding.empty())
        return finding;
    finding_at_ = address;
    return replaceable_.reads_word(by.lane, number_of(address), orders_, sites_);
}

std::string device_shadow::word_written(accessor by, const void *address) {
    orders_.writes_word(by.lane, number_of(address));
    return check(by, word_access::whole_store, address, sizeof(uint64_t));
}

std::string device_shadow::update_in_order(accessor by, const void *address, size_t bytes) {
    orders_.updates_in_order(by.lane, number_of(address));
    return check(by, word_access::update, address, bytes);
}

std::string device_shadow::replaceable_read(accessor by, const void *address, size_t bytes) {
    replaceable_.reads(by.lane, by.at);
    std::string finding;
    for (uintptr_t w = number_of(address) / word_bytes; w <= (number_of(address) + bytes - 1) / word_bytes; w++) {
        const word &cell = at(w);
        if (cell.is_undefined != 0 && finding.empty()) {
            finding = " of device memory, which was never written";
            finding_at_ = address;
        }
        if (cell.launch == launch_ && is_unordered(cell.stored, by.lane))
            replaceable_.was_replaced(by.lane, cell.stored.when(), cell.stored.site);
    }
    return finding;
}

std::string device_shadow::notifies_host(unsigned lane) {
    host_notified_ = orders_.now(lane);
    for (const auto &[address, stored] : for_host_)
        if (!orders_.is_before_host(stored.when(), lane))
            return " notifies the host of a result that tile " + std::to_string(stored.tile) + ", lane " +
                   std::to_string(stored.lane) + " has written (" + watch::name_of(sites_[stored.site]) +
                   "), with no system fence between";
    return "";
}

} // namespace wf::host::watch
