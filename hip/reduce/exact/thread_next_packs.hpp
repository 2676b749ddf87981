// next_packs: copies a thread's next packs to tile memory while it adds others. So a whole group is always on its way
// without registers, which leaves registers for more tiles at once.
#ifndef WAVEFOLD_REDUCE_EXACT_THREAD_NEXT_PACKS_HPP
#define WAVEFOLD_REDUCE_EXACT_THREAD_NEXT_PACKS_HPP

#include "../../line_copies.hpp"
#include "thread_loads.hpp"

namespace wf {

template <class Element, unsigned Packs, unsigned Threads>
class next_packs {
    using copies = line_copies<Element, Packs, Threads>;
    static constexpr unsigned first_cell(size_t before) {
        return unsigned((before + sizeof(line<Element>) - 1) / sizeof(line<Element>));
    }

  public:
    // Bytes of tile memory, with those before the copies.
    static constexpr size_t tile_bytes(size_t before) {
        return first_cell(before) * sizeof(line<Element>) + copies::bytes;
    }

    __device__ __forceinline__ next_packs(const tiled_index &tidx, const packed_array<Element, true> &source,
                                          size_t before)
        : source_(source), copies_(tidx, first_cell(before)) {}
    // Copies the packs p, p + step, ... if all are there. No other copies may be on their way.
    __device__ __forceinline__ void start(unsigned p, unsigned step) {
        if (are_all_there(p, step))
#pragma unroll
            for (unsigned k = 0; k < Packs; k++)
                source_.start_copy(copies_, k, p, k * step);
    }
    // The packs that were started last; if some were missing, load_some() loads the rest.
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

} // namespace wf
#endif
