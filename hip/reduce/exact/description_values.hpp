// The values of a description of floats at every level, and where tiles keep them.
#ifndef WAVEFOLD_REDUCE_EXACT_DESCRIPTION_VALUES_HPP
#define WAVEFOLD_REDUCE_EXACT_DESCRIPTION_VALUES_HPP

#include "../../tile_status.hpp"
#include "../reduce_operators.hpp"
#include "exact_request.hpp"

namespace wf {

template <class Element>
struct description_values {
    using place = first_extreme<Element>;
    struct value {      // of a thread, a wave or a tile
        double squares; // of the distances from the pivot
        typename place::value least, largest;
    };
    struct found { // of a launch
        double squares, pivot;
        typename place::found least, largest;
    };
    static __device__ __forceinline__ value identity() { return {0, place::identity(), place::identity()}; }

    // high: the largest, as the least of flipped ranks. finite_*: for elements without NaN.
    struct operators {
        place low, high, finite_low, finite_high;
        // opaque: AMD's scalar registers are too few for these and for the request.
        explicit __device__ __forceinline__ operators(exact_request &want, uint64_t &number) {
            opaque(want.count);
            opaque(number);
            for (uint8_t *const flag : {&want.is_first, &want.is_last, &want.ignores_nan}) {
                unsigned word = *flag;
                opaque(word);
                *flag = uint8_t(word);
            }
            auto nan = want.ignores_nan != 0 ? ranks<Element>::most : ranks<Element>::least;
            opaque(nan);
            low.which.nan = high.which.nan = nan;
            finite_low.which.nan = finite_high.which.nan = ranks<Element>::most;
            high.which.flip = finite_high.which.flip = typename place::rank(-1);
        }
    };

    // Tile memory, behind the bytes before: the pivot, then a cell for each thread.
    static constexpr unsigned pivot_cell(size_t before) { return unsigned((before + 7) / sizeof(double)); }
    static constexpr unsigned first_cell(size_t before) {
        return unsigned(((pivot_cell(before) + 1) * sizeof(double) + sizeof(value) - 1) / sizeof(value));
    }
    static constexpr size_t tile_bytes(size_t before, unsigned threads) {
        return (first_cell(before) + threads) * sizeof(value);
    }

    // Words that each tile publishes: the sum, the squares, the least and the largest apart, as different waves publish
    // them. Even numbers, as words may go in pairs.
    static constexpr unsigned sum_words = 6, squares_words = 2, place_words = 4;
    static_assert(WF_EXACT_VALUE_BYTES / sizeof(uint32_t) <= sum_words &&
                  sizeof(typename place::value) / sizeof(uint32_t) <= place_words &&
                  sum_words + squares_words + 2 * place_words == WF_DESCRIBE_VALUE_BYTES / WF_STATUS_VALUE_BYTES);
    static __device__ __forceinline__ word_view words_of(const word_view &all, unsigned tiles, unsigned before,
                                                         unsigned words) {
        return all.section(before * size_t(tiles), words * size_t(tiles));
    }
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned tiles) {
        return words_of(all, tiles, 0, sum_words);
    }
};

template <class Element>
__device__ __forceinline__ bool is_finite(Element from) {
    using format = float_format<Element>;
    return format::exponent_of(bits_as<typename format::bits>(from)) != format::most_exponent;
}
template <class Element, unsigned Packs>
__device__ __forceinline__ bool all_finite(const element_pack<Element> (&packs)[Packs]) {
    uint32_t specials = 0; // a bool would take AMD's scalar registers
#pragma unroll
    for (const element_pack<Element> &pack : packs)
#pragma unroll
        for (unsigned i = 0; i < element_pack<Element>::size; i++)
            specials |= is_finite(pack[i]) ? 0u : 1u;
    return specials == 0;
}

} // namespace wf
#endif
