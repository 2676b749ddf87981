#include "touches.hpp"

#include "../emulator/findings.hpp"
#include "../emulator/machine.hpp"
#include "source_lines.hpp"
#include "stop.hpp"

namespace wf::tried {

namespace {

using host::watch::access;

struct launch {
    const guarded_array *arrays[2];
    const tile_block *tile;
};
launch of_kernel;
bool runs = false;

// The access to tile memory that is checked, for its name.
struct {
    const tile_array *array = nullptr;
    size_t offset = 0, bytes = 1;
} here;

const char *verb(access what) {
    return what == access::load ? " read" : what == access::store ? " wrote" : " updated";
}

std::string name_of_cell() {
    return "cell " + std::to_string((here.offset - here.array->first) / here.bytes) + " of '" + here.array->name + "'";
}

// " read 2 elements beyond the end of 'in', which has 65"; from: the offset of the access in the array.
std::string outside(access what, const std::string &name, ptrdiff_t from, size_t bytes, size_t array_bytes) {
    const auto element = ptrdiff_t(bytes), last = ptrdiff_t(array_bytes);
    const ptrdiff_t off = from < 0 ? (-from + element - 1) / element : (from - last) / element + 1;
    return std::string(verb(what)) + " " + std::to_string(off) + (off == 1 ? " element" : " elements") +
           (from < 0 ? " before the beginning of '" : " beyond the end of '") + name + "', which has " +
           std::to_string(array_bytes / bytes);
}

// A lane that touches one cell so often, and nothing else, waits for what others do there. Lanes run until they meet,
// and tiles one after the other: nobody will do it.
void find_vain_wait(access what, const void *address) {
    constexpr unsigned most = 100000;
    static struct {
        const void *address;
        unsigned lane, tile, times;
    } last;
    const host::place at = host::where_am_i();
    if (last.address != address || last.lane != at.lane || last.tile != at.tile) {
        last = {address, at.lane, at.tile, 1};
    } else if (++last.times == most) {
        last.times = 0;
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

// The last array that begins before it.
const tile_array &array_before(ptrdiff_t offset) {
    const tile_array *found = &of_kernel.tile->arrays[0];
    for (const tile_array &each : of_kernel.tile->arrays)
        if (ptrdiff_t(each.first) <= offset && (found->first < each.first || ptrdiff_t(found->first) > offset))
            found = &each;
    return *found;
}

void touch_tile(access what, ptrdiff_t offset, size_t bytes) {
    find_vain_wait(what, of_kernel.tile->memory + offset);
    here = {offset >= 0 ? array_at(size_t(offset), bytes) : nullptr, size_t(offset), bytes};
    if (here.array == nullptr) {
        const tile_array &array = array_before(offset);
        host::report_of_lane(outside(what, array.name, offset - ptrdiff_t(array.first), bytes, array.bytes) +
                             " cells of tile memory");
        if (what != access::load)
            stop("it wrote outside of its tile memory"); // what lies there is not the kernel's
        return;
    }
    const size_t from = size_t(offset), unit = from % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
    size_t all = 0;
    host::tile_memory(unit, &all);
    for (size_t cell = from / unit; cell < (from + bytes) / unit; cell++)
        (void)(what == access::load    ? host::check_read(cell, all / unit, unit)
               : what == access::store ? host::check_write(cell, all / unit, unit)
                                       : host::check_update(cell, all / unit, unit, true));
    host::watch::tile(what, of_kernel.tile->memory, from, bytes);
}

void touch_array(access what, const guarded_array &array, const void *address, size_t bytes) {
    find_vain_wait(what, address);
    const ptrdiff_t from = array.offset(address);
    const size_t all = array.count() * sizeof(float);
    if (from < 0 || size_t(from) + bytes > all)
        host::report_of_lane(outside(what, array.name(), from, bytes, all));
    else
        host::watch::device(what, address, bytes);
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
    constexpr ptrdiff_t beside = 4096; // so far off, it was meant to be tile memory
    const ptrdiff_t offset = static_cast<const unsigned char *>(address) - of_kernel.tile->memory;
    if (!of_kernel.tile->arrays.empty() && offset >= -beside && offset < ptrdiff_t(of_kernel.tile->bytes) + beside)
        return touch_tile(what, offset, bytes);
    for (const guarded_array *array : of_kernel.arrays)
        if (array->is_near(address))
            return touch_array(what, *array, address, bytes);
}

} // namespace wf::tried

// ---- What compilers call before each access of a function compiled with -fsanitize=thread --------------------------

namespace {
void touched(wf::host::watch::access what, const void *address, size_t bytes, const void *returns_to) {
    if (!wf::tried::runs)
        return;
    wf::host::watch::stands(wf::tried::line_before(returns_to));
    wf::tried::touch(what, address, bytes);
}
} // namespace

#define WF_TOLD extern "C" __attribute__((visibility("default"))) void
#define WF_TOLD_ACCESS(name, what, bytes)                                                                              \
    WF_TOLD name(void *address) {                                                                                      \
        touched(wf::host::watch::access::what, address, bytes, __builtin_return_address(0));                           \
    }
#define WF_TOLD_SIZE(bytes)                                                                                            \
    WF_TOLD_ACCESS(__tsan_read##bytes, load, bytes)                                                                    \
    WF_TOLD_ACCESS(__tsan_write##bytes, store, bytes)                                                                  \
    WF_TOLD_ACCESS(__tsan_unaligned_read##bytes, load, bytes)                                                          \
    WF_TOLD_ACCESS(__tsan_unaligned_write##bytes, store, bytes)                                                        \
    WF_TOLD_ACCESS(__tsan_volatile_read##bytes, load, bytes)                                                           \
    WF_TOLD_ACCESS(__tsan_volatile_write##bytes, store, bytes)
WF_TOLD_SIZE(1)
WF_TOLD_SIZE(2)
WF_TOLD_SIZE(4)
WF_TOLD_SIZE(8)
WF_TOLD_SIZE(16)
WF_TOLD __tsan_read_range(void *address, unsigned long bytes) {
    touched(wf::host::watch::access::load, address, bytes, __builtin_return_address(0));
}
WF_TOLD __tsan_write_range(void *address, unsigned long bytes) {
    touched(wf::host::watch::access::store, address, bytes, __builtin_return_address(0));
}
WF_TOLD __tsan_vptr_update(void **, void *) {}
WF_TOLD __tsan_vptr_read(void **) {}
WF_TOLD __tsan_init() {}
WF_TOLD __tsan_func_entry(void *) {}
WF_TOLD __tsan_func_exit() {}
