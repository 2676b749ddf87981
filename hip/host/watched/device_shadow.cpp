#include "device_shadow.hpp"

#include "../emulator/machine.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace wf::host::watch {

device_shadow::word device_shadow::fresh(uint32_t launch, bool is_undefined) {
    word made = {};
    made.launch = launch & launches;
    made.is_undefined = is_undefined ? 1 : 0;
    return made;
}

device_shadow::word &device_shadow::at(uintptr_t number) {
    const uintptr_t page_number = number / page_words;
    if (last_page_ == nullptr || last_number_ != page_number) {
        auto found = pages_.find(page_number);
        if (found == pages_.end()) {
            auto made = std::make_unique<page>();
            if (unwritten_.count(page_number) != 0)
                for (word &each : made->words)
                    each.is_undefined = 1;
            found = pages_.emplace(page_number, std::move(made)).first;
            unwritten_.erase(page_number);
        }
        last_page_ = found->second.get();
        last_number_ = page_number;
    }
    return last_page_->words[number % page_words];
}

void device_shadow::allocated(const void *memory, size_t bytes) {
    allocations_[number_of(memory)] = bytes;
    last_page_ = nullptr;
    const uintptr_t end = (number_of(memory) + bytes) / word_bytes;
    for (uintptr_t w = number_of(memory) / word_bytes; w < end;) {
        if (w % page_words == 0 && end - w >= page_words) {
            pages_.erase(w / page_words);
            unwritten_.insert(w / page_words);
            w += page_words;
        } else {
            at(w++) = fresh(0, true);
        }
    }
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
    if (bytes == 0)
        return;
    const uintptr_t end = (number_of(memory) + bytes - 1) / word_bytes + 1;
    for (uintptr_t w = number_of(memory) / word_bytes; w < end;) {
        const uintptr_t number = w / page_words, next = (number + 1) * page_words, last = next < end ? next : end;
        if (last - w == page_words)
            unwritten_.erase(number);
        // A page that is neither counts as written.
        if (pages_.count(number) != 0 || unwritten_.count(number) != 0)
            for (; w < last; w++)
                at(w).is_undefined = 0;
        w = last;
    }
}

const void *device_shadow::first_unwritten(const void *memory, size_t bytes) {
    const uintptr_t end = (number_of(memory) + bytes) / word_bytes;
    for (uintptr_t w = number_of(memory) / word_bytes; w < end; w++)
        if (at(w).is_undefined != 0)
            return reinterpret_cast<const void *>(w * word_bytes);
    return nullptr;
}

bool device_shadow::is_shared(uintptr_t address) const {
    const auto next = shared_.upper_bound(address);
    return next != shared_.begin() && address < std::prev(next)->second;
}

void device_shadow::begins_launch(unsigned lanes_of_tile) {
    lanes_ = lanes_of_tile;
    launch_ = (launch_ + 1) & launches;
    orders_.begins_launch();
    for_host_.clear();
    told_host_ = {};
}

void device_shadow::begins_tile(unsigned tile) {
    orders_.begins_tile(tile, lanes_);
    replaceable_.begins_tile(lanes_);
}

void device_shadow::passes_tile_barrier() {
    orders_.passes_tile_barrier();
    replaceable_.passes_barrier(0, lanes_);
}

void device_shadow::passes_wave_barrier(unsigned first_lane, unsigned lanes) {
    orders_.passes_wave_barrier(first_lane, lanes);
    replaceable_.passes_barrier(first_lane, lanes);
}

// Whether somebody else did it, with nothing that orders that and what this lane does now.
inline bool device_shadow::is_apart(const doer &other, unsigned lane) const {
    return other.time != 0 && !orders_.is_before(other.when(), lane);
}

// Who did what the lane may not do beside that.
const device_shadow::doer *device_shadow::race_of(touch what, const word &cell, const doer &now) const {
    const unsigned lane = now.lane;
    const auto meets = [&](const doer &other) { return (other.bytes & now.bytes) != 0 && is_apart(other, lane); };
    if (meets(cell.stored))
        return &cell.stored;
    const bool is_plain = what == touch::load || what == touch::store;
    // Whoever counted a ticket up last may put it back to 0 by a store (atomic.hpp).
    const doer &last = cell.updated;
    const bool puts_back = what == touch::store && last.counts != 0 && last.time != 0 &&
                           last.tile == orders_.now(lane).tile && last.lane == lane;
    if (is_plain && !puts_back)
        for (const doer *each : {&cell.updated, &cell.also_updated})
            if (meets(*each))
                return each;
    if (what != touch::load && what != touch::whole_load)
        for (const doer *each : {&cell.read, &cell.also_read})
            if ((what == touch::store || each->is_whole == 0) && meets(*each))
                return each;
    return nullptr;
}

// In place of the same lane's, which may have done it to other bytes.
void device_shadow::put(doer &in, doer now) {
    if (in.tile == now.tile && in.time == now.time && in.lane == now.lane)
        now.bytes |= in.bytes;
    in = now;
}

void device_shadow::remember_reader(word &cell, const doer &now) const {
    const auto is_past = [&](const doer &other) {
        return !is_apart(other, now.lane) && (now.is_whole == 0 || other.is_whole != 0 || other.time == 0);
    };
    if (is_past(cell.read)) {
        put(cell.read, now);
        if (is_past(cell.also_read))
            cell.also_read = {};
    } else if (is_past(cell.also_read) || (cell.also_read.tile != now.tile && cell.also_read.tile == cell.read.tile)) {
        put(cell.also_read, now);
    }
}

void device_shadow::remember_update(word &cell, const doer &now) const {
    if (is_apart(cell.updated, now.lane) && (cell.updated.tile != now.tile || !is_apart(cell.also_updated, now.lane)))
        cell.also_updated = cell.updated;
    cell.updated = now;
}

void device_shadow::remember(touch what, word &cell, const doer &now) {
    switch (what) {
    case touch::load:
    case touch::whole_load:
        remember_reader(cell, now);
        return;
    case touch::store:
        put(cell.stored, now);
        break;
    case touch::update:
    case touch::whole_store:
        is_contended_ = is_contended_ || cell.updated.time != 0;
        remember_update(cell, now);
        break;
    }
    cell.is_undefined = 0;
}

std::string device_shadow::name_of(const doer &other, const word &cell) const {
    const char *const did = &other == &cell.stored                              ? " has written"
                            : &other == &cell.read || &other == &cell.also_read ? " has read"
                                                                                : " has updated";
    return ", which tile " + std::to_string(other.tile) + ", lane " + std::to_string(other.lane) + did + " (" +
           watch::name_of(sites_[other.site]) + ") in the same launch, with nothing that orders them";
}

// Bits: which bytes of the word an access has.
static unsigned bytes_of_word(uintptr_t word, uintptr_t address, size_t bytes) {
    constexpr uintptr_t word_bytes = 4;
    const uintptr_t first = word * word_bytes, before = address > first ? address - first : 0,
                    end = std::min(word_bytes, address + bytes - first);
    return (1u << end) - (1u << before);
}

std::string device_shadow::touched(actor who, touch what, const void *address, size_t bytes) {
    std::string wrong;
    is_contended_ = false;
    const moment when = orders_.now(who.lane);
    doer now = {};
    now.tile = when.tile;
    now.time = when.time;
    static_assert(largest_tile <= lanes_told + 1);
    now.lane = when.lane & lanes_told;
    now.site = sites_.number_of(who.at) & sites::largest;
    now.is_whole = what == touch::whole_load || what == touch::whole_store ? 1 : 0;
    now.counts = what == touch::update ? 1 : 0;
    const uintptr_t first = number_of(address) / word_bytes, last = (number_of(address) + bytes - 1) / word_bytes;
    for (uintptr_t w = first; w <= last; w++) {
        word &cell = at(w);
        if (cell.launch != launch_)
            cell = fresh(launch_, cell.is_undefined != 0);
        now.bytes = bytes_of_word(w, number_of(address), bytes) & 15;
        const bool reads = what != touch::store && what != touch::whole_store;
        const doer *const other = race_of(what, cell, now);
        if (wrong.empty() && ((reads && cell.is_undefined != 0) || other != nullptr)) {
            wrong =
                reads && cell.is_undefined != 0 ? " of device memory, which nobody has written" : name_of(*other, cell);
            wrong_at_ = w == first ? address : reinterpret_cast<const void *>(w * word_bytes);
        }
        remember(what, cell, now);
    }
    if (what != touch::store || shared_.empty() || !is_shared(number_of(address)))
        return wrong;
    for_host_[number_of(address)] = now;
    if (!wrong.empty() || told_host_.time == 0)
        return wrong;
    wrong_at_ = address;
    return ", which the host reads, after lane " + std::to_string(told_host_.lane) + " of tile " +
           std::to_string(told_host_.tile) + " has told it that all is there";
}

std::string device_shadow::did(actor who, access what, const void *address, size_t bytes) {
    if (what == access::update)
        orders_.updates_word(who.lane, number_of(address));
    return touched(who,
                   what == access::load    ? touch::load
                   : what == access::store ? touch::store
                                           : touch::update,
                   address, bytes);
}

void device_shadow::fence(unsigned lane) {
    orders_.fence(lane);
    replaceable_.fence(lane);
}

void device_shadow::system_fence(unsigned lane) {
    orders_.system_fence(lane);
    replaceable_.fence(lane);
}

std::string device_shadow::word_read(actor who, const void *address) {
    orders_.reads_word(who.lane, number_of(address));
    const std::string wrong = touched(who, touch::whole_load, address, sizeof(uint64_t));
    if (!wrong.empty())
        return wrong;
    wrong_at_ = address;
    return replaceable_.reads_word(who.lane, number_of(address), orders_, sites_);
}

std::string device_shadow::word_written(actor who, const void *address) {
    orders_.writes_word(who.lane, number_of(address));
    return touched(who, touch::whole_store, address, sizeof(uint64_t));
}

std::string device_shadow::update_in_order(actor who, const void *address, size_t bytes) {
    orders_.updates_in_order(who.lane, number_of(address));
    return touched(who, touch::update, address, bytes);
}

std::string device_shadow::replaceable_read(actor who, const void *address, size_t bytes) {
    replaceable_.did(who.lane, who.at);
    std::string wrong;
    for (uintptr_t w = number_of(address) / word_bytes; w <= (number_of(address) + bytes - 1) / word_bytes; w++) {
        const word &cell = at(w);
        if (cell.is_undefined != 0 && wrong.empty()) {
            wrong = " of device memory, which nobody has written";
            wrong_at_ = address;
        }
        if (cell.launch == launch_ && is_apart(cell.stored, who.lane))
            replaceable_.was_replaced(who.lane, cell.stored.when(), cell.stored.site);
    }
    return wrong;
}

std::string device_shadow::host_told(unsigned lane) {
    told_host_ = orders_.now(lane);
    for (const auto &[address, stored] : for_host_)
        if (!orders_.host_is_told(stored.when(), lane))
            return " tells the host of a result that tile " + std::to_string(stored.tile) + ", lane " +
                   std::to_string(stored.lane) + " has written (" + watch::name_of(sites_[stored.site]) +
                   "), with no system fence between";
    return "";
}

} // namespace wf::host::watch
