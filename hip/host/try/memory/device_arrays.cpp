#include "device_arrays.hpp"

#include "../../watched/watched.hpp"
#include "address_region.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>

namespace wf::tried {

address_range array_addresses;

namespace {

constexpr size_t alignment = 256, page_bytes = 4096; // as GPUs' runtimes align memory
constexpr size_t most_bytes = size_t(2) << 30;
constexpr size_t most_filled = size_t(64) << 20;
constexpr size_t most_watched_words = size_t(8) << 20; // their shadow takes 512 MiB

uintptr_t number_of(const void *address) {
    return reinterpret_cast<uintptr_t>(address);
}

size_t rounded_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Arrays of one region, and those that lie elsewhere: registered memory and variables. By address.
using table = std::map<uintptr_t, device_array>;

struct device_memory {
    device_memory(unsigned char *begin, size_t bytes)
        : closed(begin, bytes / 2), shared(begin + bytes / 2, bytes / 2) {}

    host::watched *device = nullptr;
    address_region closed, shared; // memory of cudaMalloc; memory that the host may access, too
    table arrays;
    size_t in_use = 0;
    unsigned opened = 0;
    device_array *last = nullptr, *last_but_one = nullptr; // found
};

device_memory &make_memory() {
    size_t bytes = size_t(64) << 30;
    unsigned char *const begin = reserve_addresses(bytes);
    array_addresses = {number_of(begin), bytes};
    return *new device_memory(begin, bytes);
}

device_memory &memory() {
    static device_memory &all = make_memory();
    return all;
}

bool is_in_region(const device_array &array) {
    return array_addresses.holds(array.data);
}

address_region &region_of(memory_kind kind) {
    return kind == memory_kind::device ? memory().closed : memory().shared;
}

// Room on each side of an array: at least a page, so that arrays share none. Many arrays get less room, so that their
// region holds them, and is opened fast.
size_t room_of(size_t bytes, const address_region &region) {
    const size_t taken = size_t(region.taken() - region.begin());
    const size_t least = taken < region.bytes() / 64  ? size_t(1) << 20
                         : taken < region.bytes() / 2 ? size_t(64) << 10
                                                      : page_bytes;
    return std::max(least, rounded_up(bytes, alignment));
}

// A range among the released arrays of the region, or nullptr. Their records are lost.
unsigned char *reuse(const address_region &region, size_t bytes) {
    table &arrays = memory().arrays;
    const auto first = arrays.lower_bound(number_of(region.begin())), end = arrays.lower_bound(number_of(region.end()));
    const size_t room = page_bytes;
    uintptr_t free_from = number_of(region.begin()) + room;
    for (auto at = first;; ++at) {
        while (at != end && at->second.is_released)
            ++at;
        const uintptr_t free_to = (at != end ? at->first : number_of(region.taken())) - room;
        if (free_to > free_from && free_to - free_from >= bytes) {
            arrays.erase(arrays.lower_bound(free_from), arrays.lower_bound(free_from + bytes));
            return reinterpret_cast<unsigned char *>(free_from);
        }
        if (at == end)
            return nullptr;
        free_from = rounded_up(at->first + at->second.bytes, alignment) + room;
    }
}

unsigned char *take(address_region &region, size_t bytes) {
    const size_t room = room_of(bytes, region), left = size_t(region.end() - region.taken());
    unsigned char *const data = region.taken() + room;
    if (bytes <= left && 2 * room + bytes <= left)
        return region.take_to(data + bytes + room) ? data : nullptr;
    return reuse(region, rounded_up(bytes, alignment));
}

device_array *remember(device_array *found) {
    if (found != memory().last) {
        memory().last_but_one = memory().last;
        memory().last = found;
    }
    return found;
}

void forget_found() {
    memory().last = memory().last_but_one = nullptr;
}

// The host may access it now. Memory that it shares with kernels is always open.
bool is_open(const address_region &region) {
    return &region == &memory().shared || memory().opened != 0;
}

bool watches(memory_kind kind) {
    return kind == memory_kind::device;
}

// For findings of the watched device.
bool look_up(const void *address, host::watched::named &found) {
    const device_array *const array = array_of(address);
    if (array == nullptr || !array->holds(address))
        return false;
    found = {array->name.c_str(), number_of(array->data), number_of(array->data) + array->bytes, array->element};
    return true;
}

} // namespace

void use_device(host::watched &device) {
    memory().device = &device;
    device.look_up_names_by(look_up);
    device.memory().keep_at_most(most_watched_words);
    device.memory().let_wave_barriers_order(); // __syncwarp
    device.memory().let_updates_order();
}

host::watched &device_in_use() {
    if (memory().device == nullptr)
        use_device(*new host::watched); // never destroyed, as kernels that were left behind may access it
    return *memory().device;
}

void *allocate_array(const char *name, size_t bytes, memory_kind kind, size_t element, const void *allocated_at) {
    device_memory &all = memory();
    if (bytes == 0 || bytes > most_bytes || all.in_use + bytes > most_bytes)
        return nullptr;
    address_region &region = region_of(kind);
    unsigned char *const before = region.taken(), *const data = take(region, bytes);
    if (data == nullptr)
        return nullptr;
    if (is_open(region) && !address_region::open(before, size_t(region.taken() - before)))
        return nullptr;
    if (bytes <= most_filled) { // some of the room, too: an element beyond the end is NaN
        const size_t beside = std::min(rounded_up(bytes, alignment), page_bytes);
        const open_memory open(data - beside, bytes + 2 * beside);
        std::memset(data - beside, 0xff, bytes + 2 * beside);
        if (kind == memory_kind::managed) // programs count on pages of the system, which are 0
            std::memset(data, 0, bytes);
    }
    all.arrays[number_of(data)] = {name,  data,         bytes,  std::max(element, size_t(1)), kind, false,
                                   false, allocated_at, nullptr};
    forget_found();
    all.in_use += bytes;
    if (watches(kind))
        device_in_use().memory().allocated(data, bytes);
    return data;
}

bool release_array(void *data, const void *released_at) {
    device_memory &all = memory();
    const auto found = all.arrays.find(number_of(data));
    if (found == all.arrays.end() || found->second.is_released)
        return false;
    device_array &array = found->second;
    if (!is_in_region(array)) {
        all.arrays.erase(found);
        forget_found();
        return true;
    }
    all.in_use -= array.bytes;
    if (watches(array.kind))
        device_in_use().memory().released(data);
    array.is_released = true;
    array.released_at = released_at;
    address_region::drop(data, array.bytes);
    return true;
}

device_array *array_of(const void *address) {
    device_memory &all = memory();
    for (device_array *const found : {all.last, all.last_but_one})
        if (found != nullptr && found->holds(address))
            return remember(found);
    const auto after = all.arrays.upper_bound(number_of(address));
    device_array *const before = after != all.arrays.begin() ? &std::prev(after)->second : nullptr;
    if (before != nullptr && before->holds(address))
        return remember(before);
    if (!array_addresses.holds(address))
        return nullptr;
    const bool ends_before = before != nullptr && is_in_region(*before);
    const bool begins_after = after != all.arrays.end() && is_in_region(after->second);
    if (!ends_before && !begins_after)
        return nullptr;
    const bool is_nearer_to_end =
        ends_before && (!begins_after || number_of(address) - number_of(before->data + before->bytes) <=
                                             after->first - number_of(address));
    return is_nearer_to_end ? before : &after->second;
}

std::vector<const device_array *> live_arrays() {
    std::vector<const device_array *> live;
    for (const auto &[address, array] : memory().arrays)
        if (!array.is_released)
            live.push_back(&array);
    return live;
}

bool register_array(const char *name, void *data, size_t bytes, memory_kind kind, size_t element) {
    device_array array = {name,   static_cast<unsigned char *>(data), bytes, element, kind, false, false, nullptr,
                          nullptr};
    return memory().arrays.emplace(number_of(data), std::move(array)).second;
}

void mark_written(const void *address, size_t bytes) {
    device_in_use().memory().written(address, bytes);
}

void mark_unwritten(const void *address, size_t bytes) {
    device_in_use().memory().unwritten(address, bytes);
}

const void *first_unwritten(const void *address, size_t bytes) {
    return device_in_use().memory().first_unwritten(address, bytes);
}

bool is_device_memory(const void *address) {
    return memory().closed.holds(address);
}

size_t device_bytes() {
    return most_bytes;
}

size_t device_bytes_in_use() {
    return memory().in_use;
}

size_t reserved_bytes() {
    static_cast<void>(memory());
    return array_addresses.bytes;
}

open_memory::open_memory() : is_of_all_(true) {
    if (memory().opened++ == 0)
        memory().closed.open();
}

open_memory::open_memory(const void *first, size_t bytes) {
    if (memory().opened != 0 || !is_device_memory(first) || bytes == 0)
        return;
    part_ = first;
    bytes_ = bytes;
    address_region::open(first, bytes);
}

open_memory::~open_memory() {
    if (bytes_ != 0)
        address_region::close(part_, bytes_);
    else if (is_of_all_ && --memory().opened == 0)
        memory().closed.close();
}

} // namespace wf::tried
