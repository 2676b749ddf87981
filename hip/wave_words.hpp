// Folds of a wave word by word, where the hardware folds a word of every lane in one instruction. An operator whose
// values are integers that are compared or added (extremes of floats are those of their ranks) says how:
//
//   op.of_wave(words, x)    the fold of the wave's values x, in every lane, by what wave_words offers
//
// Operators that have no such function, and all where folds_words<Width> is false, fold a wave by steps.
#ifndef WAVEFOLD_WAVE_WORDS_HPP
#define WAVEFOLD_WAVE_WORDS_HPP

#include <utility>

namespace wf {

template <unsigned Width>
class wave_words {
  public:
    explicit __device__ __forceinline__ wave_words(const tiled_index &tidx) : tidx_(tidx) {}

    // The largest of the wave's numbers, whose words are given with the highest first.
    template <unsigned Count>
    __device__ __forceinline__ void largest(uint32_t (&words)[Count]) const {
        bool is_largest = true;
#pragma unroll
        for (unsigned k = 0; k < Count; k++) {
            const uint32_t most = wave_largest<Width>(tidx_, is_largest ? words[k] : 0);
            is_largest &= words[k] == most;
            words[k] = most;
        }
    }

    // Modulo 2^32.
    __device__ __forceinline__ uint32_t sum(uint32_t number) const {
        uint32_t word[] = {number};
        wave_sum<Width>(tidx_, word);
        return word[0];
    }
    // Modulo 2^64. Pieces have so few bits that no sum of a wave's leaves its word.
    __device__ __forceinline__ uint64_t sum(uint64_t number) const {
        uint32_t pieces[] = {uint32_t(number) & mask, uint32_t(number >> bits) & mask, uint32_t(number >> 2 * bits)};
        wave_sum<Width>(tidx_, pieces);
        return pieces[0] + (uint64_t(pieces[1]) << bits) + (uint64_t(pieces[2]) << 2 * bits);
    }
    // Of a number of several words, the lowest one first, modulo two to the power of their bits.
    template <unsigned Count>
    __device__ __forceinline__ void sum(uint64_t (&number)[Count]) const {
        if constexpr (Count == 1) {
            number[0] = sum(number[0]);
        } else {
            constexpr unsigned parts = (64 * Count + bits - 1) / bits;
            uint32_t pieces[parts];
#pragma unroll
            for (unsigned k = 0; k < parts; k++) {
                const unsigned word = k * bits / 64, shift = k * bits % 64;
                uint64_t piece = number[word] >> shift;
                if (shift > 64 - bits && word + 1 < Count)
                    piece |= number[word + 1] << (64 - shift);
                pieces[k] = uint32_t(piece) & mask;
            }
            wave_sum<Width>(tidx_, pieces);
#pragma unroll
            for (unsigned k = 0; k < Count; k++)
                number[k] = 0;
            uint32_t next = 0; // the piece and what is carried to it, which together fit the word as well
#pragma unroll
            for (unsigned k = 0; k < parts; k++) {
                const unsigned word = k * bits / 64, shift = k * bits % 64;
                next += pieces[k];
                number[word] |= uint64_t(next & mask) << shift;
                if (shift > 64 - bits && word + 1 < Count)
                    number[word + 1] = uint64_t(next & mask) >> (64 - shift);
                next >>= bits;
            }
        }
    }

  private:
    static constexpr unsigned bits = 26;
    static constexpr uint32_t mask = (1u << bits) - 1;
    static_assert(Width <= 64 && bits + 6 <= 32, "64 pieces fit a word");
    const tiled_index &tidx_;
};

template <unsigned Width, class Op, class T, class = void>
constexpr bool has_of_wave = false;
template <unsigned Width, class Op, class T>
constexpr bool has_of_wave<Width, Op, T,
                           std::void_t<decltype(std::declval<const Op &>().of_wave(
                               std::declval<const wave_words<Width> &>(), std::declval<const T &>()))>> = true;

} // namespace wf

#endif
