// Clocks, waits, and the end of a kernel.
#ifndef WAVEFOLD_HOST_TRY_WORDS_CONTROL_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_CONTROL_WORDS_HPP

#include "place.hpp"

#include <time.h> // clock()

namespace wf::tried {

long long nanoseconds();
[[noreturn]] void trap(const char *word, const place &at);

} // namespace wf::tried

inline long long clock64() {
    return wf::tried::nanoseconds();
}
inline long long wall_clock64() {
    return wf::tried::nanoseconds();
}
inline unsigned long long __globaltimer() {
    return (unsigned long long)wf::tried::nanoseconds();
}
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap(WF_TRY_PLACE) {
    wf::tried::trap("__trap()", at);
}
inline void __brkpt() {}

#endif
