// The fibers of a worker's lanes, and their stacks. A fiber that has run a lane to its end is kept for another lane.
#ifndef WAVEFOLD_HOST_EMULATOR_LANE_FIBERS_HPP
#define WAVEFOLD_HOST_EMULATOR_LANE_FIBERS_HPP

#include "fiber.hpp"
#include "kernel_launch.hpp"
#include "stack_arena.hpp"

#include <new>
#include <utility>
#include <vector>

namespace wf::host {

class lane_fibers {
  public:
    lane_fibers() { idle_.reserve(largest_tile); }

    bool has_idle() const { return !idle_.empty(); }
    // run(stack): runs lanes on the fiber until none is left for it, and returns the fiber that goes on.
    template <class Run>
    void add_idle(const Run &run) {
        idle_.push_back(make(run));
    }
    fiber take_idle() {
        fiber idle = std::move(idle_.back());
        idle_.pop_back();
        return idle;
    }

    // Goes on with the next fiber. The one that runs is kept in `left` until another fiber goes on with it.
    void switch_to(fiber &&next, fiber &left) {
        left_ = &left;
        fiber from = std::move(next).resume();
        *left_ = std::move(from);
    }

    bool is_whole(unsigned stack) const { return stacks_.is_whole(stack); }
    // Brings the canary of a stack near the cores.
    void fetch_canary(unsigned stack) const { stacks_.fetch_canary(stack); }

    // Unwinds the idle fibers, and starts afresh. The lanes' own must have been unwound before.
    void clear() {
        idle_.clear();
        stacks_used_ = 0;
    }
    // Loses the fiber without unwinding it: after an overflow its stack cannot be trusted.
    static void forget(fiber &lost) {
        alignas(fiber) unsigned char never_destroyed[sizeof(fiber)];
        new (never_destroyed) fiber(std::move(lost));
    }
    void forget_idle() {
        for (fiber &idle : idle_)
            forget(idle);
    }

  private:
    template <class Run>
    fiber make(const Run &run) {
        const unsigned stack = stacks_used_++;
        return fiber(std::allocator_arg, arena_allocator{stacks_, stack}, [this, stack, run](fiber &&back) -> fiber {
            *left_ = std::move(back);
            for (;;) {
                fiber next = run(stack);
                switch_to(std::move(next), idle_.emplace_back());
            }
        });
    }

    stack_arena stacks_{largest_tile}; // the first member, so that it outlives the fibers
    unsigned stacks_used_ = 0;
    fiber *left_ = nullptr; // where the fiber that was left last is kept
    std::vector<fiber> idle_;
};

} // namespace wf::host
#endif
