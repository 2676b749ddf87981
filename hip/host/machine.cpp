// The scheduler of the host device: fibers for lanes, threads for tiles.
#include "machine.hpp"

#include "shadow.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

namespace wf::host {

namespace {

using boost::context::fiber;

constexpr size_t stack_bytes = 64 * 1024; // a kernel's frame is small; pages are only touched as they are used
constexpr size_t slot_bytes = 16;         // the largest element a shuffle moves

// splitmix64 (Steele, Lea, Flood 2014): a good bit mixer, and with a counter a random generator.
uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

enum class state { fresh, running, at_tile_barrier, at_wave_barrier, finished };

struct lane {
    unsigned number = 0;
    host::state state = host::state::fresh;
    const char *file = nullptr; // of the meeting point it waits at
    int line = 0;
    fiber suspended;
    unsigned parity = 0; // of the slot its next shuffle uses
    alignas(slot_bytes) unsigned char slots[2][slot_bytes] = {};
};

struct launch_shape {
    unsigned tiles, tile_size;
    size_t tile_bytes;
    kernel_call kernel;
};

// A permutation of 0 .. count - 1 that depends on the seed: an odd multiplication modulo a power of two, walked until
// it falls below count.
unsigned shuffled(unsigned i, unsigned count, uint64_t seed) {
    unsigned mask = count - 1;
    for (unsigned shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    const auto factor = static_cast<unsigned>(mix(seed)) | 1u;
    const auto offset = static_cast<unsigned>(mix(seed + 1));
    do
        i = (i * factor + offset) & mask;
    while (i >= count);
    return i;
}

} // namespace

// One CPU thread's share of the machine: runs one tile at a time.
class worker {
  public:
    explicit worker(machine &machine)
        : machine_(machine), memory_(new unsigned char[tile_memory_bytes]), lanes_(largest_tile),
          shadows_(tile_memory_bytes / sizeof(uint32_t)) {}

    void run_tile(const launch_shape &shape, unsigned tile);

    // For the lane that runs.
    place where() const { return {running_->number, tile_, shape_->tile_size, shape_->tiles, machine_.wave_width()}; }
    unsigned char *memory(size_t *bytes) const {
        *bytes = shape_->tile_bytes;
        return memory_.get();
    }
    void wait(state at, const char *file, int line);
    void exchange(const void *mine, void *theirs, size_t bytes, unsigned source_lane, const char *file, int line);
    bool check(size_t cell, size_t cells, bool is_write);
    void report(const std::string &what) { machine_.report("tile " + std::to_string(tile_) + ": " + what); }
    unsigned running_lane() const { return running_->number; }

  private:
    void order_lanes(std::vector<lane *> &lanes);
    void run_lanes(std::vector<lane *> &lanes);
    void resume(fiber &&with);
    fiber make_fiber();
    bool release_waves(std::vector<lane *> &released);
    bool release_tile(std::vector<lane *> &released);
    void report_stuck();
    void abandon();
    unsigned wave_of(unsigned lane) const { return lane / machine_.wave_width(); }

    machine &machine_;
    uint64_t random_ = 0; // of this tile: the same whichever thread runs it
    const launch_shape *shape_ = nullptr;
    unsigned tile_ = 0;
    std::unique_ptr<unsigned char[]> memory_;
    std::vector<lane> lanes_;
    std::vector<lane *> batch_; // the lanes of this pass, in the order they run
    size_t next_fresh_ = 0;     // in batch_: the next lane that a fiber may start
    lane *running_ = nullptr;
    fiber scheduler_; // where a lane goes back to; empty while the scheduler itself runs
    std::vector<fiber> idle_;
    std::vector<shadow_cell> shadows_;
    uint64_t epoch_ = 0;                                            // of the tile: grows at each of its barriers
    uint64_t tile_began_ = 0;                                       // the epoch in which this tile started
    std::vector<uint64_t> wave_epochs_ = std::vector<uint64_t>(64); // of each wave
};

namespace {
thread_local worker *current = nullptr;
}

// Not inlined: a fiber may run on another thread in the next launch, so nobody may keep the address of `current`.
__attribute__((noinline)) static worker &here() {
    return *current;
}

place where_am_i() {
    return here().where();
}
unsigned char *tile_memory(size_t *bytes) {
    return here().memory(bytes);
}
void wait_for_tile(const char *file, int line) {
    here().wait(state::at_tile_barrier, file, line);
}
void wait_for_wave(const char *file, int line) {
    here().wait(state::at_wave_barrier, file, line);
}
bool check_read(size_t cell, size_t cells) {
    return here().check(cell, cells, false);
}
bool check_write(size_t cell, size_t cells) {
    return here().check(cell, cells, true);
}
void exchange(const void *mine, void *theirs, size_t bytes, unsigned source_lane, const char *file, int line) {
    here().exchange(mine, theirs, bytes, source_lane, file, line);
}
void report_bad_index(size_t index, size_t size) {
    here().report("lane " + std::to_string(here().running_lane()) + " used index " + std::to_string(index) +
                  " of an array view of " + std::to_string(size) + " elements");
}

// ---- Lanes ----------------------------------------------------------------------------------------------------------

// A fiber starts one lane after the other, as plain calls, until one of them waits; that lane keeps the fiber, and when
// it is done the fiber goes on with what is still fresh.
fiber worker::make_fiber() {
    return fiber(std::allocator_arg, boost::context::protected_fixedsize_stack(stack_bytes),
                 [this](fiber &&back) -> fiber {
                     scheduler_ = std::move(back);
                     for (;;) {
                         while (next_fresh_ < batch_.size()) {
                             running_ = batch_[next_fresh_++];
                             running_->state = state::running;
                             shape_->kernel.call(shape_->kernel.kernel);
                             running_->state = state::finished;
                         }
                         scheduler_ = std::move(scheduler_).resume();
                     }
                 });
}

// Runs a fiber until it comes back, and puts it where it belongs: to the lane that waits on it, or to the idle ones.
void worker::resume(fiber &&with) {
    fiber came_back = std::move(with).resume();
    if (running_->state == state::finished)
        idle_.push_back(std::move(came_back));
    else
        running_->suspended = std::move(came_back);
}

void worker::run_lanes(std::vector<lane *> &lanes) {
    order_lanes(lanes);
    batch_.swap(lanes);
    if (batch_.front()->state == state::fresh) {
        next_fresh_ = 0;
        while (next_fresh_ < batch_.size()) {
            fiber with = idle_.empty() ? make_fiber() : std::move(idle_.back());
            if (!idle_.empty())
                idle_.pop_back();
            resume(std::move(with));
        }
    } else {
        next_fresh_ = batch_.size();
        for (lane *waiting : batch_) {
            running_ = waiting;
            running_->state = state::running;
            resume(std::move(waiting->suspended));
        }
    }
    batch_.swap(lanes);
}

void worker::order_lanes(std::vector<lane *> &lanes) {
    switch (machine_.lane_order().lanes) {
    case order::forward:
        break;
    case order::reverse:
        std::reverse(lanes.begin(), lanes.end());
        break;
    case order::random:
        for (size_t i = lanes.size(); i > 1; i--)
            std::swap(lanes[i - 1], lanes[(random_ = mix(random_)) % i]);
        break;
    }
}

// ---- Meeting points -------------------------------------------------------------------------------------------------

void worker::wait(state at, const char *file, int line) {
    running_->state = at;
    running_->file = file;
    running_->line = line;
    scheduler_ = std::move(scheduler_).resume();
}

void worker::exchange(const void *mine, void *theirs, size_t bytes, unsigned source_lane, const char *file, int line) {
    // Two slots in turn: a lane that runs ahead to the next shuffle does not overwrite what others still read.
    lane &self = *running_;
    const unsigned parity = self.parity;
    self.parity ^= 1;
    std::memcpy(self.slots[parity], mine, bytes);
    wait(state::at_wave_barrier, file, line);
    std::memcpy(theirs, lanes_[source_lane].slots[parity], bytes);
}

static bool same_meeting_point(const lane &a, const lane &b) {
    return a.state == b.state && a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// A wave goes on when all of its lanes wait at one meeting point of the wave.
bool worker::release_waves(std::vector<lane *> &released) {
    released.clear();
    const unsigned width = machine_.wave_width();
    for (unsigned first = 0; first < shape_->tile_size; first += width) {
        const unsigned end = std::min(first + width, shape_->tile_size);
        const lane &leader = lanes_[first];
        if (leader.state != state::at_wave_barrier)
            continue;
        if (!std::all_of(&lanes_[first], &lanes_[end - 1] + 1,
                         [&](const lane &other) { return same_meeting_point(leader, other); }))
            continue;
        wave_epochs_[wave_of(first)]++;
        for (unsigned i = first; i < end; i++)
            released.push_back(&lanes_[i]);
    }
    return !released.empty();
}

// The tile goes on when all of its lanes wait at one barrier of the tile.
bool worker::release_tile(std::vector<lane *> &released) {
    released.clear();
    for (unsigned i = 0; i < shape_->tile_size; i++) {
        if (lanes_[i].state != state::at_tile_barrier || !same_meeting_point(lanes_[0], lanes_[i]))
            return false;
        released.push_back(&lanes_[i]);
    }
    epoch_++;
    return true;
}

// Lanes wait for others that will never come: says who is where.
void worker::report_stuck() {
    const auto name_of = [](const lane &lane) -> std::string {
        if (lane.state == state::finished)
            return "has returned";
        const char *slash = std::strrchr(lane.file, '/');
        return std::string(lane.state == state::at_tile_barrier ? "waits at the tile barrier "
                                                                : "waits for its wave ") +
               (slash != nullptr ? slash + 1 : lane.file) + ":" + std::to_string(lane.line);
    };
    const lane *waiting = &lanes_[0];
    while (waiting->state == state::finished)
        waiting++;
    const lane *other = &lanes_[0];
    while (other->state != state::finished && same_meeting_point(*waiting, *other) &&
           other + 1 < &lanes_[0] + shape_->tile_size)
        other++;
    unsigned alike = 0;
    for (unsigned i = 0; i < shape_->tile_size; i++)
        alike += lanes_[i].state != state::finished && same_meeting_point(*waiting, lanes_[i]);
    report("divergent barrier: lane " + std::to_string(waiting->number) + " " + name_of(*waiting) + " (as do " +
           std::to_string(alike - 1) + " more lanes), but lane " + std::to_string(other->number) + " " +
           name_of(*other));
}

// Unwinds the lanes that can never go on.
void worker::abandon() {
    for (unsigned i = 0; i < shape_->tile_size; i++)
        lanes_[i].suspended = fiber();
}

void worker::run_tile(const launch_shape &shape, unsigned tile) {
    current = this;
    shape_ = &shape;
    tile_ = tile;
    tile_began_ = ++epoch_;
    random_ = mix(machine_.lane_order().seed ^ mix(tile));

    std::vector<lane *> lanes;
    lanes.reserve(shape.tile_size);
    for (unsigned i = 0; i < shape.tile_size; i++) {
        lanes_[i].number = i;
        lanes_[i].state = state::fresh;
        lanes_[i].parity = 0;
        lanes.push_back(&lanes_[i]);
    }
    do
        run_lanes(lanes);
    while (release_waves(lanes) || release_tile(lanes));

    const auto end = lanes_.begin() + shape.tile_size;
    if (!std::all_of(lanes_.begin(), end, [](const lane &lane) { return lane.state == state::finished; })) {
        report_stuck();
        abandon();
    }
    current = nullptr;
}

// ---- Tile memory ----------------------------------------------------------------------------------------------------

bool worker::check(size_t cell, size_t cells, bool is_write) {
    const unsigned self = running_->number;
    const auto lane_text = [](unsigned lane) { return "lane " + std::to_string(lane); };
    if (cell >= cells) {
        report(lane_text(self) + (is_write ? " wrote" : " read") + " cell " + std::to_string(cell) +
               " of a tile memory of " + std::to_string(cells) + " cells");
        return false;
    }
    shadow_cell &shadow = shadows_[cell];
    const unsigned wave = wave_of(self);
    const access now = {epoch_, wave_epochs_[wave], self, wave};
    if (!is_write && !shadow.written_since(tile_began_))
        report(lane_text(self) + " read cell " + std::to_string(cell) + " of tile memory, which nobody has written");
    const access earlier = is_write ? shadow.write(now) : shadow.read(now);
    if (earlier.epoch != 0)
        report("race in tile memory: " + lane_text(self) + (is_write ? " wrote" : " read") + " cell " +
               std::to_string(cell) + ", which " + lane_text(earlier.lane) + " uses too with no barrier between them");
    return true;
}

// ---- The machine ----------------------------------------------------------------------------------------------------

machine::machine(unsigned wave_width, schedule order, unsigned threads) : wave_width_(wave_width), schedule_(order) {
    const unsigned count = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; i++)
        workers_.push_back(std::make_unique<worker>(*this));
}

machine::~machine() = default;

void machine::report(const std::string &finding) {
    const std::lock_guard<std::mutex> lock(finding_mutex_);
    if (finding_.empty())
        finding_ = std::string(kernel_name_) + ", " + finding;
}

std::string machine::take_finding() {
    const std::lock_guard<std::mutex> lock(finding_mutex_);
    std::string taken;
    taken.swap(finding_);
    return taken;
}

void machine::run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel) {
    const launch_shape shape = {tiles, tile_size, tile_bytes, kernel};
    std::atomic<unsigned> next{0};
    const auto work = [&](worker &worker) {
        for (unsigned i; (i = next.fetch_add(1)) < tiles;) {
            switch (schedule_.lanes) {
            case order::forward:
                worker.run_tile(shape, i);
                break;
            case order::reverse:
                worker.run_tile(shape, tiles - 1 - i);
                break;
            case order::random:
                worker.run_tile(shape, shuffled(i, tiles, schedule_.seed));
                break;
            }
        }
    };
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < workers_.size() && i < tiles; i++)
        helpers.emplace_back(work, std::ref(*workers_[i]));
    work(*workers_[0]);
    for (std::thread &helper : helpers)
        helper.join();
}

} // namespace wf::host
