// A thread's extremes of a description, and where they stand. Two classes of one interface:
//
//   thread_extremes    a finder for each extreme
//   watched_extremes   for long arrays, where few groups change an extreme: each lane's cell of tile memory holds the
//                      extremes of its wave, and a place is searched only in groups with an element beyond them
//
//   begin()                      behind the tile's first barrier
//   begin_group(packs, p, step)  before add_pack() and add_edge() of the group
//   needs_second_look()          true: look_again() follows, in all lanes of the wave
//   add_nan(x, item)             a NaN that add_pack() has passed over
//   values(thread)               the extremes, with squares of 0
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_EXTREMES_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_EXTREMES_HPP

#include "../../wave.hpp"
#include "../packed_array.hpp"
#include "../thread_reduce.hpp"
#include "description_values.hpp"

namespace wf {

template <class Source, unsigned Width>
class thread_extremes {
    using element = typename Source::element;
    using values_of = description_values<element>;
    using finder = place_finder<element>;
    using operators = typename values_of::operators;

  public:
    __device__ __forceinline__ thread_extremes(const tiled_index &, const Source &source, const operators &with,
                                               unsigned)
        : source_(source), with_(with), low_(with.finite_low), high_(with.finite_high) {}

    __device__ __forceinline__ void begin() {}
    template <unsigned Packs>
    __device__ __forceinline__ void begin_group(element_pack<element> (&)[Packs], unsigned, unsigned) {}
    __device__ __forceinline__ void add_pack(const element_pack<element> &pack, unsigned p) {
        low_.add_pack(pack, p);
        high_.add_pack(pack, p);
    }
    __device__ __forceinline__ void add_edge(element edge, unsigned item) {
        low_.add_one(edge, item);
        high_.add_one(edge, item);
    }
    static __device__ __forceinline__ bool needs_second_look() { return false; }
    template <unsigned Packs>
    __device__ __forceinline__ void look_again(element_pack<element> (&)[Packs], unsigned, unsigned) {}
    __device__ __forceinline__ void add_nan(element nan, unsigned item) {
        low_.add_value(with_.low.lift(nan, item));
        high_.add_value(with_.high.lift(nan, item));
    }
    __device__ __forceinline__ typename values_of::value values(unsigned thread) const {
        return {0, low_.result(source_, thread), high_.result(source_, thread)};
    }
    __device__ __forceinline__ void forget() {
        const finder none_low(with_.finite_low), none_high(with_.finite_high);
        low_.become(none_low);
        high_.become(none_high);
    }

  private:
    const Source &source_;
    const operators &with_;
    finder low_, high_; // NaN are passed over
};

template <class Source, unsigned Width>
class watched_extremes {
    using element = typename Source::element;
    using values_of = description_values<element>;
    using operators = typename values_of::operators;
    using value = typename values_of::value;
    using place = typename values_of::place;
    using rank = typename place::rank;
    static constexpr unsigned no_pack = ~0u;

  public:
    // before: bytes of tile memory before the description's.
    __device__ __forceinline__ watched_extremes(const tiled_index &tidx, const Source &source, const operators &with,
                                                unsigned before)
        : tidx_(tidx), source_(source), with_(with), cells_(tidx), cell_(values_of::first_cell(before) + tidx.local) {}

    __device__ __forceinline__ void begin() { cells_[cell_] = values_of::identity(); }
    template <unsigned Packs>
    __device__ __forceinline__ void begin_group(element_pack<element> (&packs)[Packs], unsigned p, unsigned step) {
        needs_second_look_ = p + (Packs - 1) * step >= source_.packs();
        if (ballot<Width>(tidx_, watch_.any_below(packs)) != 0)
            improve(packs, p, step, with_.finite_low, &value::least);
        if (ballot<Width>(tidx_, watch_.any_above(packs)) != 0)
            improve(packs, p, step, with_.finite_high, &value::largest);
    }
    __device__ __forceinline__ void add_pack(const element_pack<element> &, unsigned) {}
    __device__ __forceinline__ void add_edge(element, unsigned) {}
    __device__ __forceinline__ bool needs_second_look() const { return needs_second_look_; }
    // Finds the places of the group's extremes, with edges and with NaN as requested.
    template <unsigned Packs>
    __device__ __forceinline__ void look_again(element_pack<element> (&packs)[Packs], unsigned p, unsigned step) {
        place_finder<element> low(with_.low), high(with_.high);
        WF_EXACT_LOOP
        for (unsigned k = 0; k < Packs; k++) {
            const unsigned here = p + k * step, edge = here - source_.packs();
            if (here < source_.packs()) {
                low.add_pack(packs[0], here);
                high.add_pack(packs[0], here);
            } else if (edge < source_.edges()) {
                low.add_one(packs[0][0], source_.item_of_edge(edge));
                high.add_one(packs[0][0], source_.item_of_edge(edge));
            }
            move_round(packs);
        }
        join_wave(low.result(source_, no_pack), with_.low, &value::least);
        join_wave(high.result(source_, no_pack), with_.high, &value::largest);
    }
    __device__ __forceinline__ void add_nan(element, unsigned) {} // look_again() has found it
    __device__ __forceinline__ value values(unsigned) const { return cells_[cell_]; }
    __device__ __forceinline__ void forget() {} // no short array gets here

  private:
    using place_of_value = typename place::value value::*;
    // Finds the extreme of a group with an element beyond. Edges are left to look_again().
    template <unsigned Packs>
    __device__ __forceinline__ void improve(const element_pack<element> (&packs)[Packs], unsigned p, unsigned step,
                                            const place &op, place_of_value which) {
        place_finder<element> finder(op);
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            finder.add_pack(packs[k], p + k * step);
        join_wave(finder.result(source_, no_pack), op, which);
    }
    // Joins this lane's extreme with those of its wave so far.
    __device__ __forceinline__ void join_wave(const typename place::value &mine, const place &op,
                                              place_of_value which) {
        value best = cells_[cell_];
        best.*which = wave_reduce<Width>(tidx_, op(best.*which, mine), op);
        cells_[cell_] = best;
        watch_.expect(place::rank_of(best.least), rank(place::rank_of(best.largest) ^ with_.high.which.flip));
    }

    const tiled_index &tidx_;
    const Source &source_;
    const operators &with_;
    tile_static<value> cells_;
    unsigned cell_;
    extremes_watch<element> watch_;
    bool needs_second_look_ = false;
};

} // namespace wf
#endif
