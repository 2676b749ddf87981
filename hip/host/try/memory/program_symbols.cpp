#include "program_symbols.hpp"

#include <cxxabi.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace wf::tried {

void for_each_symbol(const std::function<void(const symbol &)> &use) {
    static const std::string &image = *new std::string([] {
        std::ifstream file("/proc/self/exe", std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    }());
    const auto at = [&](size_t offset) { return image.data() + offset; };
    const auto &header = *reinterpret_cast<const ElfW(Ehdr) *>(at(0));
    const auto *const sections = reinterpret_cast<const ElfW(Shdr) *>(at(header.e_shoff));
    for (unsigned s = 0; s < header.e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const auto *const symbols = reinterpret_cast<const ElfW(Sym) *>(at(sections[s].sh_offset));
        const char *const names = at(sections[sections[s].sh_link].sh_offset);
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const ElfW(Sym) &each = symbols[i];
            if (each.st_shndx == SHN_UNDEF)
                continue;
            const bool is_writable =
                each.st_shndx < header.e_shnum && (sections[each.st_shndx].sh_flags & SHF_WRITE) != 0;
            use({names + each.st_name, each.st_value, each.st_size, each.st_info & 0xfu,
                 unsigned(ELF64_ST_VISIBILITY(each.st_other)), ELF64_ST_BIND(each.st_info) == STB_LOCAL, is_writable});
        }
    }
}

// What is not mangled may be a type's code: s that of short.
std::string full_name_of_symbol(const char *mangled) {
    int status = 0;
    char *const demangled =
        std::strncmp(mangled, "_Z", 2) == 0 ? abi::__cxa_demangle(mangled, nullptr, nullptr, &status) : nullptr;
    std::string name = demangled != nullptr ? demangled : mangled;
    std::free(demangled);
    return name;
}

std::string name_of_symbol(const char *mangled) {
    const std::string name = full_name_of_symbol(mangled);
    const size_t scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

} // namespace wf::tried
