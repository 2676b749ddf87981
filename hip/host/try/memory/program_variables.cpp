#include "program_variables.hpp"

#include "device_arrays.hpp"
#include "program_symbols.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>

namespace wf::tried {

namespace {

// Whose memory: of the program's image.
struct image {
    uintptr_t base = 0, first = UINTPTR_MAX, end = 0;
};

struct variable {
    std::string name;
    size_t bytes;
    bool is_of_device;
};

struct program {
    image loaded;
    std::map<uintptr_t, variable> variables;
};

image find_image() {
    image found;
    dl_iterate_phdr(
        [](dl_phdr_info *of, size_t, void *to) { // the first one is the program itself
            image &loaded = *static_cast<image *>(to);
            loaded.base = of->dlpi_addr;
            for (unsigned i = 0; i < of->dlpi_phnum; i++)
                if (of->dlpi_phdr[i].p_type == PT_LOAD) {
                    const uintptr_t first = loaded.base + of->dlpi_phdr[i].p_vaddr,
                                    end = first + of->dlpi_phdr[i].p_memsz;
                    loaded.first = std::min(loaded.first, first);
                    loaded.end = std::max(loaded.end, end);
                }
            return 1;
        },
        &found);
    return found;
}

bool begins_with(const std::string &text, const char *start) {
    return text.compare(0, std::strlen(start), start) == 0;
}

// Tables of virtual functions, type names, guards, and variables of libraries, whose symbols have a version.
bool is_of_compiler(const char *symbol) {
    const std::string name = symbol;
    return begins_with(name, "_ZTV") || begins_with(name, "_ZTI") || begins_with(name, "_ZTS") ||
           begins_with(name, "_ZGV") || begins_with(name, "_ZSt") || begins_with(name, "_ZNSt") ||
           begins_with(name, "_ZN2wf") || begins_with(name, "__") || begins_with(name, "completed.") ||
           begins_with(name, "DW.ref.") || name.find('@') != name.npos;
}

program read_program() {
    program read;
    read.loaded = find_image();
    // qualifiers.hpp: gcc gives the device's variables protected visibility, and the program this one.
    bool has_marks = false;
    for_each_symbol(
        [&](const symbol &each) { has_marks = has_marks || std::strcmp(each.name, "wf_try_marks_variables") == 0; });
    for_each_symbol([&](const symbol &each) {
        if (each.type != STT_OBJECT || each.bytes == 0 || !each.is_writable || is_of_compiler(each.name) ||
            std::strcmp(each.name, "wf_try_marks_variables") == 0)
            return;
        const bool is_of_device = !has_marks || each.is_local || each.visibility == STV_PROTECTED;
        read.variables[read.loaded.base + each.value] = {name_of_symbol(each.name), each.bytes, is_of_device};
    });
    return read;
}

const program &all() {
    static const program &read = *new program(read_program());
    return read;
}

} // namespace

void register_variables() {
    static const bool is_done = [] {
        for (const auto &[address, each] : all().variables)
            if (each.is_of_device)
                register_array(each.name.c_str(), reinterpret_cast<void *>(address), each.bytes, memory_kind::variable);
        return true;
    }();
    static_cast<void>(is_done);
}

std::string host_variable(const void *address) {
    const auto at = reinterpret_cast<uintptr_t>(address);
    const auto after = all().variables.upper_bound(at);
    if (after == all().variables.begin())
        return "";
    const auto &[first, found] = *std::prev(after);
    return at - first < found.bytes && !found.is_of_device ? found.name : "";
}

bool is_in_program(const void *address) {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return all().loaded.first <= at && at < all().loaded.end;
}

} // namespace wf::tried
