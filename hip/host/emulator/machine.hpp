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

#include <cstddef>
#include <cstdint>
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
constexpr size_t shuffle_bytes = 64; // the largest element a shuffle moves

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

    const char *kernel_name() const { return kernel_name_; }

    // Runs the kernel for every lane of every tile and returns when all are done. Throws std::bad_alloc if the machine
    // itself runs out of memory; what a kernel throws becomes a finding.
    template <class Kernel>
    void launch(unsigned tiles, unsigned tile_size, size_t tile_bytes, const Kernel &kernel) {
        run(tiles, tile_size, tile_bytes, {[](const void *self) { (*static_cast<const Kernel *>(self))(); }, &kernel});
    }

    // What the first broken rule since the last call was; empty if none was broken.
    std::string take_finding();

    unsigned wave_width() const { return wave_width_; }
    const schedule &lane_order() const { return schedule_; }
    unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

    void report(const std::string &finding);

  private:
    void run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel);

    unsigned wave_width_;
    schedule schedule_;
    const char *kernel_name_ = "kernel";
    std::vector<std::unique_ptr<worker>> workers_;
    std::mutex finding_mutex_;
    std::string finding_;
};

// What the words of tile.hpp and wave.hpp ask of the lane that runs. Only valid inside a kernel.
struct place {
    unsigned lane, tile, tile_size, tiles, wave_width;
};
place where_am_i();
// The tile's memory, for elements of so many bytes.
unsigned char *tile_memory(size_t element_bytes, size_t *bytes);

// Meeting points. file and line say which one, so that lanes that wait at different ones are found.
void wait_for_tile(const char *file, int line);
void wait_for_wave(const char *file, int line);

// Checks an access of one lane to a cell of tile memory, of which there are so many; false if the cell does not exist.
bool check_read(size_t cell, size_t cells, size_t cell_bytes);
bool check_write(size_t cell, size_t cells, size_t cell_bytes);
bool check_update(size_t cell, size_t cells, size_t cell_bytes); // an atomic one
// Reports what the lane that runs has done.
void report_of_lane(const std::string &what);
// The lane waits for what will never come, which has been reported: it runs no further.
[[noreturn]] void give_up();
// So many bytes of tile memory go from one wave to another. What the lane that hands them over has done to them, and
// what the other lanes of its wave have before their last barrier, lies before what the lane does that takes them over,
// and before what the other lanes of its wave do behind their next barrier.
void hand_over(size_t first_byte, size_t bytes);
void take_over(size_t first_byte, size_t bytes);
// Reports an index outside an array view, which begins at data.
void report_bad_index(const void *data, size_t index, size_t size);
// Reports a load of several elements from an address that is no multiple of what it takes.
void report_misaligned(size_t index, unsigned count);

// One truth value per tile, which a lane sets and all read after the next barrier.
void set_tile_flag(bool flag);
bool tile_flag();

// *cell = update(*cell), with nobody in between. A null cell (an index outside, reported) is left alone.
template <class T, class Update>
void atomic_update(T *cell, const Update &update) {
    if (cell == nullptr)
        return;
    T old, updated;
    __atomic_load(cell, &old, __ATOMIC_RELAXED);
    do
        updated = update(old);
    while (!__atomic_compare_exchange(cell, &old, &updated, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

// Shuffles: every lane of the wave leaves bytes (shuffle_bytes at most), and is told where those of the lane number
// `from` of its group of `width` lanes, a power of two, are until the lane's next meeting point. Orders no accesses to
// tile memory.
const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line);
// The same for a truth value of every lane of the group: bit i of the answer is lane i's.
uint64_t ballot(bool mine, unsigned width, const char *file, int line);

} // namespace wf::host
#endif
