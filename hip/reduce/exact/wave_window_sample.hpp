// window_sample: where the window of an exact sum lies, as a wave guesses it from a few elements.
#ifndef WAVEFOLD_REDUCE_EXACT_WAVE_WINDOW_SAMPLE_HPP
#define WAVEFOLD_REDUCE_EXACT_WAVE_WINDOW_SAMPLE_HPP

#include "../../wave.hpp"
#include "../packed_array.hpp"
#include "exact_value.hpp"

namespace wf {

// Guesses the window's base from an element for each lane: the largest of them lies a few bits below the top, which
// leaves room for sums. A wrong guess costs time, never the result. If a window holds every element, none is needed.
template <class Terms, class Source>
class window_sample {
    using layout = typename Terms::layout;
    using bits = typename layout::bits;
    static constexpr unsigned width = Terms::width;
    static constexpr int end = Terms::in_f64 ? Terms::doubles::end : window_end, guard = 8;

  public:
    static constexpr bool holds_all =
        layout::position_of(layout::most_exponent) + layout::digits + guard - end <= layout::position_of(1);

    // Loads the elements, in the tile's first wave or everywhere: in all waves, all processors would load the same few
    // lines at once. Single elements: whole packs would take registers that the first group needs.
    __device__ __forceinline__ window_sample(const tiled_index &tidx, const Source &source, bool everywhere) {
        if constexpr (!holds_all) {
            if (everywhere || tidx.local < width) {
                const unsigned lane = everywhere ? lane_of<width>(tidx) : tidx.local;
                const unsigned packs = source.packs(), p = unsigned(uint64_t(packs) * lane / width);
                if (packs + source.edges() > 0)
                    element_ = bits_as<bits>(source.read(packs > 0 ? source.index_of(p) : source.index_of_edge(0)));
            }
        }
    }
    // By the waves that have loaded the elements.
    __device__ __forceinline__ int base(const tiled_index &tidx) const {
        if constexpr (holds_all) {
            return layout::position_of(1);
        } else {
            const unsigned here = layout::exponent_of(element_);
            const unsigned exponent = wave_largest<width>(tidx, here == layout::most_exponent ? 0 : here);
            const bool is_usual = exponent != 0; // for zeros and for what is not finite any window will do
            const int base =
                layout::position_of(is_usual ? int(exponent) : layout::bias) + layout::digits + guard - end;
            // The constants of a double_window must be finite, and a window of integers must not reach infinities.
            constexpr int most_base = 1900;
            return base < 0 ? 0 : base < most_base ? base : most_base;
        }
    }

  private:
    bits element_ = 0;
};

} // namespace wf
#endif
