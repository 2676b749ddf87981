// A user's file with a main() of its own: it runs as it is, once for each width of waves and order of lanes, each time
// in a process of its own.
#ifndef WAVEFOLD_HOST_TRY_PROGRAM_HPP
#define WAVEFOLD_HOST_TRY_PROGRAM_HPP

namespace wf::tried {

// Called before the file's own initialisers, by a line that `wavefold try` adds. The answer is written when the program
// ends. Its run is that of the variable WAVEFOLD_TRY_RUN: "WIDTH ORDER SECONDS DESCRIPTOR".
int begin_program();

} // namespace wf::tried
#endif
