// pivot_sample: the pivot of a description, as a wave chooses it from a few elements.
#ifndef WAVEFOLD_REDUCE_EXACT_WAVE_PIVOT_SAMPLE_HPP
#define WAVEFOLD_REDUCE_EXACT_WAVE_PIVOT_SAMPLE_HPP

#include "../../wave.hpp"
#include "description_values.hpp"

namespace wf {

template <class Source, unsigned Width>
class pivot_sample {
    using element = typename Source::element;

  public:
    __device__ __forceinline__ void load(const tiled_index &tidx, const Source &source) {
        sampled_ = sampled(tidx, source, 0);
    }
    // The median of three finite samples: the first, one from the middle on, the last. Loads more while none is finite;
    // 0 if none is.
    __device__ __forceinline__ double median(const tiled_index &tidx, const Source &source) {
        uint64_t finite = ballot<Width>(tidx, is_finite(sampled_));
#pragma unroll 1
        for (unsigned round = 1; finite == 0 && round < rounds; round++) {
            sampled_ = sampled(tidx, source, round);
            finite = ballot<Width>(tidx, is_finite(sampled_));
        }
        const uint64_t lowest = finite & (0 - finite), upper = finite >> Width / 2 << Width / 2;
        const uint64_t middle = upper != 0 ? upper & (0 - upper) : lowest;
        const double mine = is_finite(sampled_) ? widen<double>(sampled_) : 0;
        const auto lane_in = [finite](uint64_t lanes) { return finite != 0 ? last_lane(lanes) : 0; };
        const double a = shuffle<Width>(mine, lane_in(lowest)), b = shuffle<Width>(mine, lane_in(middle)),
                     c = shuffle<Width>(mine, lane_in(finite));
        const double smaller = a < b ? a : b, larger = a < b ? b : a, others = larger < c ? larger : c;
        return smaller < others ? others : smaller;
    }

  private:
    // An element for each lane. The samples of all rounds lie apart, or are the whole array.
    static constexpr unsigned rounds = 64;
    static __device__ __forceinline__ element sampled(const tiled_index &tidx, const Source &source, unsigned round) {
        const uint64_t at = uint64_t(rounds) * lane_of<Width>(tidx) + round;
        return source.read(size_t(source.size() * at / (rounds * Width)));
    }

    element sampled_{};
};

} // namespace wf
#endif
