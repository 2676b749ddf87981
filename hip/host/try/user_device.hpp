// The emulated device that a user's host code launches kernels on.
#ifndef WAVEFOLD_HOST_TRY_USER_DEVICE_HPP
#define WAVEFOLD_HOST_TRY_USER_DEVICE_HPP

#include "../emulator/machine.hpp"
#include "../watched/watched.hpp"

namespace wf::tried {

struct user_device {
    host::watched *watched;
    host::machine *machine; // of the present order of lanes
};

// Set before the first launch; valid as long as the process, as a kernel that was left behind may access them.
user_device &the_device();
void use_machine(unsigned wave_width, const host::schedule &order);

// How many accesses of all launches are checked; a later launch is checked in a part of its tiles.
void allow_checks(uint64_t of_all_launches);
// Launches so far, and those of which some tiles were not checked.
struct launch_count {
    unsigned all, sampled;
};
launch_count launches();

} // namespace wf::tried
#endif
