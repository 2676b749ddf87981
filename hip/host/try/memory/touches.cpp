#include "touches.hpp"

#include "../../emulator/findings.hpp"
#include "../../emulator/machine.hpp"
#include "../../emulator/stack_arena.hpp"
#include "../source_lines.hpp"
#include "../stop.hpp"
#include "../words/dimensions.hpp"
#include "foreign_memory.hpp"
#include "host_access.hpp"
#include "program_variables.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace wf::tried {

namespace {

using host::watch::access;

struct {
    const tile_block *tile;
    const unsigned char *arguments;
    size_t argument_bytes;
} of_kernel;
bool runs = false;
bool checks = false;               // the accesses of this tile
uint64_t most_checks = UINT64_MAX; // that are left; 0: none of this launch any more

// The access to tile memory that is checked, for the names of its cells.
struct {
    const tile_array *array = nullptr;
    size_t unit = 1, element = 1; // in bytes: what is checked, and what is told
} here;

// A load of tile memory that waits for its check. address is null if there is none.
struct late_load {
    const unsigned char *address = nullptr;
    size_t bytes = 0;
    host::site at;
    decltype(here) cells = {};
};
constexpr size_t most_late = 4;
late_load late[most_late]; // the oldest first
size_t late_count = 0;
std::set<unsigned> guesses;          // places (site::column) of loads before an atomicCAS of the same word
const host::site *present = nullptr; // of the access that the compiler reports; null: it is a word's

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

// " in line 12" of a call in the program; "" if unknown.
std::string line_of(const void *returns_to) {
    const host::site at = returns_to != nullptr ? line_before(returns_to) : host::site();
    return at.line != 0 ? " in line " + std::to_string(at.line) : "";
}

void report_outside(access what, const std::string &name, ptrdiff_t from, size_t bytes, size_t array_bytes,
                    size_t element, const std::string &of = "") {
    if (!host::is_reported())
        host::report_of_lane(outside(what, name, from, bytes, array_bytes, element) + of);
}

// Before another access, which keeps its place in the source.
void check_late_load_first() {
    if (late_count == 0)
        return;
    check_late_load();
    if (present != nullptr)
        host::watch::stands(*present);
}

void touch_tile(access what, ptrdiff_t offset, size_t bytes, bool reads) {
    if (what != access::load || present == nullptr || late_count == most_late)
        check_late_load_first();
    find_vain_wait(what, of_kernel.tile->memory + offset);
    const auto from = size_t(offset), unit = from % 4 == 0 && bytes % 4 == 0 ? size_t(4) : 1;
    here = {offset >= 0 ? array_at(from, bytes) : nullptr, unit, element_of(bytes)};
    if (here.array == nullptr) {
        const tile_array &array = array_before(offset);
        report_outside(what, array.name, offset - ptrdiff_t(array.first), bytes, array.bytes, element_of(bytes),
                       std::string(array.bytes == element_of(bytes) ? " cell" : " cells") + " of tile memory" +
                           (array.is_launched ? std::string(": ") + of_kernel.tile->of_launched : ""));
        if (what != access::load)
            stop("it wrote outside of its tile memory" + host::watch::place()); // what lies there is not the kernel's
        return;
    }
    if (here.array->name.empty())
        return;
    if (what == access::load && present != nullptr && (bytes == 4 || bytes == 8)) {
        late[late_count++] = {of_kernel.tile->memory + from, bytes, *present, here};
        return;
    }
    size_t all = 0;
    host::tile_memory(unit, &all);
    if (what == access::load)
        host::check_read_at_once(from / unit, bytes / unit, unit, false);
    for (size_t cell = from / unit; what != access::load && cell < (from + bytes) / unit; cell++)
        (void)(what == access::store ? host::check_write(cell, all / unit, unit)
                                     : host::check_update(cell, all / unit, unit, reads));
    host::watch::tile(what, of_kernel.tile->memory, from, bytes);
}

void touch_array(access what, device_array &array, const void *address, size_t bytes, bool reads) {
    if (what != access::load) // what is swapped may come from there
        check_late_load_first();
    find_vain_wait(what, address);
    if (array.element <= 1 && array.holds(address))
        array.element = element_of(bytes);
    const ptrdiff_t from = array.offset(address);
    const auto element = [&] {
        return std::string(verb(what)) + " element " + std::to_string(from / ptrdiff_t(array.element)) + " of '" +
               array.name + "'";
    };
    if (array.is_released) {
        if (!host::is_reported())
            host::report_of_lane(element() + ", which was freed" + line_of(array.released_at));
        return;
    }
    if (from < 0 || size_t(from) + bytes > array.bytes)
        return report_outside(what, array.name, from, bytes, array.bytes,
                              array.element <= 1 ? element_of(bytes) : array.element);
    // A cast may take its const away, and the sum be right: the array's owner needs it as it was.
    if (what != access::load && array.is_input && !host::is_reported())
        host::report_of_lane(element() + ", which is to stay as it is");
    note_kernel_access(array, what);
    if (what != access::store && !array.reads.empty())
        array.note_read(address, bytes);
    if (what != access::load)
        array.written_end = std::max(array.written_end, size_t(from) + bytes);
    if (!reads)
        mark_written(address, bytes);
    host::watch::device(what, address, bytes);
}

// Whether it is a variable of the lane's own. Beyond the last stack's end, too, where anything may lie.
bool is_on_stack(const void *address) {
    const auto *const frame = static_cast<const unsigned char *>(__builtin_frame_address(0));
    return address >= frame && address < frame + host::stack_bytes;
}

bool is_argument(const void *address) {
    const auto *const at = static_cast<const unsigned char *>(address);
    return of_kernel.arguments <= at && at < of_kernel.arguments + of_kernel.argument_bytes;
}

void touch_foreign(access what, const void *address) {
    if (host::is_reported() || is_argument(address) || is_lane_variable(address))
        return;
    const std::string found = describe_foreign(address);
    if (!found.empty())
        host::report_of_lane(verb(what) + (" " + found));
}

// reads: it depends on what was there.
void touch_memory(access what, const void *address, size_t bytes, bool reads) {
    constexpr ptrdiff_t beside = 64 * 1024; // so far off, it was meant to be tile memory
    if (bytes == 0)
        return;
    device_array *const array = array_addresses.holds(address) ? array_of(address) : nullptr;
    if (array != nullptr)
        return touch_array(what, *array, address, bytes, reads);
    const ptrdiff_t offset = static_cast<const unsigned char *>(address) - of_kernel.tile->memory;
    const auto is_in_tile = [&](ptrdiff_t room) {
        return !of_kernel.tile->arrays.empty() && offset >= -room && offset < ptrdiff_t(of_kernel.tile->bytes) + room;
    };
    if (is_in_tile(0))
        return touch_tile(what, offset, bytes, reads);
    if (is_on_stack(address))
        return;
    device_array *const other = array_of(address); // a variable, or registered memory
    if (other != nullptr)
        return touch_array(what, *other, address, bytes, reads);
    if (is_in_tile(beside))
        return touch_tile(what, offset, bytes, reads);
    touch_foreign(what, address);
}

} // namespace

touching::touching(const tile_block &tile, const void *arguments, size_t argument_bytes) {
    register_variables();
    of_kernel = {&tile, static_cast<const unsigned char *>(arguments), argument_bytes};
    runs = checks = true;
    late_count = 0;
    most_checks = UINT64_MAX;
    if (!tile.arrays.empty()) // else they are the ladder's, which have no names
        host::watch::name_cells_by(name_of_cell);
}

touching::~touching() {
    runs = checks = false;
}

void limit_checks(uint64_t most) {
    most_checks = most;
}

uint64_t checks_left() {
    return most_checks;
}

void pause_checks(bool are_paused) {
    checks = !are_paused && most_checks != 0;
}

void check_late_load() {
    const size_t count = std::exchange(late_count, 0);
    for (size_t i = 0; i < count; i++) {
        const late_load &load = late[i];
        host::watch::stands(load.at);
        const auto from = size_t(load.address - of_kernel.tile->memory);
        size_t all = 0;
        here = load.cells;
        host::tile_memory(here.unit, &all);
        host::check_read_at_once(from / here.unit, load.bytes / here.unit, here.unit,
                                 guesses.count(load.at.column) != 0);
        host::watch::tile(access::load, of_kernel.tile->memory, from, load.bytes);
    }
}

void drop_load_of(const void *address) {
    for (size_t i = late_count; i-- > 0;) {
        const late_load load = late[i];
        if (load.address != address)
            continue;
        guesses.insert(load.at.column);
        std::copy(late + i + 1, late + late_count, late + i);
        late_count--;
        const size_t unit = load.cells.unit, from = size_t(load.address - of_kernel.tile->memory);
        size_t all = 0;
        host::tile_memory(unit, &all); // its shadows may be of another size yet
        host::forget_readers(from / unit, load.bytes / unit, unit);
        return;
    }
}

void touch(access what, const void *address, size_t bytes) {
    if (checks)
        touch_memory(what, address, bytes, true);
    else if (!runs)
        touch_by_host(what, address, bytes);
}

void touch_unread(const void *address, size_t bytes) {
    if (checks)
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
    if (!wf::tried::runs) {
        if (wf::tried::array_addresses.holds(address))
            wf::tried::touch_by_host(what, address, bytes, returns_to);
        return;
    }
    if (!wf::tried::checks)
        return;
    if (--wf::tried::most_checks == 0)
        wf::tried::checks = false;
    const wf::host::site at = wf::tried::line_before(returns_to);
    wf::host::watch::stands(at);
    wf::tried::stop_if_time_is_over();
    wf::tried::present = &at;
    touch(what, address, bytes);
    wf::tried::present = nullptr;
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
