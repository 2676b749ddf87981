// The orders of lanes that a kernel is tried with.
#ifndef WAVEFOLD_HOST_TRY_SCHEDULES_HPP
#define WAVEFOLD_HOST_TRY_SCHEDULES_HPP

#include "../../emulator/schedule.hpp"

namespace wf::tried {

struct named_schedule {
    const char *name;
    host::schedule order;
};
inline constexpr named_schedule schedules[] = {
    {"forward", {}}, {"reverse", {host::order::reverse, 0}}, {"random", {host::order::random, 1}}};
inline constexpr unsigned schedule_count = sizeof schedules / sizeof *schedules;

} // namespace wf::tried
#endif
