// What all device words share: the place of a call in the source, and the mark of a function whose own accesses to
// memory are not the kernel's.
#ifndef WAVEFOLD_HOST_TRY_WORDS_PLACE_HPP
#define WAVEFOLD_HOST_TRY_WORDS_PLACE_HPP

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace wf::tried {
using place = std::source_location;
}

// The last parameter of a word, which callers omit.
#define WF_TRY_PLACE const wf::tried::place &at = wf::tried::place::current()
// The compiler does not record this function's accesses.
#define WF_TRY_UNRECORDED __attribute__((no_sanitize("thread")))

#endif
