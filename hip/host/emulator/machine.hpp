// The host device: runs the lanes of a kernel on the CPU, and checks them. The machine shares the tiles of a launch
// among its workers (worker.hpp); each has a scheduler for lanes, and a checker for tile memory.
//
// Each lane of a tile is a fiber; tiles run on all cores. A lane runs as a plain call until its first barrier or
// shuffle. Lanes of a wave are NOT in lock step, as on today's GPUs: they run in the order of the schedule from one
// meeting point to the next, so a kernel whose result depends on the schedule lacks a barrier.
//
// Limits. A meeting point is known by its kind, file and line. Lanes that part and then wait in the same line (of a
// function called from two places, or in different turns of a loop) are taken to wait together. Counts would not
// separate them: lanes pass every meeting point together. Return addresses would separate too much: compilers duplicate
// calls. A stack overflow is found afterwards, by a canary: not if it jumps over the canary, and an endless recursion
// crashes.
#ifndef WAVEFOLD_HOST_EMULATOR_MACHINE_HPP
#define WAVEFOLD_HOST_EMULATOR_MACHINE_HPP

#include "first_finding.hpp"
#include "kernel_launch.hpp"
#include "lane.hpp"
#include "schedule.hpp"

#include <memory>
#include <string>
#include <vector>

namespace wf::host {

class worker;

class machine {
  public:
    // wave_width: 32 or 64. threads: CPU threads that run tiles; 0: one per core. Where memory or threads are short,
    // fewer run.
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

    // Lanes that returned count as arrived at a barrier, and where a mask names them.
    void let_returned_lanes_arrive() { returned_lanes_arrive_ = true; }
    // Kernels have their own tile memory, of any size: the machine only checks accesses to it.
    void leave_tile_memory_to_kernels() { most_tile_bytes_ = SIZE_MAX; }

    // The first broken rule since the last call; empty if none was broken.
    std::string take_finding();
    // The first event since the last call that is no broken rule, but may surprise; empty if there was none.
    std::string take_note();

    unsigned wave_width() const { return wave_width_; }
    unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

  private:
    void run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel, bool starts_early);

    unsigned wave_width_;
    schedule schedule_;
    const char *kernel_name_ = "kernel";
    std::vector<std::unique_ptr<worker>> workers_;
    first_finding finding_, note_;
    bool returned_lanes_arrive_ = false;
    size_t most_tile_bytes_ = tile_memory_bytes;
};

// Reports a finding about the lane that runs.
void report_of_lane(const std::string &finding);
// As check_read, for n existing cells of tile memory in a row that are read at once. They may be a struct with padding
// between its members, which no lane writes: of each 8 bytes some must have been written. A guess, with which a loop
// that compares and swaps begins, races with stores alone.
void check_read_at_once(size_t cell, size_t count, size_t cell_bytes, bool is_guess);
// Reads of these cells so far race with no later update: they turned out to be guesses.
void forget_readers(size_t cell, size_t count, size_t cell_bytes);
// Whether there is an earlier report, so that a new one would be ignored. Saves the time that a text takes.
bool is_reported();

} // namespace wf::host

namespace wf {
// hipLaunchKernelGGL for the host device, with the machine in place of a stream.
template <class... Parameters, class... Arguments>
void launch_on(host::machine &machine, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
               size_t tile_bytes, Arguments... arguments) {
    machine.launch(tiles, tile_size, tile_bytes, [=] { kernel(arguments...); });
}
// Launches run one after the other; on the watched device, lanes must wait for earlier ones all the same.
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
