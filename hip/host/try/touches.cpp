#include "touches.hpp"

#include "../emulator/findings.hpp"
#include "../emulator/machine.hpp"
#include "../emulator/stack_arena.hpp"
#include "source_lines.hpp"
#include "stop.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

namespace wf::tried {

namespace {

using host::watch::access;

struct launch {
    const guarded_array *arrays[2];
    const tile_block *tile;
};
launch of_kernel;
bool runs = false;

// The access to tile memory that is checked, for the names of its cells.
struct {
    const tile_array *array = nullptr;
    size_t unit = 1, element = 1; // in bytes: what is checked, and what is told
} here;

// What an access of so many bytes is told in. Larger ones are of several elements; what these are nothing tells.
size_t element_of(size_t bytes) {
    return bytes <= 8 ? bytes : bytes % 4 == 0 ? 4 : 1;
}

const char *verb(access what) {
    return what == access::load ? " read" : what == access::store ? " wrote" : " updated";
}

std::string name_of_cell(size_t cell) {
    return "cell " + std::to_string((cell * here.unit - here.array->first) / here.element) + " of '" +
           here.array->name + "'";
}

// " read 2 elements beyond the end of 'in', which has 65"; from: the offset of the access in the array, whose elements
// have so many bytes.
std::string outside(access what, const std::string &name, ptrdiff_t from, size_t bytes, size_t array_bytes,
                    size_t element) {
    const size_t beyond = size_t(from < 0 ? -from : from + ptrdiff_t(bytes) - ptrdiff_t(array_bytes));
    const size_t off = (beyond + element - 1) / element;
    return std::string(verb(what)) + " " + std::to_string(off) + (off == 1 ? " element" : " elements") +
           (from < 0 ? " before the beginning of '" : " beyond the end of '") + name + "', which has " +
           std::to_string(array_bytes / element);
}

// A lane that touches one cell so often, and nothing else, waits for what others do there. Lanes run until they meet,
// and tiles one after the other: nobody will do it. Where one has waited so long, others are given less time: the trial
// is to end within its own.
void find_vain_wait(access what, const void *address) {
    constexpr unsigned most = 100000, most_later = 100;
    static std::set<std::string> found; // places
    static struct {
        const void *address;
        unsigned lane, tile, times;
    } last;
    const host::place at = host::where_am_i();
    if (last.address != address || last.lane != at.lane || last.tile != at.tile) {
        last = {address, at.lane, at.tile, 1};
        return;
    }
    last.times++;
    const bool is_known = last.times % most_later == 0 && !found.empty() && found.count(host::watch::place()) != 0;
    if (is_known || last.times >= most) {
        last.times = 0;
        found.insert(host::watch::place());
        host::report_of_lane(verb(what) + (" one cell " + std::to_string(most) + " times, and nothing else: whom it ") +
                             "waits for may never run while it does (deadlock)");
        host::give_up();
    }
}

const tile_array *array_at(size_t offset, size_t bytes) {
    for (const tile_array &each : of_kernel.tile->arrays)
        if (each.first <= offset && offset + bytes <= each.first + each.bytes)
            return &each;
    return nullptr;
}

// The last of the kernel's arrays that begins before it; the first one of all if none does.
const tile_array &array_before(ptrdiff_t offset) {
    const tile_array *first = &of_kernel.tile->arrays[0], *before = nullptr;
    for (const tile_array &each : of_kernel.tile->arrays) {
        if (each.name.empty())
            continue;
        if (first->name.empty() || each.first < first->first)
            first = &each;
        if (ptrdiff_t(each.first) <= offset && (before == nullptr || before->first < each.first))
            before = &each;
    }
    return before != nullptr ? *before : *first;
}

void report_outside(access what, const std::string &name, ptrdiff_t from, size_t bytes, size_t array_bytes,
                    size_t element, const std::string &of = "") {
    if (!host::is_reported())
        host::report_of_lane(outside(what, name, from, bytes, array_bytes, element) + of);
}

void touch_tile(access what, ptrdiff_t offset, size_t bytes, bool reads) {
    find_vain_wait(what, of_kernel.tile->memory + offset);
    const auto from = size_t(offset), unit = from % 4 == 0 && bytes % 4 == 0 ? size_t(4) : 1;
    here = {offset >= 0 ? array_at(from, bytes) : nullptr, unit, element_of(bytes)};
    if (here.array == nullptr) {
        const tile_array &array = array_before(offset);
        report_outside(what, array.name, offset - ptrdiff_t(array.first), bytes, array.bytes, element_of(bytes),
                       std::string(array.bytes == element_of(bytes) ? " cell" : " cells") + " of tile memory" +
                           (array.is_launched ? ": 4 bytes for each thread, as it has no size of its own" : ""));
        if (what != access::load)
            stop("it wrote outside of its tile memory" + host::watch::place()); // what lies there is not the kernel's
        return;
    }
    if (here.array->name.empty())
        return;
    size_t all = 0;
    host::tile_memory(unit, &all);
    if (what == access::load)
        host::check_read_at_once(from / unit, bytes / unit, unit);
    for (size_t cell = from / unit; what != access::load && cell < (from + bytes) / unit; cell++)
        (void)(what == access::store ? host::check_write(cell, all / unit, unit)
                                     : host::check_update(cell, all / unit, unit, reads));
    host::watch::tile(what, of_kernel.tile->memory, from, bytes);
}

void touch_array(access what, const guarded_array &array, const void *address, size_t bytes, bool reads) {
    find_vain_wait(what, address);
    const ptrdiff_t from = array.offset(address);
    const size_t all = array.count() * sizeof(float);
    if (from < 0 || size_t(from) + bytes > all)
        return report_outside(what, array.name(), from, bytes, all, sizeof(float));
    // A cast may take its const away, and the sum be right: whoever has the array needs it as it was.
    if (what != access::load && &array == of_kernel.arrays[0] && !host::is_reported())
        host::report_of_lane(verb(what) + (" element " + std::to_string(size_t(from) / sizeof(float)) + " of '") +
                             array.name() + "', which is to stay as it is");
    if (!reads)
        array.is_written(address, bytes);
    host::watch::device(what, address, bytes);
}

// Whether it is a variable of the lane's own. Beyond the last stack's end, too, where anything may lie.
bool is_on_stack(const void *address) {
    const auto *const frame = static_cast<const unsigned char *>(__builtin_frame_address(0));
    return address >= frame && address < frame + host::stack_bytes;
}

// reads: it depends on what was there.
void touch_memory(access what, const void *address, size_t bytes, bool reads) {
    constexpr ptrdiff_t beside = 64 * 1024; // so far off, it was meant to be tile memory
    if (bytes == 0)
        return;
    for (const guarded_array *array : of_kernel.arrays)
        if (array->is_near(address))
            return touch_array(what, *array, address, bytes, reads);
    const ptrdiff_t offset = static_cast<const unsigned char *>(address) - of_kernel.tile->memory;
    const auto is_in_tile = [&](ptrdiff_t room) {
        return !of_kernel.tile->arrays.empty() && offset >= -room && offset < ptrdiff_t(of_kernel.tile->bytes) + room;
    };
    if (is_in_tile(0))
        return touch_tile(what, offset, bytes, reads);
    if (is_on_stack(address))
        return;
    if (is_in_tile(beside))
        return touch_tile(what, offset, bytes, reads);
    if (what == access::update) { // of a variable of the device, as a ticket or a lock is
        find_vain_wait(what, address);
        host::watch::device(what, address, bytes);
    }
}

} // namespace

touching::touching(const guarded_array &in, const guarded_array &out, const tile_block &tile) {
    of_kernel = {{&in, &out}, &tile};
    runs = true;
    if (!tile.arrays.empty()) // else they are the ladder's, which have no names
        host::watch::name_cells_by(name_of_cell);
}

touching::~touching() {
    runs = false;
}

void touch(access what, const void *address, size_t bytes) {
    touch_memory(what, address, bytes, true);
}

void touch_unread(const void *address, size_t bytes) {
    touch_memory(access::update, address, bytes, false);
}

void touch_aligned(access what, const void *address, size_t bytes, size_t alignment) {
    touch(what, address, bytes);
    if (reinterpret_cast<uintptr_t>(address) % alignment != 0)
        host::report_of_lane(verb(what) + (" " + std::to_string(bytes)) +
                             " bytes at once at an address that is no multiple of " + std::to_string(alignment));
}

void touch_number(access what, const void *address, size_t bytes) {
    touch_aligned(what, address, bytes, std::min(bytes, size_t(8))); // compilers ask no more of 16 bytes
}

void touch_whole(access what, const void *address, size_t bytes) {
    touch_aligned(what, address, bytes, bytes);
}

} // namespace wf::tried

// ---- What compilers call before each access of a function compiled with -fsanitize=thread --------------------------

namespace {
using wf::host::watch::access;

void touched(access what, const void *address, size_t bytes, const void *returns_to,
             decltype(wf::tried::touch) *touch) {
    if (!wf::tried::runs)
        return;
    wf::host::watch::stands(wf::tried::line_before(returns_to));
    wf::tried::stop_if_time_is_over();
    touch(what, address, bytes);
}
} // namespace

void wf::tried::touch_vector(access what, const void *address, size_t bytes, const void *returns_to) {
    touched(what, address, bytes, returns_to, touch_whole);
}

#define WF_TOLD(result) extern "C" __attribute__((visibility("default"))) result
#define WF_TOUCHED(what, address, bytes, touch)                                                                        \
    touched(access::what, address, bytes, __builtin_return_address(0), wf::tried::touch)
#define WF_TOLD_ACCESS(name, what, bytes, touch)                                                                       \
    WF_TOLD(void) name(void *address) {                                                                                \
        WF_TOUCHED(what, address, bytes, touch);                                                                       \
    }
#define WF_TOLD_SIZE(bytes)                                                                                            \
    WF_TOLD_ACCESS(__tsan_read##bytes, load, bytes, touch_number)                                                      \
    WF_TOLD_ACCESS(__tsan_write##bytes, store, bytes, touch_number)                                                    \
    WF_TOLD_ACCESS(__tsan_unaligned_read##bytes, load, bytes, touch)                                                   \
    WF_TOLD_ACCESS(__tsan_unaligned_write##bytes, store, bytes, touch)                                                 \
    WF_TOLD_ACCESS(__tsan_volatile_read##bytes, load, bytes, touch_number)                                             \
    WF_TOLD_ACCESS(__tsan_volatile_write##bytes, store, bytes, touch_number)
WF_TOLD_SIZE(1)
WF_TOLD_SIZE(2)
WF_TOLD_SIZE(4)
WF_TOLD_SIZE(8)
WF_TOLD_SIZE(16)
WF_TOLD(void) __tsan_read_range(void *address, unsigned long bytes) {
    WF_TOUCHED(load, address, bytes, touch);
}
WF_TOLD(void) __tsan_write_range(void *address, unsigned long bytes) {
    WF_TOUCHED(store, address, bytes, touch);
}
// clang has these in place of the C library's.
WF_TOLD(void *) __tsan_memset(void *to, int byte, size_t bytes) {
    WF_TOUCHED(store, to, bytes, touch);
    return std::memset(to, byte, bytes);
}
WF_TOLD(void *) __tsan_memmove(void *to, const void *from, size_t bytes) {
    WF_TOUCHED(load, from, bytes, touch);
    WF_TOUCHED(store, to, bytes, touch);
    return std::memmove(to, from, bytes);
}
WF_TOLD(void *) __tsan_memcpy(void *to, const void *from, size_t bytes) {
    WF_TOUCHED(load, from, bytes, touch);
    WF_TOUCHED(store, to, bytes, touch);
    return std::memcpy(to, from, bytes);
}
WF_TOLD(void) __tsan_vptr_update(void **, void *) {}
WF_TOLD(void) __tsan_vptr_read(void **) {}
WF_TOLD(void) __tsan_init() {}
WF_TOLD(void) __tsan_func_entry(void *) {}
WF_TOLD(void) __tsan_func_exit() {}
