// Stores the parts of a wf_description.
#ifndef WAVEFOLD_REDUCE_EXACT_GRID_STORE_DESCRIPTION_HPP
#define WAVEFOLD_REDUCE_EXACT_GRID_STORE_DESCRIPTION_HPP

#include "description_values.hpp"
#include "grid_finish_description.hpp"

#include <limits>

namespace wf {

// The words of a wf_description.
using description_words = array_view<uint64_t>;

template <class Element>
struct description_store {
    using place = typename description_values<Element>::place;
    using found = typename place::found;

    static __device__ __forceinline__ void least(const place &low, const found &of, const description_words &words) {
        words[2] = bits_of(low, of);
        words[4] = of.index;
    }
    static __device__ __forceinline__ void largest(const place &high, const found &of, const description_words &words) {
        words[3] = bits_of(high, of);
        words[5] = of.index;
    }
    // squares: of all distances from the pivot; count and share: of all elements, NaN included.
    static __device__ __forceinline__ void sums(const described_sums &sums, double squares, uint64_t count,
                                                double share, const description_words &words) {
        const double share_of_numbers = sums.count == count ? share : 1 / double(sums.count);
        const double infinity = std::numeric_limits<double>::infinity();
        const double about_mean = squares - sums.distances * (sums.distances * share_of_numbers);
        const bool is_none = sums.count == 1 || about_mean < 0; // the square of a single element may be infinite
        const double numerator = is_none ? 0 : squares < infinity ? about_mean : squares;
        words[0] = sums.count;
        words[1] = sums.sum;
        words[6] = sums.mean;
        const auto mean = bits_as<double>(sums.mean); // an infinite mean less itself is NaN
        words[7] = bits_as<uint64_t>(numerator * share_of_numbers + (mean - mean));
    }

  private:
    static __device__ __forceinline__ uint64_t bits_of(const place &op, const found &of) {
        return bits_as<uint64_t>(widen<double>(op.which.finish(typename place::rank(of.rank_bits), 1)));
    }
};

} // namespace wf
#endif
