// The host device: runs a kernel's lanes on the CPU, and watches them.
//
// Each lane of a tile is a fiber; tiles run on all cores. A lane runs as a plain call until its first barrier or
// shuffle. Lanes of a wave are NOT in lock step, as on today's GPUs: they run in the order of the schedule from one
// meeting point to the next, so a kernel whose result depends on the schedule lacks a barrier.
//
// Limits. Meeting points are told apart by kind, file and line. Lanes that part and then wait in the same line (of a
// helper called from two places, or in different turns of a loop) are taken to wait together. Counting would not tell:
// lanes pass every meeting point together. Return addresses would tell too much: compilers duplicate calls.
// A stack overflow is found afterwards, by a canary: not if it jumps over that, and a recursion without end crashes.
#ifndef WAVEFOLD_HOST_EMULATOR_MACHINE_HPP
#define WAVEFOLD_HOST_EMULATOR_MACHINE_HPP

#include "lane.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wf::host {

enum class order { forward, reverse, random };

struct schedule {
    order lanes = order::forward;
    uint64_t seed = 0;
};

constexpr unsigned largest_tile = 1024;
constexpr size_t tile_memory_bytes = 64 * 1024;

class worker;

// The kernel as the workers call it, once per lane.
struct kernel_call {
    void (*call)(const void *);
    const void *kernel;
};

class machine {
  public:
    // wave_width: 32 or 64. threads: how many CPU threads run tiles; 0: one per core. Where memory or threads are
    // short, fewer do.
    machine(unsigned wave_width, schedule order, unsigned threads = 0);
    ~machine();
    machine(const machine &) = delete;

    // The name that findings carry.
    void name_kernel(const char *name) { kernel_name_ = name; }

    // Runs the kernel for every lane of every tile and returns when all are done. Throws std::bad_alloc if the machine
    // itself runs out of memory; what a kernel throws becomes a finding.
    template <class Kernel>
    void launch(unsigned tiles, unsigned tile_size, size_t tile_bytes, const Kernel &kernel,
                bool starts_early = false) {
        run(tiles, tile_size, tile_bytes, {[](const void *self) { (*static_cast<const Kernel *>(self))(); }, &kernel},
            starts_early);
    }

    // What the first broken rule since the last call was; empty if none was broken.
    std::string take_finding();
    bool has_finding();

    unsigned wave_width() const { return wave_width_; }
    const schedule &lane_order() const { return schedule_; }
    unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

    void report(const std::string &finding);
    // Whether the launch that runs ends before its time: no tile begins any more, and what has thrown tells no other.
    bool breaks_off() const { return breaks_off_; }

  private:
    void run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel, bool starts_early);

    unsigned wave_width_;
    schedule schedule_;
    const char *kernel_name_ = "kernel";
    std::vector<std::unique_ptr<worker>> workers_;
    std::mutex finding_mutex_;
    std::string finding_;
    std::atomic<bool> breaks_off_{false};
};

// Reports what the lane that runs has done.
void report_of_lane(const std::string &what);
// As check_read, of so many cells of tile memory in a row, which are there, and are read at once. That may be a struct,
// and between its members lies what nobody writes: of 8 bytes some must have been written.
void check_read_at_once(size_t cell, size_t count, size_t cell_bytes);
// Whether a report would be in vain, since there is an earlier one: to say what is wrong takes long.
bool is_reported();

} // namespace wf::host

namespace wf {
// hipLaunchKernelGGL for the host device; it launches on the machine instead of a stream.
template <class... Parameters, class... Arguments>
void launch_on(host::machine &machine, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
               size_t tile_bytes, Arguments... arguments) {
    machine.launch(tiles, tile_size, tile_bytes, [=] { kernel(arguments...); });
}
// Launches run one after the other; where accesses are watched, lanes must wait for earlier ones all the same.
template <class... Parameters, class... Arguments>
void launch_early_on(host::machine &machine, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
                     size_t tile_bytes, Arguments... arguments) {
    machine.launch(
        tiles, tile_size, tile_bytes, [=] { kernel(arguments...); }, true);
}
inline bool lets_next_start(const host::machine &) {
    return true;
}
template <class... Parameters, class... Arguments>
bool launch_cluster_on(host::machine &machine, void (*kernel)(Parameters...), unsigned block_size, size_t tile_bytes,
                       Arguments... arguments) {
    launch_early_on(machine, kernel, 1, block_size, tile_bytes, arguments...);
    return true;
}
} // namespace wf
#endif
