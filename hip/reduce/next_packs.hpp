// next_packs: the packs that a thread takes next, copied to tile memory while it adds others. So there are always as
// many on their way as it takes at once, in registers for as many tiles as that leaves room for.
#ifndef WAVEFOLD_REDUCE_NEXT_PACKS_HPP
#define WAVEFOLD_REDUCE_NEXT_PACKS_HPP

#include "../line_copies.hpp"
#include "exact_terms.hpp"

namespace wf {

template <class Element, unsigned Packs, unsigned Threads>
class next_packs {
    using copies = line_copies<Element, Packs, Threads>;
    static constexpr unsigned first_cell(size_t before) {
        return unsigned((before + sizeof(line<Element>) - 1) / sizeof(line<Element>));
    }

  public:
    // Of tile memory, behind so many bytes that are others'.
    static constexpr size_t tile_bytes(size_t before) {
        return first_cell(before) * sizeof(line<Element>) + copies::bytes;
    }

    __device__ __forceinline__ next_packs(const tiled_index &tidx, const packed_array<Element, true> &source,
                                          size_t before)
        : source_(source), copies_(tidx, first_cell(before)) {}
    // The packs p, p + step, ... are copied if all are there. None may be on its way.
    __device__ __forceinline__ void start(unsigned p, unsigned step) {
        if (are_all_there(p, step))
#pragma unroll
            for (unsigned k = 0; k < Packs; k++)
                source_.start_copy(copies_, k, p, k * step);
    }
    // Those that were started last, or as load_some() has them.
    __device__ __forceinline__ void take(unsigned p, unsigned step, element_pack<Element> (&packs)[Packs]) {
        if (!are_all_there(p, step))
            return load_some(source_, p, step, packs);
        copies_.wait();
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            packs[k] = {copies_[k]};
    }

  private:
    __device__ __forceinline__ bool are_all_there(unsigned p, unsigned step) const {
        return p + (Packs - 1) * step < source_.packs();
    }

    const packed_array<Element, true> &source_;
    copies copies_;
};

// Where packs come to registers.
struct no_packs_ahead {
    template <class... Arguments>
    explicit __device__ __forceinline__ no_packs_ahead(const Arguments &...) {}
};

} // namespace wf
#endif
