// The extra accumulator: an optional second reduction over the loads of an exact sum. sum_alone has none;
// describe_floats.hpp reduces what else a description of floats needs. The protocol:
//
//   thread  load_sample()             before the elements are loaded: loads what begin() needs
//           begin()                   behind those loads, before a barrier; after_barrier() behind it.
//                                     begin_in_wave(): in place of both, in each wave for itself
//           add_group<Passes>(packs, p, step)
//                                     a group: packs p, p + step, ..., and edges that count as packs (load_some). If
//                                     it Passes, add_element() or add_scaled_element() follows for each element
//                                     (thread_group_sum.hpp)
//           needs_second_look()       true: the wave reloads its groups, as if one did not fit the window. Then
//                                     look_again(packs, p, step) follows, and add_again(packs, p, step, passed) in
//                                     lanes whose elements may not be finite or were not passed
//           end()                     behind the last group
//           forget()                  forgets all groups
//   tile    store(), reduce(threads)  before and behind a barrier: the first threads' values become the tile's
//   grid    publish()                 publishes the tile's value
//           load(tile, value)         reads the value of a tile; false: it is not there yet. Then join(value) and
//                                     clear(tile)
//           finish(total, flags, base, result)
//                                     as finish_exact_sum(), with the extra values; by the first wave if it
//                                     ends_in_one_wave, otherwise by all waves
//
// and for an array that one tile takes at once (tile_short_sum.hpp):
//
//           takes_short()             true if one launch takes all elements, and the result is a usual one
//           finish_short(sum, fits, result)
//                                     as finish(), in all waves, or in the first wave of a cluster tile; false:
//                                     nothing is stored, as the sum does not fit or is unusual
#ifndef WAVEFOLD_REDUCE_EXACT_EXTRA_ACCUMULATOR_HPP
#define WAVEFOLD_REDUCE_EXACT_EXTRA_ACCUMULATOR_HPP

#include "../packed_array.hpp"
#include "grid_finish_sum.hpp"

namespace wf {

template <class Element>
struct sum_alone {
    struct request {};
    struct operators {
        explicit __device__ __forceinline__ operators(exact_request &, uint64_t &) {}
    };
    static constexpr bool is_none = true;
    static constexpr bool waits_for_sample = false;
    static constexpr bool keeps_all_bits = false; // sums of magnitudes drop the sign
    static constexpr bool ends_in_one_wave = true;
    static constexpr unsigned largest_tile = largest_exact_tile, threads_at_once = 768;
    static constexpr bool copies_ahead = sizeof(Element) == 8; // sums of other types gained 1 % at most
    static constexpr bool may_cluster = true;
    static constexpr uint64_t rounds_of_long = 2; // an array is long from that many groups for each thread on
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned) { return all; }
    static constexpr size_t tile_bytes(size_t before, unsigned) { return before; }

    template <class Source, unsigned Width, bool IsLong>
    class accumulator;
};

template <class Element>
template <class Source, unsigned Width, bool IsLong>
class sum_alone<Element>::accumulator {
  public:
    template <class Arguments>
    __device__ __forceinline__ accumulator(const tiled_index &tidx, const Arguments &, const exact_request &want,
                                           const operators &, unsigned)
        : tidx_(tidx), want_(want) {}

    __device__ __forceinline__ void load_sample() {}
    __device__ __forceinline__ void begin() {}
    __device__ __forceinline__ void after_barrier() {}
    __device__ __forceinline__ void begin_in_wave() {}
    template <bool Passes, unsigned Packs>
    __device__ __forceinline__ void add_group(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
    __device__ __forceinline__ void add_element(double) {}
    __device__ __forceinline__ void add_scaled_element(double, double) {}
    static __device__ __forceinline__ bool needs_second_look() { return false; }
    template <unsigned Packs>
    __device__ __forceinline__ void look_again(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
    template <unsigned Packs>
    __device__ __forceinline__ void add_again(element_pack<Element> (&)[Packs], unsigned, unsigned, bool) {}
    __device__ __forceinline__ void end() {}
    __device__ __forceinline__ void forget() {}

    __device__ __forceinline__ void store() {}
    __device__ __forceinline__ void reduce(unsigned) {}

    static constexpr unsigned tiles_at_a_time = 2;
    struct published {};
    __device__ __forceinline__ void publish() {}
    __device__ __forceinline__ bool load(unsigned, published &) const { return true; }
    __device__ __forceinline__ void join(const published &) {}
    __device__ __forceinline__ void clear(unsigned) const {}
    __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, void *result) const {
        return finish_exact_sum<Element, Width>(tidx_, want_, total, flags, base, result);
    }

    __device__ __forceinline__ bool takes_short() const { return want_.is_usual != 0; }
    template <class Sum>
    __device__ __forceinline__ bool finish_short(const Sum &sum, bool fits, void *result) const {
        const wf_float_format to = usual_format<Element>(want_);
        uint64_t bits;
        const bool is_rounded = round_short_sum(sum, to, bits) && fits;
        if (is_rounded && tidx_.local == 0)
            store_sum(result, to, bits);
        return is_rounded;
    }

  private:
    const tiled_index &tidx_;
    const exact_request &want_;
};

} // namespace wf
#endif
