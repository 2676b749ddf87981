// A thread's share of the array: groups of packs, of which one is in registers. Two ways to load the next group:
//
//   loads_to_registers   its loads enter the registers that the present group leaves
//   loads_ahead          it is copied to tile memory while the present group is added; for long arrays
//
// Both offer, besides thread_share:
//
//   can_refill(next)            true if refill(p, next) may load pack p of the next group once pack p is not needed
//   load_next(next, refilled)   loads the next group while the present one is added
//   restore(p, was_taken)       loads the present group again, out of a cache: there are no registers to keep it
//   load_after_restore()        loads the next group, which restore() has overwritten
//   end_group()                 the next group becomes the present one
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_SHARE_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_SHARE_HPP

#include "exact_policy.hpp"
#include "thread_loads.hpp"
#include "thread_next_packs.hpp"

namespace wf {

template <class Policy>
class thread_share {
  public:
    element_pack<typename Policy::element> packs[loads_in_flight]; // the group: packs p, p + step(), ...

    // The first group, before advance().
    __device__ __forceinline__ group_view<typename Policy::element> group() { return {packs, next(), step_}; }
    // The next group's first pack.
    __device__ __forceinline__ unsigned next() const { return first_ + lane_; }
    __device__ __forceinline__ unsigned step() const { return step_; }
    // True if there is another group for any thread of the wave.
    __device__ __forceinline__ bool has_next() const { return first_ < count_; }
    __device__ __forceinline__ void advance() { first_ += stride_; }

  protected:
    // in_runs: a wave's packs lie side by side, which takes 1 to 3 % less time if the array is read from memory.
    __device__ __forceinline__ thread_share(const tiled_index &tidx, const typename Policy::source &source,
                                            bool in_runs)
        : source_(source), lane_(lane_of<Policy::width>(tidx)), stride_(stride_of(tidx)), count_(count_of(source)) {
        const unsigned thread = thread_of(tidx);
        step_ = in_runs ? Policy::width : tidx.tiles * tidx.tile_size;
        opaque(step_); // not known to be wave-uniform: AMD's scalar registers are too few
        first_ = wave_uniform(in_runs ? (thread - lane_) * loads_in_flight : thread - lane_);
        load_some(source, next(), step_, packs);
    }
    // Packs of all threads' groups.
    static __device__ __forceinline__ unsigned stride_of(const tiled_index &tidx) {
        return loads_in_flight * (tidx.tiles * tidx.tile_size);
    }
    // Edges count as packs.
    static __device__ __forceinline__ unsigned count_of(const typename Policy::source &source) {
        return source.packs() + source.edges();
    }

    const typename Policy::source &source_;
    unsigned lane_, stride_, count_, step_, first_;
};

template <class Policy>
class loads_to_registers : public thread_share<Policy> {
    using share = thread_share<Policy>;
    using share::source_, share::step_;
    static constexpr bool gives_back = Policy::terms::gives_back;

  public:
    static constexpr bool are_ahead = false;
    using share::packs, share::next, share::has_next;

    __device__ __forceinline__ loads_to_registers(const tiled_index &tidx, const typename Policy::source &source)
        : share(tidx, source, share::count_of(source) >= share::stride_of(tidx)) {}

    __device__ __forceinline__ bool can_refill(unsigned from) const {
        return from + (loads_in_flight - 1) * step_ < source_.packs();
    }
    __device__ __forceinline__ void refill(unsigned p, unsigned from) {
        packs[p] = source_.template load<words_behind<typename Policy::element>>(from, p * step_);
    }
    __device__ __forceinline__ void load_next(unsigned from, bool refilled) {
        if (has_next() && !(gives_back && refilled)) {
            if constexpr (gives_back)
                load_some(source_, from, step_, packs);
            else
                load_more(source_, from, step_, packs);
        }
    }
    __device__ __forceinline__ void restore(unsigned p, bool) { load_more(source_, p, step_, packs); }
    __device__ __forceinline__ void load_after_restore() {
        if (has_next())
            load_more(source_, next(), step_, packs);
    }
    __device__ __forceinline__ void end_group() {}
};

template <class Policy>
class loads_ahead : public thread_share<Policy> {
    using share = thread_share<Policy>;
    using share::source_, share::step_, share::stride_;
    using copies = next_packs<typename Policy::element, loads_in_flight, exact_long_tile>;

  public:
    static constexpr bool are_ahead = true;
    using share::packs, share::next, share::has_next;
    // Bytes of tile memory, with those before the copies.
    static constexpr size_t tile_bytes(size_t before) { return copies::tile_bytes(before); }

    __device__ __forceinline__ loads_ahead(const tiled_index &tidx, const typename Policy::source &source,
                                           size_t bytes_before)
        : share(tidx, source, true), copies_(tidx, source, bytes_before) {
        start_next();
    }

    __device__ __forceinline__ bool can_refill(unsigned) const { return false; }
    __device__ __forceinline__ void refill(unsigned, unsigned) {}
    __device__ __forceinline__ void load_next(unsigned, bool) {}
    __device__ __forceinline__ void restore(unsigned p, bool was_taken) { // otherwise it is still there
        if (was_taken)
            load_more(source_, p, step_, packs);
    }
    __device__ __forceinline__ void load_after_restore() {}
    __device__ __forceinline__ void end_group() {
        if (has_next()) {
            copies_.take(next(), step_, packs);
            start_next();
        }
    }

  private:
    // Behind the group at next(), which is taken first.
    __device__ __forceinline__ void start_next() { copies_.start(next() + stride_, step_); }

    copies copies_;
};

} // namespace wf
#endif
