// A launch, as the machine hands it to its workers.
#ifndef WAVEFOLD_HOST_EMULATOR_KERNEL_LAUNCH_HPP
#define WAVEFOLD_HOST_EMULATOR_KERNEL_LAUNCH_HPP

#include "first_finding.hpp"
#include "schedule.hpp"

#include <atomic>
#include <cstddef>

namespace wf::host {

constexpr unsigned largest_tile = 1024;
constexpr size_t tile_memory_bytes = 64 * 1024;

// The kernel as the workers call it, once per lane.
struct kernel_call {
    void (*call)(const void *);
    const void *kernel;
};

struct kernel_launch {
    const char *name; // of the kernel, for findings
    unsigned tiles, tile_size, wave_width;
    size_t tile_bytes;
    schedule order;
    kernel_call kernel;
    first_finding *findings, *notes;
    const std::atomic<bool> *breaks_off; // a worker ran out of memory: the launch ends before its time
    bool returned_lanes_arrive; // at barriers, and where a mask names them (NVIDIA's GPUs since Volta); with a note
};

} // namespace wf::host
#endif
