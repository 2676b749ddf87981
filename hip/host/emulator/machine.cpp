// The scheduler of the host device: fibers for lanes, threads for tiles.
#include "machine.hpp"

#include "../default_float_environment.hpp"
#include "../threads.hpp"
#include "fiber.hpp"
#include "findings.hpp"
#include "shadow.hpp"
#include "stack_arena.hpp"
#include "watch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

namespace wf::host {

namespace {

// A lane's stack is brought near the cores while so many others run.
constexpr size_t fetched_ahead = 4;

// splitmix64 (Steele, Lea, Flood 2014): a good bit mixer, and with a counter a random generator.
uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

enum class state { fresh, running, at_tile_barrier, at_wave_barrier, at_shuffle, finished };

// What is asked of a lane at each switch, in one line of the cache.
struct alignas(64) lane {
    unsigned number = 0;
    unsigned wave = 0;
    host::state state = host::state::fresh;
    int line = 0;
    const char *file = nullptr; // of the meeting point it waits at
    fiber suspended;
    const void *frame = nullptr; // where on its stack it waits
    unsigned stack = 0;          // number of the one it runs on
    unsigned parity = 0;         // of the slot its next shuffle uses
};

// What the lanes of a tile leave for their waves, in two slots in turn: a lane that runs ahead to the next shuffle does
// not overwrite what others still read. Words have slots of their own, of which a wave's are in few lines of the cache.
struct shuffle_slots {
    alignas(8) unsigned char words[2][largest_tile][8];
    alignas(shuffle_bytes) unsigned char larger[2][largest_tile][shuffle_bytes];

    unsigned char *at(unsigned parity, unsigned lane, size_t bytes) {
        return bytes <= sizeof words[0][0] ? words[parity][lane] : larger[parity][lane];
    }
};

// The lanes of a wave that wait, counted as they come.
struct gathering {
    unsigned lanes = 0; // of the wave
    unsigned waiting = 0;
    bool is_together = true; // all of them at the meeting point of the first one
    uint64_t votes[2] = {};  // by lane, for each parity as with slots
    const lane *first = nullptr;
    bool is_complete() const { return waiting == lanes && is_together; }
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
          slots_(new shuffle_slots) {
        idle_.reserve(largest_tile);
        batch_.reserve(largest_tile);
    }

    void run_tile(const launch_shape &shape, unsigned tile);
    void abandon();

    // For the lane that runs.
    place where() const { return {running_->number, tile_, shape_->tile_size, shape_->tiles, machine_.wave_width()}; }
    unsigned char *memory(size_t element_bytes, size_t *bytes);
    void wait(state at, const char *file, int line);
    const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line);
    uint64_t ballot(bool mine, unsigned width, const char *file, int line);
    bool agrees(bool mine, unsigned width, const char *file, int line);
    template <bool IsWrite>
    void check_order(shadow_cell &shadow, size_t cell);
    template <bool IsWrite>
    void check_unit(shadow_cell &shadow, size_t cell);
    template <bool IsWrite>
    bool check(size_t cell, size_t cells, size_t cell_bytes);
    void check_read_at_once(size_t cell, size_t count, size_t cell_bytes);
    bool check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads);
    void report(const std::string &what) { machine_.report("tile " + std::to_string(tile_) + ": " + what); }
    // What is wrong with an access: where it stands, if that is known.
    void report_at_access(const std::string &what) { report(what + watch::place()); }
    bool is_reported() { return machine_.has_finding(); }
    bool breaks_off() const { return thrown_ != nullptr || machine_.breaks_off(); }
    bool tile_flag = false;
    unsigned running_lane() const { return running_->number; }

  private:
    void start_tile();
    void order_batch();
    void run_batch();
    fiber take_next();
    void switch_to(fiber &&next, fiber &left);
    void run_lane();
    void check_stack(unsigned stack);
    fiber make_fiber();
    void leave_in_slot(const void *mine, size_t bytes);
    void release(gathering &wave);
    bool release_waves();
    bool release_tile();
    access this_access() const { return {epoch_, wave_epochs_[running_->wave], running_->number, running_->wave}; }
    void report_access(bool is_write, size_t cell, const std::string &where);
    void report_beyond(bool is_write, size_t cell, size_t cells);
    void report_unwritten(size_t cell);
    void report_race(bool is_write, size_t cell, unsigned other);
    void report_shuffle(unsigned source, unsigned width, const char *file, int line);
    void report_loop(unsigned number, bool goes_on, unsigned other, const char *file, int line);
    void report_stuck();
    void report_exception();
    void forget_fibers();
    machine &machine_;
    uint64_t random_ = 0; // of this tile: the same whichever thread runs it
    const launch_shape *shape_ = nullptr;
    unsigned tile_ = 0;
    std::unique_ptr<unsigned char[]> memory_;
    stack_arena stacks_{largest_tile}; // before all that holds fibers, so that it outlives them
    unsigned stacks_used_ = 0;
    std::vector<lane> lanes_;
    std::unique_ptr<shuffle_slots> slots_;
    std::vector<gathering> gatherings_; // of each wave
    std::vector<lane *> batch_;         // the lanes of this pass, in the order they run
    size_t next_ = 0;                   // in batch_: the lane after the one that runs
    bool starts_ = false;               // the lanes of this pass are fresh: any fiber may run them
    bool is_broken_ = false;            // a stack was too small: no lane of the tile may run any more
    lane *running_ = nullptr;
    fiber scheduler_;       // where the last lane of a pass goes back to; empty while the scheduler itself runs
    fiber *left_ = nullptr; // where the fiber that was left last is kept
    std::vector<fiber> idle_;
    std::exception_ptr thrown_;        // by the first kernel of this tile that threw
    unsigned thrower_ = 0;             // its lane
    std::vector<shadow_cell> shadows_; // each for shadowed_bytes_ of tile memory
    size_t shadowed_bytes_ = 0;        // the size of this tile's elements; 0: none are declared yet
    uint64_t epoch_ = 0;               // of the tile: grows at each of its barriers
    uint64_t tile_began_ = 0;          // the epoch in which this tile started
    std::vector<uint64_t> wave_epochs_ = std::vector<uint64_t>(64); // of each wave
};

namespace {
// initial-exec: else every access to tile memory calls the dynamic linker. A module that is loaded late may have a few
// bytes so.
__attribute__((tls_model("initial-exec"))) thread_local worker *current = nullptr;
} // namespace

// Not inlined: a fiber may run on another thread in the next launch, so nobody may keep the address of `current`.
__attribute__((noinline)) static worker &here() {
    return *current;
}

place where_am_i() {
    return here().where();
}
unsigned char *tile_memory(size_t element_bytes, size_t *bytes) {
    return here().memory(element_bytes, bytes);
}
void wait_for_tile(const char *file, int line) {
    here().wait(state::at_tile_barrier, file, line);
}
void wait_for_wave(const char *file, int line) {
    here().wait(state::at_wave_barrier, file, line);
}
const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line) {
    return here().exchange(mine, bytes, width, from, file, line);
}
uint64_t ballot(bool mine, unsigned width, const char *file, int line) {
    return here().ballot(mine, width, file, line);
}
bool agrees(bool mine, unsigned width, const char *file, int line) {
    return here().agrees(mine, width, file, line);
}
void report_of_lane(const std::string &what) {
    here().report_at_access("lane " + std::to_string(here().running_lane()) + what);
}
bool is_reported() {
    return here().is_reported();
}
void report_bad_index(const void *data, size_t index, size_t size) {
    report_of_lane(" used index " + std::to_string(index) + " of " + watch::array_name(data) + "an array view of " +
                   std::to_string(size) + (size == 1 ? " element: " : " elements: ") +
                   std::to_string(index - size + 1) + " beyond its last one");
}
bool breaks_off() {
    return here().breaks_off();
}
void give_up() {
    struct never_comes {};
    throw never_comes();
}

void report_misaligned(size_t index, unsigned count) {
    here().report_at_access("lane " + std::to_string(here().running_lane()) + " loaded " + std::to_string(count) +
                            " elements at once from index " + std::to_string(index) +
                            ", which is not aligned for that");
}
void set_tile_flag(bool flag) {
    here().tile_flag = flag;
}
bool tile_flag() {
    return here().tile_flag;
}

// ---- Lanes ----------------------------------------------------------------------------------------------------------

void worker::run_lane() {
    running_->state = state::running;
    const auto keep_exception = [this](const auto &call) {
        try {
            call();
        } catch (const boost::context::detail::forced_unwind &) {
            throw; // Boost's own, from abandon()
        } catch (...) {
            if (!thrown_) {
                thrown_ = std::current_exception();
                thrower_ = running_->number;
            }
        }
    };
    keep_exception([this] { shape_->kernel.call(shape_->kernel.kernel); });
    keep_exception([] { watch::meets(watch::meeting::end); });
    running_->state = state::finished;
}

void worker::check_stack(unsigned stack) {
    if (!stacks_.is_whole(stack))
        is_broken_ = true;
}

// A fiber starts one lane after the other, as plain calls, until one of them waits; that lane keeps the fiber, and when
// it is done the fiber goes on with what is still fresh.
fiber worker::make_fiber() {
    const unsigned stack = stacks_used_++;
    return fiber(std::allocator_arg, arena_allocator{stacks_, stack}, [this, stack](fiber &&back) -> fiber {
        *left_ = std::move(back);
        for (;;) {
            while (starts_ && next_ < batch_.size()) {
                running_ = batch_[next_++];
                running_->stack = stack;
                run_lane();
            }
            check_stack(stack);
            fiber next = take_next();
            switch_to(std::move(next), idle_.emplace_back());
        }
    });
}

// The fiber that goes on when one stops: the next lane's, straight from lane to lane, and after the last one the
// scheduler.
inline fiber worker::take_next() {
    if (next_ == batch_.size() || is_broken_)
        return std::move(scheduler_);
    if (starts_) { // it takes the lane itself
        if (idle_.empty())
            return make_fiber();
        fiber idle = std::move(idle_.back());
        idle_.pop_back();
        return idle;
    }
    running_ = batch_[next_++];
    running_->state = state::running;
    if (next_ + fetched_ahead < batch_.size()) {
        const lane &later = *batch_[next_ + fetched_ahead];
        stacks_.fetch_canary(later.stack);
        __builtin_prefetch(later.frame);
    }
    return std::move(running_->suspended);
}

// Goes on with the next fiber, and keeps the one that runs in left until somebody goes on with that.
inline void worker::switch_to(fiber &&next, fiber &left) {
    left_ = &left;
    fiber from = std::move(next).resume();
    *left_ = std::move(from);
}

// Runs lanes to where they wait next.
void worker::run_batch() {
    order_batch();
    next_ = 0;
    starts_ = batch_.front()->state == state::fresh;
    fiber first = take_next();
    switch_to(std::move(first), scheduler_);
}

void worker::order_batch() {
    switch (machine_.lane_order().lanes) {
    case order::forward:
        break;
    case order::reverse:
        std::reverse(batch_.begin(), batch_.end());
        break;
    case order::random:
        for (size_t i = batch_.size(); i > 1; i--) {
            random_ = mix(random_);
            std::swap(batch_[i - 1], batch_[(random_ >> 32) * i >> 32]); // a fraction of i, without a division
        }
        break;
    }
}

// ---- Meeting points -------------------------------------------------------------------------------------------------

static bool same_file(const char *a, const char *b) {
    return a == b || std::strcmp(a, b) == 0;
}

static std::string line_of_source(const char *file, int line) {
    const char *const slash = std::strrchr(file, '/');
    return std::string(slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line);
}

static bool same_meeting_point(const lane &a, const lane &b) {
    return a.state == b.state && a.line == b.line && same_file(a.file, b.file);
}

// Inlined, as is what it calls: after a switch the processor predicts no return, so each one costs.
inline void worker::wait(state at, const char *file, int line) {
    lane &self = *running_;
    if (at != state::at_shuffle)
        watch::meets(at == state::at_tile_barrier ? watch::meeting::tile_barrier : watch::meeting::wave_barrier);
    self.state = at;
    self.file = file;
    self.line = line;
    self.frame = __builtin_frame_address(0);
    gathering &wave = gatherings_[self.wave];
    if (wave.waiting++ == 0)
        wave.first = &self;
    else if (wave.first->state != at || wave.first->line != line || !same_file(wave.first->file, file))
        wave.is_together = false;
    check_stack(self.stack);
    fiber next = take_next();
    switch_to(std::move(next), self.suspended);
}

// Leaves bytes where the wave finds them.
inline void worker::leave_in_slot(const void *mine, size_t bytes) {
    lane &self = *running_;
    unsigned char *const slot = slots_->at(self.parity, self.number, bytes);
    self.parity ^= 1;
    switch (bytes) { // no call for what registers hold
    case 4:
        std::memcpy(slot, mine, 4);
        break;
    case 8:
        std::memcpy(slot, mine, 8);
        break;
    default:
        std::memcpy(slot, mine, bytes);
    }
}

// Apart: the strings would make the frames of all lanes that wait larger, which the cache holds. width: of the shuffle,
// if it is too wide; else 0.
__attribute__((noinline, cold)) void worker::report_shuffle(unsigned source, unsigned width, const char *file,
                                                            int line) {
    const std::string wave = std::to_string(machine_.wave_width()) + " lanes";
    const bool is_in_wave = source / machine_.wave_width() == running_->wave;
    report("lane " + std::to_string(running_->number) + " reads lane " + std::to_string(source) + " by a shuffle" +
           (width != 0   ? " over " + std::to_string(width) + " lanes, in a wave of " + wave
            : is_in_wave ? ", which its tile of " + std::to_string(shape_->tile_size) + " threads does not have"
                         : ", which is not in its wave of " + wave) +
           " (" + line_of_source(file, line) + ")");
}

__attribute__((always_inline)) inline const void *worker::exchange(const void *mine, size_t bytes, unsigned width,
                                                                   unsigned from, const char *file, int line) {
    const lane &self = *running_;
    unsigned source = (self.number & ~(width - 1)) + from;
    const unsigned wave_width = machine_.wave_width();
    const bool is_outside = ((source ^ self.number) & ~(wave_width - 1)) != 0 || source >= shape_->tile_size;
    if (is_outside || width > wave_width) {
        report_shuffle(source, is_outside ? 0 : width, file, line);
        source = self.number;
    }
    const unsigned parity = self.parity;
    leave_in_slot(mine, bytes);
    watch::meets(watch::meeting::shuffle, mine, bytes, source);
    wait(state::at_shuffle, file, line);
    return slots_->at(parity, source, bytes);
}

inline uint64_t worker::ballot(bool mine, unsigned width, const char *file, int line) {
    const lane &self = *running_;
    gathering &wave = gatherings_[self.wave];
    uint64_t &votes = wave.votes[self.parity];
    const unsigned at = self.number & (machine_.wave_width() - 1);
    if (wave.waiting == 0)
        votes = 0;
    votes |= uint64_t(mine) << at;
    exchange(&mine, sizeof mine, width, at & (width - 1), file, line); // lanes that the tile does not have vote no
    const uint64_t group = width < 64 ? (uint64_t(1) << width) - 1 : ~uint64_t(0);
    return votes >> (at & ~(width - 1)) & group;
}

// No instruction of a GPU's: nobody who counts those is told.
bool worker::agrees(bool mine, unsigned width, const char *file, int line) {
    const unsigned number = running_->number, first = number & ~(width - 1), parity = running_->parity;
    leave_in_slot(&mine, sizeof mine);
    wait(state::at_shuffle, file, line);
    if ((*slots_->at(parity, first, sizeof mine) != 0) != mine)
        report_loop(number, mine, first, file, line);
    return mine;
}

__attribute__((noinline, cold)) void worker::report_loop(unsigned number, bool goes_on, unsigned other,
                                                         const char *file, int line) {
    report("lane " + std::to_string(number) + (goes_on ? " goes on in" : " leaves") + " a loop, and lane " +
           std::to_string(other) + " of its wave does not (" + line_of_source(file, line) + ")");
}

inline void worker::release(gathering &wave) {
    const unsigned first = wave.first->number & ~(machine_.wave_width() - 1);
    for (unsigned i = 0; i < wave.lanes; i++)
        batch_.push_back(&lanes_[first + i]);
    wave.waiting = 0;
}

// A wave goes on when all of its lanes wait at one meeting point of the wave.
bool worker::release_waves() {
    batch_.clear();
    for (size_t w = 0; w < gatherings_.size(); w++) {
        gathering &wave = gatherings_[w];
        if (!wave.is_complete() || wave.first->state == state::at_tile_barrier)
            continue;
        if (wave.first->state == state::at_wave_barrier) { // a shuffle moves registers, and orders no memory
            wave_epochs_[w]++;
            watch::passes_wave_barrier(unsigned(w) * machine_.wave_width(), wave.lanes);
        }
        release(wave);
    }
    return !batch_.empty();
}

// The tile goes on when all of its lanes wait at one barrier of the tile.
bool worker::release_tile() {
    const auto waits = [&](const gathering &wave) {
        return wave.is_complete() && wave.first->state == state::at_tile_barrier &&
               same_meeting_point(*gatherings_[0].first, *wave.first);
    };
    if (!std::all_of(gatherings_.begin(), gatherings_.end(), waits))
        return false;
    for (gathering &wave : gatherings_)
        release(wave);
    epoch_++;
    watch::passes_tile_barrier();
    return true;
}

// Lanes wait for others that will never come: says who is where.
void worker::report_stuck() {
    const auto name_of = [](const lane &lane) -> std::string {
        if (lane.state == state::finished)
            return "has returned";
        return (lane.state == state::at_tile_barrier ? "waits at the tile barrier " : "waits for its wave ") +
               line_of_source(lane.file, lane.line);
    };
    const lane *waiting = &lanes_[0];
    while (waiting->state == state::finished)
        waiting++;
    // Who waits for its wave is kept by one of its lanes, whatever others do.
    const bool for_tile = waiting->state == state::at_tile_barrier;
    const lane *other = &lanes_[for_tile ? 0 : waiting->wave * machine_.wave_width()];
    const lane *const end = other + (for_tile ? shape_->tile_size : gatherings_[waiting->wave].lanes);
    while (other->state != state::finished && same_meeting_point(*waiting, *other) && other + 1 < end)
        other++;
    unsigned alike = 0;
    for (unsigned i = 0; i < shape_->tile_size; i++)
        alike += lanes_[i].state != state::finished && same_meeting_point(*waiting, lanes_[i]);
    const std::string with = alike == 1   ? ""
                             : alike == 2 ? " (as does 1 more lane)"
                                          : " (as do " + std::to_string(alike - 1) + " more lanes)";
    report("divergent barrier: lane " + std::to_string(waiting->number) + " " + name_of(*waiting) + with +
           ", but lane " + std::to_string(other->number) + " " + name_of(*other));
}

void worker::report_exception() {
    const std::string what = "lane " + std::to_string(thrower_) + ": kernel threw an exception";
    try {
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    } catch (const std::bad_alloc &) {
        throw; // of the machine itself: kernels allocate nothing
    } catch (const std::exception &error) {
        report(what + ": " + error.what());
    } catch (...) {
        report(what);
    }
}

// Unwinds the lanes that can never go on, and starts afresh.
void worker::abandon() {
    for (lane &lane : lanes_)
        lane.suspended = fiber();
    idle_.clear();
    stacks_used_ = 0;
}

// The same after an overflow: what is on the stacks cannot be trusted, so nothing is unwound.
void worker::forget_fibers() {
    const auto forget = [](fiber &lost) {
        alignas(fiber) unsigned char never_destroyed[sizeof(fiber)];
        new (never_destroyed) fiber(std::move(lost));
    };
    for (lane &lane : lanes_)
        forget(lane.suspended);
    for (fiber &idle : idle_)
        forget(idle);
    abandon();
}

// All lanes are fresh, and the first batch.
void worker::start_tile() {
    const unsigned width = machine_.wave_width();
    is_broken_ = false;
    gatherings_.assign((shape_->tile_size + width - 1) / width, gathering());
    batch_.clear();
    for (unsigned i = 0; i < shape_->tile_size; i++) {
        lane &fresh = lanes_[i];
        fresh.number = i;
        fresh.wave = i / width;
        fresh.state = state::fresh;
        fresh.parity = 0;
        gatherings_[fresh.wave].lanes++;
        batch_.push_back(&fresh);
    }
}

void worker::run_tile(const launch_shape &shape, unsigned tile) {
    current = this;
    shape_ = &shape;
    tile_ = tile;
    tile_began_ = ++epoch_;
    random_ = mix(machine_.lane_order().seed ^ mix(tile));
    shadowed_bytes_ = 0;
    thrown_ = nullptr;

    watch::begins_tile(tile);
    start_tile();
    do
        run_batch();
    while (!is_broken_ && (release_waves() || release_tile()));

    if (is_broken_) {
        forget_fibers();
        report("kernel stack overflow: a lane has " + std::to_string(stack_bytes / 1024) + " KiB");
        return;
    }
    if (thrown_)
        report_exception();
    const auto end = lanes_.begin() + shape.tile_size;
    if (!std::all_of(lanes_.begin(), end, [](const lane &lane) { return lane.state == state::finished; })) {
        report_stuck();
        abandon();
    }
    watch::ends_tile();
}

// ---- Tile memory ----------------------------------------------------------------------------------------------------

// Tile memory is the same bytes under every name and type, so what is remembered of it must suit the smallest: as soon
// as a second size of elements turns up, each shadow is split into several.
unsigned char *worker::memory(size_t element_bytes, size_t *bytes) {
    const size_t unit = std::gcd(shadowed_bytes_, element_bytes); // gcd(0, n) is n
    if (unit != shadowed_bytes_) {
        const size_t units = shape_->tile_bytes / unit;
        if (shadows_.size() < units)
            shadows_.resize(units);
        if (shadowed_bytes_ != 0)
            for (size_t i = units; i-- > 0;)
                shadows_[i] = shadows_[i / (shadowed_bytes_ / unit)];
        shadowed_bytes_ = unit;
    }
    *bytes = shape_->tile_bytes;
    return memory_.get();
}

template <bool IsWrite>
inline void worker::check_order(shadow_cell &shadow, size_t cell) {
    const access now = this_access();
    const access earlier = IsWrite ? shadow.write(now) : shadow.read(now);
    if (earlier.epoch != 0)
        report_race(IsWrite, cell, earlier.lane);
}

template <bool IsWrite>
inline void worker::check_unit(shadow_cell &shadow, size_t cell) {
    if (!IsWrite && !shadow.written_since(tile_began_))
        report_unwritten(cell);
    check_order<IsWrite>(shadow, cell);
}

template <bool IsWrite>
inline bool worker::check(size_t cell, size_t cells, size_t cell_bytes) {
    if (cell >= cells) {
        report_beyond(IsWrite, cell, cells);
        return false;
    }
    if (cell_bytes == shadowed_bytes_) { // spares a division
        check_unit<IsWrite>(shadows_[cell], cell);
        return true;
    }
    const size_t units = cell_bytes / shadowed_bytes_;
    for (size_t i = cell * units; i < (cell + 1) * units; i++)
        check_unit<IsWrite>(shadows_[i], cell);
    return true;
}

void worker::check_read_at_once(size_t cell, size_t count, size_t cell_bytes) {
    constexpr size_t most_aligned = 8; // padding ends where a member of so many bytes may begin
    const size_t units = cell_bytes / shadowed_bytes_, end = (cell + count) * units;
    for (size_t i = cell * units, next = i; i < end; i = next) {
        next = std::min(end, i + std::max<size_t>(1, most_aligned / shadowed_bytes_));
        const auto is_written = [this](const shadow_cell &shadow) { return shadow.written_since(tile_began_); };
        if (std::none_of(&shadows_[i], &shadows_[0] + next, is_written))
            report_unwritten(i / units);
        for (size_t k = i; k < next; k++)
            check_order<false>(shadows_[k], k / units);
    }
}

bool worker::check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads) {
    if (cell >= cells) {
        report_beyond(true, cell, cells);
        return false;
    }
    const size_t units = cell_bytes / shadowed_bytes_;
    for (size_t i = cell * units; i < (cell + 1) * units; i++) {
        if (reads && !shadows_[i].written_since(tile_began_))
            report_unwritten(cell);
        const access earlier = shadows_[i].update(this_access());
        if (earlier.epoch != 0)
            report_race(true, cell, earlier.lane);
    }
    return true;
}

// Apart, so that accesses that break no rule take few registers.
__attribute__((noinline, cold)) void worker::report_access(bool is_write, size_t cell, const std::string &where) {
    if (is_reported())
        return;
    report_at_access("lane " + std::to_string(running_->number) + (is_write ? " wrote " : " read ") +
                     watch::cell_name(cell) + where);
}

__attribute__((noinline, cold)) void worker::report_beyond(bool is_write, size_t cell, size_t cells) {
    report_access(is_write, cell, " of a tile memory of " + std::to_string(cells) + " cells");
}

__attribute__((noinline, cold)) void worker::report_unwritten(size_t cell) {
    report_access(false, cell, " of tile memory, which nobody has written yet");
}

__attribute__((noinline, cold)) void worker::report_race(bool is_write, size_t cell, unsigned other) {
    if (is_reported())
        return;
    report_at_access("race in tile memory: lane " + std::to_string(running_->number) +
                     (is_write ? " wrote " : " read ") + watch::cell_name(cell) + ", which " +
                     (other == several ? "other lanes update" : "lane " + std::to_string(other) + " uses") +
                     " too with no barrier between them");
}

bool check_read(size_t cell, size_t cells, size_t cell_bytes) {
    return here().check<false>(cell, cells, cell_bytes);
}
bool check_write(size_t cell, size_t cells, size_t cell_bytes) {
    return here().check<true>(cell, cells, cell_bytes);
}
void check_read_at_once(size_t cell, size_t count, size_t cell_bytes) {
    here().check_read_at_once(cell, count, cell_bytes);
}
bool check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads) {
    return here().check_update(cell, cells, cell_bytes, reads);
}

// ---- The machine ----------------------------------------------------------------------------------------------------

machine::machine(unsigned wave_width, schedule order, unsigned threads) : wave_width_(wave_width), schedule_(order) {
    const unsigned count = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    try {
        for (unsigned i = 0; i < count; i++)
            workers_.push_back(std::make_unique<worker>(*this));
    } catch (const std::bad_alloc &) {
        if (workers_.empty())
            throw;
    }
}

machine::~machine() = default;

void machine::report(const std::string &finding) {
    const std::lock_guard<std::mutex> lock(finding_mutex_);
    if (finding_.empty())
        finding_ = std::string(kernel_name_) + ", " + finding;
}

bool machine::has_finding() {
    const std::lock_guard<std::mutex> lock(finding_mutex_);
    return !finding_.empty();
}

std::string machine::take_finding() {
    const std::lock_guard<std::mutex> lock(finding_mutex_);
    std::string taken;
    taken.swap(finding_);
    return taken;
}

void machine::run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel, bool starts_early) {
    if (tile_size == 0 || tile_size > largest_tile || tile_bytes > tile_memory_bytes) {
        report("a tile of " + std::to_string(tile_size) + " threads and " + std::to_string(tile_bytes) +
               " bytes of tile memory: the machine has 1 to " + std::to_string(largest_tile) + " threads and " +
               std::to_string(tile_memory_bytes) + " bytes");
        return;
    }
    const launch_shape shape = {tiles, tile_size, tile_bytes, kernel};
    watch::begins({kernel_name_, tiles, tile_size, wave_width_, starts_early});
    const auto tile_at = [&](unsigned i) {
        switch (schedule_.lanes) {
        case order::reverse:
            return tiles - 1 - i;
        case order::random:
            return shuffled(i, tiles, schedule_.seed);
        case order::forward:
            break;
        }
        return i;
    };
    breaks_off_ = false;
    std::atomic<unsigned> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    on_threads(std::min(threads(), std::max(1u, tiles)), [&](unsigned number) {
        const default_float_environment modes; // as a GPU has them
        try {
            for (unsigned i; !watch::gave_up() && (i = next.fetch_add(1)) < tiles;)
                workers_[number]->run_tile(shape, tile_at(i));
        } catch (...) {
            workers_[number]->abandon();
            next = tiles;
            breaks_off_ = true;
            const std::lock_guard<std::mutex> lock(failure_mutex);
            failure = std::current_exception();
        }
    });
    if (failure) {
        take_finding();
        std::rethrow_exception(failure);
    }
}

} // namespace wf::host
