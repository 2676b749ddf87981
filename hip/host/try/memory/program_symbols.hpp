// The program's own table of symbols.
#ifndef WAVEFOLD_HOST_TRY_PROGRAM_SYMBOLS_HPP
#define WAVEFOLD_HOST_TRY_PROGRAM_SYMBOLS_HPP

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace wf::tried {

struct symbol {
    const char *name; // mangled
    uintptr_t value;  // from the program's base; of a thread's variable, from the beginning of its block
    size_t bytes;
    unsigned type, visibility; // as STT_OBJECT and STV_PROTECTED
    bool is_local, is_writable;
};

// Of all symbols that are defined.
void for_each_symbol(const std::function<void(const symbol &)> &use);

// "kernel(float const*, float*, int)::cells"
std::string full_name_of_symbol(const char *mangled);
// Of that, cells.
std::string name_of_symbol(const char *mangled);

} // namespace wf::tried
#endif
