// What an exact sum's kernel folds beside the sum, of the same loads: nothing, or what else a description of floats has
// (describe_floats.hpp). The protocol:
//
//   beside.sample()                   before the elements are loaded: loads what begin() needs
//   beside.begin()                    behind it, before a barrier; ready() behind that
//   beside.take(packs, p, step)       a group: packs p, p + step, ..., and edges that count as packs (load_some)
//   beside.take_again(packs, ...)     that group once more, if not all of its elements may be finite
//   beside.fold_tile()                when all is taken: thread 0 has what the tile has. A barrier is in it
//   beside.publish(leads), fold_tiles()  of a tile; of all: thread 0 of one tile has what all have
//   beside.finish(...)                as finish_exact_sum(), which it does besides
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
    static constexpr unsigned tiles_at_once = 3;
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned) { return all; }
    static constexpr size_t tile_bytes(size_t before, unsigned) { return before; }
    template <unsigned Width, bool Aligned>
    class part {
      public:
        using packed = packed_array<Element, Aligned>;
        __device__ __forceinline__ part(const tiled_index &tidx, const packed &, const exact_request &want,
                                        const operators &, const request &, const word_view &, unsigned)
            : tidx_(tidx), want_(want) {}
        __device__ __forceinline__ void sample() {}
        __device__ __forceinline__ void begin() {}
        __device__ __forceinline__ void ready() {}
        template <unsigned Packs>
        __device__ __forceinline__ void take(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
        template <unsigned Packs>
        __device__ __forceinline__ void take_again(element_pack<Element> (&)[Packs], unsigned, unsigned) {}
        __device__ __forceinline__ void fold_tile() {}
        __device__ __forceinline__ void publish(bool) const {}
        __device__ __forceinline__ void fold_tiles() {}
        __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, unsigned first_cell,
                                               void *result) const {
            return finish_exact_sum<Element, Width>(tidx_, want_, total, flags, base, first_cell, result);
        }

      private:
        const tiled_index &tidx_;
        const exact_request &want_;
    };
};

} // namespace wf
#endif
