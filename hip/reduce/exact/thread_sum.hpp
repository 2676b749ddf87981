// thread_sum: a thread adds its share of the array, group by group.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_SUM_HPP

#include "thread_share.hpp"
#include "thread_terms.hpp"
#include "tile_memory.hpp"

namespace wf {

// True if an element of this thread's share is not -0. Stops at the first.
template <class Policy>
__device__ WF_OUT_OF_LINE bool has_others(const launch_shape shape, const typename Policy::source source,
                                          typename Policy::bits keep, bool ignores_nan) {
    const tiled_index tidx(shape);
    const unsigned threads = tidx.tiles * tidx.tile_size, count = source.packs() + source.edges();
    bool others = false;
    for (unsigned p = thread_of(tidx); !others && p < count; p += threads) {
        element_pack<typename Policy::element> again[1];
        load_some(source, p, threads, again);
        others = Policy::terms::any_but_minus_zero(again[0], keep, ignores_nan);
    }
    return others;
}

// Loads: loads_to_registers or loads_ahead. References point outside the object: one to its own member would
// force it out of registers.
template <class Policy, class Loads>
class thread_sum {
    using terms = typename Policy::terms;
    using window = typename Policy::window;
    using extra_accumulator = typename Policy::template accumulator<Loads::are_ahead>;
    static constexpr unsigned width = Policy::width, in_flight = loads_in_flight;
    // True if the first group is added in f64 while the window's base is still computed.
    static constexpr bool waits_within =
        terms::takes_anywhere && !window::holds_all && !Policy::extra::waits_for_sample;

  public:
    __device__ __forceinline__ thread_sum(const tiled_index &tidx, const tile_memory<Policy> &memory,
                                          const window &sample, typename Policy::bits keep, Loads &loads,
                                          extra_accumulator &extra)
        : tidx_(tidx), memory_(memory), sample_(sample), loads_(loads), extra_(extra),
          terms_(memory.columns, opaque_bits(keep)) {
        opaque(hopeless_); // hides that it is wave-uniform: AMD has too few scalar registers
    }

    // Contains a barrier: all threads call it, also those with an empty share.
    __device__ __forceinline__ void add_all() {
        if (wave_of<width>(tidx_) == 0)
            memory_.begin(tidx_.local == 0, sample_.base(tidx_));
        extra_.begin();
        if constexpr (!waits_within)
            wait_for_window();
#pragma unroll 1
        do {
            unsigned groups = 0;
#pragma unroll 1
            do {
                add_group();
                groups++;
            } while (wave_uniform<width>(tidx_, loads_.has_next() && terms::template has_room<in_flight>(groups)));
            terms_.make_room();
        } while (wave_uniform<width>(tidx_, loads_.has_next()));
    }

    __device__ __forceinline__ int base() const {
        return base_;
    }
    // The thread's part of the sum.
    __device__ __forceinline__ exact_part part(const exact_arguments<Policy> &given, bool ignores_nan) const {
        exact_part mine;
        const wide in_window = terms_.sum();
        split(in_window, mine.pieces);
        bool others = (terms_.spilled() && !ignores_nan) || !is_zero(in_window); // an ignored NaN spills, too
        if (__builtin_expect(!others, 0))
            others = has_others<Policy>(given.shape, given.source, terms_.keep(), ignores_nan);
        mine.flags = (terms_.spilled() ? exact_spilled : 0u) | (others ? exact_others : 0u);
        return mine;
    }

  private:
    static __device__ __forceinline__ typename Policy::bits opaque_bits(typename Policy::bits keep) {
        opaque(keep); // as the step
        return keep;
    }
    __device__ __forceinline__ void wait_for_window() {
        tidx_.barrier.wait();
        base_ = window::holds_all ? sample_.base(tidx_) : memory_.base();
        opaque(base_); // otherwise AMD's compilers compute it again
        terms_.put_window(base_);
        extra_.after_barrier();
        waits_ = false;
    }
    __device__ __forceinline__ void add_group() {
        const unsigned taken = loads_.next();
        const bool tries = hopeless_ == 0;
        unsigned left = terms::template all_of<in_flight>;
        loads_.advance();
        if (tries)
            left = try_group(taken);
        if (__builtin_expect(ballot<width>(tidx_, !tries || left != 0 || extra_.needs_second_look()) != 0, 0))
            add_misfits(taken, tries, left);
        loads_.end_group();
    }
    // Adds a group to the window. Result: the packs that do not fit.
    __device__ __forceinline__ unsigned try_group(unsigned taken) {
        unsigned next = loads_.next();
        const bool refills = loads_.can_refill(next);
        extra_.template add_group<terms::passes_elements>(loads_.packs, taken, loads_.step());
        terms_.take(loads_.packs, extra_, [this, &next, refills](unsigned p, auto &sum) {
            sum.compute_before(next); // otherwise all loads come first, and need registers of their own
            if (refills)
                loads_.refill(p, next);
        });
        if (waits_within && waits_)
            wait_for_window();
        loads_.load_next(next, refills);
        return terms_.template add_taken<in_flight>();
    }
    // Called by all lanes of a wave if a group of one does not fit, or is not tried.
    __device__ __forceinline__ void add_misfits(unsigned taken, bool tried, unsigned left) {
        auto &packs = loads_.packs;
        loads_.restore(taken, tried);
        if (!tried)
            extra_.template add_group<terms::passes_elements>(packs, taken, loads_.step());
        extra_.look_again(packs, taken, loads_.step());
        if (!tried || left != 0)
            extra_.add_again(packs, taken, loads_.step(), tried || !terms::passes_elements);
        if (tried && left != 0)
            left = terms_.add_one_by_one(packs, left);
        // If most lanes' groups do not fit, the next groups seldom do.
        constexpr unsigned before_next_try = 31;
        const uint64_t lanes_left = ballot<width>(tidx_, left != 0);
        hopeless_ = !tried ? hopeless_ - 1 : count_lanes(lanes_left) > width / 2 ? before_next_try : 0;
        if (lanes_left != 0)
            terms_.add_to_columns(tidx_, packs, left);
        if (hopeless_ == 0)
            loads_.load_after_restore();
    }

    const tiled_index &tidx_;
    const tile_memory<Policy> &memory_;
    const window &sample_;
    Loads &loads_;
    extra_accumulator &extra_;
    terms terms_;
    int base_ = 0;
    unsigned hopeless_ = 0; // groups that are not tried in the window
    bool waits_ = waits_within;
};

} // namespace wf
#endif
