// What an exact sum's kernel folds beside the sum, of the same loads: nothing, or what else a description of floats has
// (describe_floats.hpp). The protocol:
//
//   beside.sample()                   before the elements are loaded: loads what begin() needs
//   beside.begin()                    behind it, before a barrier; ready() behind that. Or begin_alone(), in each wave
//   beside.take<Hears>(packs, p, step)
//                                     a group: packs p, p + step, ..., and edges that count as packs (load_some). If it
//                                     Hears, hear() and hear_scaled() follow for each element (exact_group.hpp)
//   beside.asks_again()               whether all of its wave are to come back with their groups, as they do if one
//                                     lane's does not fit: look_again(packs, p, step), and in lanes whose elements may
//                                     not all be finite, or were not heard, take_again(packs, p, step, heard)
//   beside.end()                      when all is taken
//   beside.tell(), fold(threads)      what a thread has, before a barrier; behind it, what the tile has: so many of its
//                                     threads, the first ones, have something
//   beside.publish()                  of a tile, whose own it is no more: all tiles' are joined in the end
//   beside.load(tile, of_tile)        what a tile has published; false: not yet. join(of_tile), and clear(tile) behind
//   beside.finish(...)                as finish_exact_sum(), which it does besides; by the first wave if it
//                                     ends_in_one_wave, else by all
//
// and, for an array that one tile takes at once (exact_short.hpp):
//
//   beside.may_be_short()             whether one launch takes it all, and what becomes of it is usual
//   beside.finish_short(...)          as finish(), in all waves, or of a cluster tile in the first: false if it
//                                     does not fit or is unusual, and nothing is stored
//   beside.restart()                  forgets what was taken
#ifndef WAVEFOLD_REDUCE_EXACT_BESIDE_HPP
#define WAVEFOLD_REDUCE_EXACT_BESIDE_HPP

#include "exact_finish.hpp"
#include "packed_array.hpp"

namespace wf {

// The sum alone.
template <class Element>
struct nothing_beside {
    struct request {};
    struct operators {
        explicit __device__ __forceinline__ operators(exact_request &, uint64_t &) {}
    };
    static constexpr bool waits_for_sample = false;
    static constexpr bool keeps_all_bits = false; // sums of magnitudes do without the sign
    static constexpr bool ends_in_one_wave = true;
    static constexpr unsigned largest_tile = largest_exact_tile, threads_at_once = 768;
    static constexpr bool copies_ahead = sizeof(Element) == 8; // sums of others gained 1 % at the most by that
    static constexpr bool may_cluster = true;
    static constexpr uint64_t rounds_of_long = 2; // of all threads: so many make an array long
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned) { return all; }
    static constexpr size_t tile_bytes(size_t before, unsigned) { return before; }
    template <unsigned Width, bool Aligned, bool IsLong>
    class part {
      public:
        using packed = packed_array<Element, Aligned>;
        __device__ __forceinline__ part(const tiled_index &tidx, const packed &, const exact_request &want,
                                        const operators &, const request &, const word_view &, unsigned)
            : tidx_(tidx), want_(want) {}
        __device__ __forceinline__ void sample() {}
        __device__ __forceinline__ void begin() {}
        __device__ __forceinline__ void ready() {}
        __device__ __forceinline__ void begin_alone() {}
        template <bool Hears, unsigned Packs>
        __device__ __forceinline__ void take(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
        __device__ __forceinline__ void hear(double) {}
        __device__ __forceinline__ void hear_scaled(double, double) {}
        template <unsigned Packs>
        __device__ __forceinline__ void take_again(element_pack<Element> (&)[Packs], unsigned, unsigned, bool) {}
        static __device__ __forceinline__ bool asks_again() { return false; }
        template <unsigned Packs>
        __device__ __forceinline__ void look_again(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
        __device__ __forceinline__ void end() {}
        __device__ __forceinline__ void tell() {}
        __device__ __forceinline__ void fold(unsigned) {}
        __device__ __forceinline__ void publish() {}
        static constexpr unsigned tiles_at_a_time = 2;
        struct published {};
        __device__ __forceinline__ bool load(unsigned, published &) const { return true; }
        __device__ __forceinline__ void join(const published &) {}
        __device__ __forceinline__ void clear(unsigned) const {}
        __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, void *result) const {
            return finish_exact_sum<Element, Width>(tidx_, want_, total, flags, base, result);
        }
        __device__ __forceinline__ bool may_be_short() const { return want_.is_usual != 0; }
        template <class Sum>
        __device__ __forceinline__ bool finish_short(const Sum &sum, bool fits, void *result) const {
            const wf_float_format to = usual_format<Element>(want_);
            uint64_t bits;
            const bool is_rounded = round_short_sum(sum, to, bits) && fits;
            if (is_rounded && tidx_.local == 0)
                store_sum(result, to, bits);
            return is_rounded;
        }
        __device__ __forceinline__ void restart() {}

      private:
        const tiled_index &tidx_;
        const exact_request &want_;
    };
};

} // namespace wf
#endif
