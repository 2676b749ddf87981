#include "foreign_memory.hpp"

#include "program_variables.hpp"

#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

namespace wf::tried {

namespace {

struct mapping {
    uintptr_t first = 0, end = 0; // empty: nothing is mapped there
    std::string name;             // "": anonymous
};

mapping mapping_of(const void *address) {
    const std::unique_ptr<FILE, int (*)(FILE *)> maps(std::fopen("/proc/self/maps", "r"), std::fclose);
    char line[4600];
    while (maps != nullptr && std::fgets(line, sizeof line, maps.get()) != nullptr) {
        unsigned long first = 0, end = 0;
        int name = 0;
        if (std::sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &first, &end, &name) != 2 || name == 0)
            continue;
        const auto at = reinterpret_cast<uintptr_t>(address);
        if (first <= at && at < end)
            return {first, end, std::string(line + name, std::strcspn(line + name, "\n"))};
    }
    return {};
}

// Whether it is a variable or constant of a library, such as threadIdx: their last pages have no name either.
bool is_in_library(const void *address) {
    struct {
        uintptr_t at;
        bool is_there;
    } search = {reinterpret_cast<uintptr_t>(address), false};
    dl_iterate_phdr(
        [](dl_phdr_info *of, size_t, void *to) {
            auto &found = *static_cast<decltype(search) *>(to);
            for (unsigned i = 0; i < of->dlpi_phnum; i++)
                if (of->dlpi_phdr[i].p_type == PT_LOAD)
                    found.is_there = found.is_there ||
                                     found.at - (of->dlpi_addr + of->dlpi_phdr[i].p_vaddr) < of->dlpi_phdr[i].p_memsz;
            return found.is_there ? 1 : 0;
        },
        &search);
    return search.is_there;
}

} // namespace

std::string describe_foreign(const void *address) {
    const std::string copy = ": copy it to memory of cudaMalloc, and pass that pointer";
    if (is_in_program(address)) {
        const std::string name = host_variable(address);
        return name.empty() ? ""
                            : "'" + name + "', a variable of the host: declare it __device__ or __constant__" +
                                  ", or pass it to the kernel";
    }
    if (address < reinterpret_cast<const void *>(65536))
        return "a null pointer: was the memory allocated, and the pointer passed to the kernel?";
    if (is_in_library(address))
        return "";
    const mapping found = mapping_of(address);
    if (found.end == 0)
        return "an address where no memory is: is the pointer set, and the index within its array?";
    if (found.name.rfind("[stack", 0) == 0)
        return "a variable on the host's stack" + copy;
    const mapping own = mapping_of(__builtin_frame_address(0)); // the lanes' stacks
    const bool is_heap = found.name.rfind("[heap", 0) == 0 || (found.name.empty() && found.first != own.first);
    return is_heap ? "the host's memory" + copy : "";
}

} // namespace wf::tried
