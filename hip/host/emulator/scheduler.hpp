// Runs the lanes of one tile as fibers, from one meeting point to the next.
//
// What a lane calls is inline here, down to the switch: after a switch the processor predicts no return, so each return
// costs.
#ifndef WAVEFOLD_HOST_EMULATOR_SCHEDULER_HPP
#define WAVEFOLD_HOST_EMULATOR_SCHEDULER_HPP

#include "kernel_launch.hpp"
#include "lane_fibers.hpp"
#include "schedule_orders.hpp"
#include "tile_report.hpp"
#include "waiting_lanes.hpp"
#include "watch.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace wf::host {

class scheduler {
  public:
    scheduler() : lanes_(largest_tile) { batch_.reserve(largest_tile); }

    // ---- For the worker ----

    // Resets all lanes, which become the first batch.
    void begins_tile(const kernel_launch &launch, unsigned tile);
    // Runs each lane of the batch to its next barrier, its next shuffle or its end.
    void run_batch();
    // Moves waves whose lanes all wait at one wave barrier or shuffle to the next batch. Returns true if any moved.
    // passes_wave_barrier(wave): called for waves that leave a barrier.
    template <class Passes>
    bool release_waves(const Passes &passes_wave_barrier);
    // If all lanes wait at one tile barrier, releases them and returns true.
    bool release_tile();
    // A note about lanes that had returned and counted as arrived in the last release; "" if there were none.
    std::string take_note();
    // A stack was too small: no lane of the tile may run any more.
    bool has_overflowed() const { return has_overflowed_; }
    // Adds the kernel's exception to the report; throws std::bad_alloc if host memory ran out.
    void report_exception(tile_report &report);
    bool has_finished() const;
    // Names the lanes at a barrier or shuffle that can never complete.
    std::string describe_stuck_lanes() const;
    // Unwinds all suspended fibers and resets.
    void abandon();
    // Resets after a stack overflow, without unwinding: the stacks are corrupt.
    void forget_fibers();

    // ---- For the lane that runs ----

    lane &running() { return *running_; }
    const lane &running() const { return *running_; }
    gathering &wave_of(const lane &lane) { return gatherings_[lane.wave]; }
    unsigned wave_width() const { return launch_->wave_width; }
    unsigned tile_size() const { return launch_->tile_size; }
    bool has_thrown() const { return thrown_ != nullptr; }
    void wait(lane_state at, const char *file, int line);
    void meet(wave_part &part, bool is_barrier, const char *file, int line);
    unsigned count_at_tile_barrier(bool mine, const char *file, int line);
    bool has_returned(unsigned lane_of_wave) const;

  private:
    // While n other lanes run, a lane's stack is brought near the cores.
    static constexpr size_t fetched_ahead = 4;

    void run_lane();
    void run_fresh_lanes(unsigned stack);
    void add_fiber();
    fiber take_next();
    void check_stack(unsigned stack) {
        if (!fibers_.is_whole(stack))
            has_overflowed_ = true;
    }
    void release(gathering &wave);
    void release_some(gathering &wave, unsigned first, uint64_t lanes);
    void release_parts(unsigned number);
    bool release_part(gathering &wave, unsigned first, unsigned i);
    bool release_first_place(gathering &wave, unsigned first);
    void pass_part(unsigned first, uint64_t lanes);
    bool release_rest_of_tile();
    void count_votes();
    void note_return(const lane &returned, const lane &waiting);

    const kernel_launch *launch_ = nullptr;
    lane_order order_;
    lane_fibers fibers_; // before the members that hold fibers, so that their stacks outlive them
    std::vector<lane> lanes_;
    std::vector<gathering> gatherings_; // of each wave
    std::vector<lane *> batch_;         // in the order in which its lanes run
    size_t next_ = 0;                   // index in batch_ of the lane after the one that runs
    std::vector<uint64_t> passed_;      // lanes of each wave barrier that release_parts() released
    std::string note_;
    bool starts_ = false; // the lanes of this batch are fresh: any fiber may run them
    bool has_overflowed_ = false;
    lane *running_ = nullptr;
    fiber scheduler_;           // the worker's own context, resumed after the last lane; empty while it runs
    std::exception_ptr thrown_; // by the first lane of this tile that threw
    unsigned thrower_ = 0;      // the number of that lane
};

// Returns the fiber to switch to: the next lane's, or the scheduler's after the last lane.
inline fiber scheduler::take_next() {
    if (next_ == batch_.size() || has_overflowed_)
        return std::move(scheduler_);
    if (starts_) { // an idle fiber takes its lane in run_fresh_lanes()
        if (!fibers_.has_idle())
            add_fiber();
        return fibers_.take_idle();
    }
    running_ = batch_[next_++];
    running_->state = lane_state::running;
    if (next_ + fetched_ahead < batch_.size()) {
        const lane &later = *batch_[next_ + fetched_ahead];
        fibers_.fetch_canary(later.stack);
        __builtin_prefetch(later.frame);
    }
    return std::move(running_->suspended);
}

inline void scheduler::wait(lane_state at, const char *file, int line) {
    lane &self = *running_;
    if (at == lane_state::at_tile_barrier || (at == lane_state::at_wave_barrier && self.part == nullptr))
        watch::meets(at == lane_state::at_tile_barrier ? watch::meeting::tile_barrier : watch::meeting::wave_barrier);
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
    fibers_.switch_to(std::move(next), self.suspended);
}

inline void scheduler::release(gathering &wave) {
    const unsigned first = wave.first->number & ~(launch_->wave_width - 1);
    for (unsigned i = 0; i < wave.lanes; i++)
        batch_.push_back(&lanes_[first + i]);
    wave.waiting = 0;
}

template <class Passes>
bool scheduler::release_waves(const Passes &passes_wave_barrier) {
    batch_.clear();
    for (size_t w = 0; w < gatherings_.size(); w++) {
        gathering &wave = gatherings_[w];
        if (wave.parts != 0) {
            release_parts(unsigned(w));
            for (const uint64_t lanes : passed_) {
                passes_wave_barrier(unsigned(w));
                watch::passes_barrier_of_part(unsigned(w) * launch_->wave_width, lanes);
            }
            continue;
        }
        if (!wave.is_complete() || wave.first->state == lane_state::at_tile_barrier)
            continue;
        if (wave.first->state == lane_state::at_wave_barrier) { // a shuffle moves registers, and orders no memory
            passes_wave_barrier(unsigned(w));
            watch::passes_wave_barrier(unsigned(w) * launch_->wave_width, wave.lanes);
        }
        release(wave);
    }
    return !batch_.empty();
}

} // namespace wf::host
#endif
