// tile_columns: the sum of a tile's terms that fit no window, as long integers in tile memory.
//
// A column is a long integer: digits of radix 2^16 in signed words of 32 bits, so that many additions need no carry.
// There are 32 columns, one for each lane of a wave (two lanes of 64 share one): 32 lanes never meet in a bank. All
// waves of the tile add to them atomically, and no thread waits for such an addition, as it does not use the result.
// The first wave that needs the columns clears them, so that tiles without such terms pay nothing.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_COLUMNS_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_COLUMNS_HPP

#include "../../atomic.hpp"
#include "../../operators.hpp"
#include "../../wave.hpp"
#include "exact_value.hpp"
#include "wavefold_sum.h"

namespace wf {

template <class Layout>
class tile_columns {
    using bits = typename Layout::bits;
    using format = typename Layout::format;
    static constexpr unsigned columns = 32, digit_bits = 16;
    static constexpr int first_limb = Layout::position_of(1) / 32, first = 32 * first_limb; // of row 0
    // A term is shifted by less than a digit. Its last digit has the sign.
    static constexpr unsigned term_digits = (Layout::digits + 2 * digit_bits - 2) / digit_bits;
    static constexpr unsigned last_row = unsigned(Layout::position_of(Layout::most_exponent - 1) - first) / digit_bits;
    // A launch has 2^34 terms at most: the row above all digits takes the rest of their sum, and its sign.
    static constexpr unsigned terms_end = unsigned(Layout::position_of(Layout::most_exponent) - first) + Layout::digits;
    static constexpr unsigned digit_rows = (terms_end + 34) / digit_bits > last_row + term_digits
                                               ? (terms_end + 34) / digit_bits
                                               : last_row + term_digits;
    enum special { nans, positive_infinities, negative_infinities, specials };
    static constexpr unsigned rows = digit_rows + specials; // the last ones count special values
    // That many terms of all waves since the last carries stay below 2^30 in each word.
    static constexpr unsigned most_pending = 1u << 14;

    static constexpr bool is_part_of_f32 = !Layout::squares && format::digits <= 24;
    static __device__ __forceinline__ float as_f32(bits element) {
        if constexpr (sizeof element == 4)
            return bits_as<float>(element);
        else
            return widen<float>(bits_as<typename Layout::element>(element));
    }

  public:
    // Cells of 4 bytes: the state of the columns, then the columns.
    static constexpr unsigned cells = 1 + rows * columns;

    // start: the first cell.
    __device__ __forceinline__ tile_columns(const tiled_index &tidx, unsigned start) : cells_(tidx), start_(start) {}
    // Called first, by one thread; a barrier must follow.
    __device__ __forceinline__ void begin() const { cells_[start_] = 0u; }

    static __device__ __forceinline__ bool is_finite(bits element) {
        return Layout::exponent_of(element) != Layout::most_exponent;
    }

    // Called by all lanes of a wave before each of them adds up to Terms terms.
    template <unsigned Width, unsigned Terms>
    __device__ __forceinline__ void make_room(const tiled_index &tidx) {
        constexpr unsigned in_column = Width / columns * Terms;
        static_assert(2 * in_column * (largest_exact_tile / Width) <= most_pending, "carries make room");
        const unsigned waves = tidx.tile_size / Width;
        const bool is_first = pending_ == 0, is_full = (pending_ + in_column) * waves > most_pending;
        if (is_first)
            clear_once<Width>(tidx);
        if (is_full)
            carry(tidx);
        pending_ = (is_first || is_full ? 1 : pending_) + in_column;
    }

    // Adds to the column of this lane.
    __device__ __forceinline__ void add(const tiled_index &tidx, bits finite) const {
        const unsigned exponent = Layout::exponent_of(finite);
        if constexpr (is_part_of_f32) {
            // An f32 times a power of two is the integer of its digits. In two steps, as the power may be no f32.
            constexpr int unit = WF_SUM_UNIT + first;
            static_assert(unit % 2 == 0 && Layout::position_of(0) >= first, "halves and rows are whole");
            const auto row = unsigned(int(exponent) + Layout::position_of(0) - first) / digit_bits;
            const auto half_power =
                bits_as<float>((unsigned(float_format<float>::bias - unit / 2) - digit_bits / 2 * row) << 23);
            add_digits(cell_of(tidx, row), int64_t(as_f32(finite) * half_power * half_power));
        } else {
            // Subnormals end where the least normal numbers do.
            const auto position = unsigned(Layout::position_of(int(exponent < 1 ? 1 : exponent)) - first);
            const unsigned shift = position % digit_bits, cell = cell_of(tidx, position / digit_bits);
            uint64_t significand = (finite & (Layout::hidden - 1)) | (exponent < 1 ? 0 : Layout::hidden);
            if constexpr (Layout::squares)
                significand *= significand;
            if constexpr (Layout::digits + digit_bits <= 64) {
                static_assert(Layout::squares, "negative terms take the branch below");
                add_digits(cell, int64_t(significand << shift));
            } else {
                // Two's complement: a negative number's bits are inverted, and 1 is added.
                const bool is_negative = finite >> (8 * sizeof finite - 1) != 0;
                const uint32_t sign = is_negative ? ~0u : 0;
                const uint64_t lower = significand << shift;
                const uint32_t words[3] = {uint32_t(lower) ^ sign, uint32_t(lower >> 32) ^ sign,
                                           uint32_t(significand >> 32 << shift >> 32) ^ sign};
                static_assert(term_digits == 5, "one for each add_word()");
                add_word(cell, (words[0] & 0xffffu) + (is_negative ? 1 : 0));
                add_word(cell + columns, words[0] >> digit_bits);
                add_word(cell + 2 * columns, words[1] & 0xffffu);
                add_word(cell + 3 * columns, words[1] >> digit_bits);
                add_word(cell + 4 * columns, words[2]);
            }
        }
    }
    __device__ __forceinline__ void count_special(const tiled_index &tidx, bits element) const {
        const bool is_nan = (element & (Layout::hidden - 1)) != 0,
                   is_negative = element >> (8 * sizeof element - 1) != 0;
        add_word(cell_of(tidx, digit_rows + (is_nan        ? nans
                                             : is_negative ? negative_infinities
                                                           : positive_infinities)),
                 1);
    }

    // Adds the columns to the words of the sum in device memory, which end with the counts of NaN and infinities.
    // Called by the tile's first wave, after a barrier.
    template <unsigned Width>
    __device__ __forceinline__ void add_to(const tiled_index &tidx, const array_view<int64_t> &sum_words) const {
        constexpr unsigned limbs = (digit_rows + 1) / 2; // of two rows each
        for (unsigned item = tidx.local; item < limbs + specials; item += Width) {
            const bool is_limb = item < limbs;
            const unsigned row = is_limb ? 2 * item : digit_rows + item - limbs;
            const bool has_second = is_limb && row + 1 < digit_rows;
            int64_t lower = 0, upper = 0;
#pragma unroll 4
            for (unsigned k = 0; k < columns; k++) {
                // Each lane has a row of its own, and begins in a bank of its own.
                const unsigned cell = start_ + 1 + row * columns + (item + k) % columns;
                lower += int32_t(uint32_t(cells_[cell]));
                upper += has_second ? int32_t(uint32_t(cells_[cell + columns])) : 0;
            }
            const int64_t sum = lower + upper * (1 << digit_bits), high = is_limb ? sum >> 32 : 0;
            const int64_t low = is_limb ? sum & UINT32_MAX : sum;
            const unsigned to = is_limb ? unsigned(first_limb) + item : WF_SUM_LIMBS + item - limbs;
            if (low != 0)
                atomic_fold(sum_words, to, low, wf::sum<int64_t>());
            if (high != 0)
                atomic_fold(sum_words, to + 1, high, wf::sum<int64_t>());
        }
    }

  private:
    __device__ __forceinline__ unsigned cell_of(const tiled_index &tidx, unsigned row) const {
        return start_ + 1 + row * columns + tidx.local % columns;
    }
    __device__ __forceinline__ void add_word(unsigned cell, uint32_t word) const {
        tile_add(cells_, cell, word);
    }
    __device__ __forceinline__ void add_digits(unsigned cell, int64_t term) const {
#pragma unroll
        for (unsigned k = 0; k + 1 < term_digits; k++, term >>= digit_bits)
            add_word(cell + k * columns, uint32_t(term) & 0xffffu);
        add_word(cell + (term_digits - 1) * columns, uint32_t(term));
    }

    template <unsigned Width>
    __device__ __forceinline__ void clear_once(const tiled_index &tidx) const {
        constexpr uint32_t is_clear = 1u << 16; // more than there are waves
        const bool leads = lane_of<Width>(tidx) == 0;
        uint32_t before = broadcast<Width>(leads ? tile_add(cells_, start_, 1) : 0u, 0);
        if (before == 0) {
            if (lane_of<Width>(tidx) < columns)
#pragma unroll 8
                for (unsigned row = 0; row < rows; row++)
                    tile_store(cells_, cell_of(tidx, row), 0);
            wave_barrier();
            tile_fence();
            if (leads)
                tile_add(cells_, start_, is_clear);
            return;
        }
        while (before < is_clear) {
            let_waves_run();
            before = broadcast<Width>(leads ? tile_add(cells_, start_, 0) : 0u, 0);
        }
        tile_fence(); // by the lane that has read the state; then the other lanes
        wave_barrier();
    }
    // Other waves may add meanwhile: what is taken from a word is added to it and to the next one.
    __device__ __forceinline__ void carry(const tiled_index &tidx) const {
#pragma unroll 1
        for (unsigned row = 0; row + 1 < digit_rows; row++) {
            const unsigned cell = cell_of(tidx, row);
            const uint32_t word = tile_exchange(cells_, cell, 0);
            add_word(cell, word & 0xffffu);
            add_word(cell + columns, uint32_t(int32_t(word) >> digit_bits));
        }
    }

    tile_static<uint32_t> cells_;
    unsigned start_;
    unsigned pending_ = 0; // 1 + terms of a column since this wave's last carries; 0: it has added none
};

} // namespace wf
#endif
