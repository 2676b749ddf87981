// The line of the source that an instruction of this program was made from, as addr2line reads it.
#ifndef WAVEFOLD_HOST_TRY_SOURCE_LINES_HPP
#define WAVEFOLD_HOST_TRY_SOURCE_LINES_HPP

#include "../emulator/watch.hpp"

namespace wf::tried {

// Whether it is one of the program's own: a kernel's, and of no library.
bool is_of_program(const void *instruction);
// Of the instruction before the one at this address: where a call returns to. Each has a column of its own, so that two
// accesses in one line are told apart. Remembered, so that it is asked once.
host::site line_before(const void *returns_to);
// Of the instruction itself; file is "" if it is none of this program's. Of what is inlined, the learner's own line.
host::site line_at(const void *instruction);
// Of the learner's file or what it includes; not of a word's definition, nor of the C++ library's.
bool is_own(const host::site &line);

} // namespace wf::tried
#endif
