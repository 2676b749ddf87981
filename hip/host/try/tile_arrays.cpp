#include "tile_arrays.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace wf::tried {

namespace {

// "kernel(float const*, float*, int)::cells" is cells. What is not mangled may be a type's code: s that of short.
std::string last_name(const char *symbol) {
    int status = 0;
    char *const demangled =
        std::strncmp(symbol, "_Z", 2) == 0 ? abi::__cxa_demangle(symbol, nullptr, nullptr, &status) : nullptr;
    std::string name = demangled != nullptr ? demangled : symbol;
    std::free(demangled);
    const size_t scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

// The compiler's own variables, which say whether constructors ran.
bool is_guard(const char *symbol) {
    return std::strncmp(symbol, "_ZGV", 4) == 0 || std::strcmp(symbol, "__tls_guard") == 0;
}

// From the program's own table of symbols.
std::vector<tile_array> read_symbols(size_t dynamic_bytes) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const std::string image{std::istreambuf_iterator<char>(file), {}};
    const auto at = [&](size_t offset) { return image.data() + offset; };
    const auto &header = *reinterpret_cast<const ElfW(Ehdr) *>(at(0));
    const auto *const sections = reinterpret_cast<const ElfW(Shdr) *>(at(header.e_shoff));
    std::vector<tile_array> found;
    for (unsigned s = 0; s < header.e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const auto *const symbols = reinterpret_cast<const ElfW(Sym) *>(at(sections[s].sh_offset));
        const char *const names = at(sections[sections[s].sh_link].sh_offset);
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const auto &symbol = symbols[i];
            if ((symbol.st_info & 0xf) != STT_TLS || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
                continue;
            const char *const name = names + symbol.st_name;
            const bool is_dynamic = ELF64_ST_VISIBILITY(symbol.st_other) == STV_PROTECTED; // launched_arrays.c
            const auto same = std::find_if(found.begin(), found.end(),
                                           [&](const tile_array &each) { return each.first == symbol.st_value; });
            if (same != found.end()) // the launch's memory by another name
                same->name += "' and '" + last_name(name);
            else
                found.push_back({is_guard(name) ? "" : last_name(name), symbol.st_value,
                                 is_dynamic ? dynamic_bytes : symbol.st_size, is_dynamic});
        }
    }
    return found;
}

} // namespace

tile_block find_tile_block(size_t dynamic_bytes) {
    tile_block block;
    dl_iterate_phdr(
        [](dl_phdr_info *program, size_t, void *to) { // the first one is the program itself
            tile_block &found = *static_cast<tile_block *>(to);
            for (unsigned i = 0; i < program->dlpi_phnum; i++)
                if (program->dlpi_phdr[i].p_type == PT_TLS) {
                    found.memory = static_cast<unsigned char *>(program->dlpi_tls_data);
                    found.bytes = program->dlpi_phdr[i].p_memsz;
                }
            return 1;
        },
        &block);
    if (block.memory != nullptr)
        block.arrays = read_symbols(dynamic_bytes);
    return block;
}

} // namespace wf::tried
