// exact_columns: the terms of a tile that fit no window, as long integers in tile memory.
//
// A column is a long integer: words of radix 2^32, kept in signed 64 bits, so that several additions need no carry. 32
// columns are a set, of which each lane of a wave has one to itself: no atomic additions, no two lanes in one bank.
// Where tile memory has no set for each wave, waves wait for each other. The first wave that needs a set clears it, so
// that tiles without such terms pay nothing.
#ifndef WAVEFOLD_REDUCE_EXACT_COLUMNS_HPP
#define WAVEFOLD_REDUCE_EXACT_COLUMNS_HPP

#include "../tile_lock.hpp"
#include "../wave.hpp"
#include "exact_value.hpp"

#include "../operators.hpp"

namespace wf {

template <class Layout>
class exact_columns {
    // Of a significand shifted by up to 31 one word takes all, or two do: the first one the lowest 32 bits.
    static constexpr bool is_one_word = Layout::digits <= 32;
    static constexpr int highest_word = Layout::position_of(Layout::most_exponent - 1) / 32;
    static constexpr unsigned columns = 32;

  public:
    static constexpr int first_word = Layout::position_of(1) / 32;
    // The last one takes the carries of all.
    static constexpr unsigned words = unsigned(highest_word - first_word) + (is_one_word ? 2 : 3);
    enum special { nans, positive_infinities, negative_infinities, specials };
    static constexpr unsigned rows = words + specials; // the latter count

  private:
    static constexpr unsigned set_cells = rows * columns, most_sets = column_bytes / 8 / (set_cells + 1);
    static constexpr unsigned sets = most_sets < most_column_sets ? most_sets : most_column_sets;
    static_assert(sets > 0, "a tile has memory for a set");
    // A word is below 2^32 once carried, and each term adds less than 2^bits.
    // Of two words the first one gets 32 bits, the other 21 that are shifted by up to 31, and what is over.
    static constexpr int bits = is_one_word ? Layout::digits + 31 : 53;
    static_assert(Layout::digits <= 53, "two words take what 31 bits are shifted");
    static constexpr unsigned most_added = bits < 43 ? 1u << 20 : (1u << (63 - bits)) - 1;

    using element_layout = typename Layout::layout;
    static __device__ __forceinline__ unsigned exponent_of(typename Layout::bits element) {
        return unsigned(element >> (element_layout::digits - 1)) & Layout::most_exponent;
    }
    static __device__ __forceinline__ bool is_negative(typename Layout::bits element) {
        return !Layout::squares && element >> (8 * sizeof element - 1) != 0;
    }

    static constexpr bool is_part_of_f32 = !Layout::squares && element_layout::digits <= 24;
    static __device__ __forceinline__ float as_f32(typename Layout::bits element) {
        if constexpr (sizeof element == 4)
            return bits_as<float>(element);
        else
            return widen<float>(bits_as<typename Layout::element>(element));
    }

  public:
    // Cells of 4 bytes, the first of which may be odd.
    static constexpr unsigned cells = 1 + sets + 2 * sets * (1 + set_cells);

    // start: the first cell.
    __device__ __forceinline__ exact_columns(const tiled_index &tidx, unsigned start)
        : locks_(tidx), words_(tidx), start_(start), first_((start + sets + 1) / 2) {}
    // Before all else; a barrier must follow.
    __device__ __forceinline__ void clear(const tiled_index &tidx) const {
        if (tidx.local < sets) {
            locks_[start_ + tidx.local] = 0u;
            words_[added_to(tidx.local)] = uint64_t(0);
        }
    }

    // Calls add(column) in those lanes of the wave where any is true, each with a column that nobody else has then. It
    // adds up to Terms terms. All lanes of the wave take part.
    template <unsigned Width, unsigned Terms, class Add>
    __device__ __forceinline__ void add_in_turn(const tiled_index &tidx, bool any, const Add &add) const {
        constexpr unsigned turns = Width / columns; // of lanes, where there are more than columns
        constexpr bool shares = sets < WF_EXACT_TILE / Width;
        const unsigned set = wave_of<Width>(tidx) % sets, lane = lane_of<Width>(tidx);
        const unsigned column = added_to(set) + 1 + lane % columns;
        if constexpr (shares)
            take_lock<Width>(tidx, locks_, start_ + set, added_to(set), 1 + set_cells);
        const auto added = unsigned(uint64_t(words_[added_to(set)])); // the same in all lanes
        static_assert(turns * Terms < most_added, "a carry makes room for all");
        const bool carries = added > most_added - turns * Terms;
        wave_barrier(); // all have read it
        if (lane == 0)
            words_[added_to(set)] = uint64_t(added == 0 || carries ? 1 : added) + turns * Terms;
        if (lane < columns) {
            if (added == 0)
                clear_column(column);
            else if (carries)
                carry_column(column);
        }
#pragma unroll 1
        for (unsigned turn = 0; turn < turns; turn++) {
            if (turns > 1)
                wave_barrier();
            if (any && lane / columns == turn)
                add(column);
        }
        if constexpr (shares)
            give_lock<Width>(tidx, locks_, start_ + set, added_to(set), 1 + set_cells);
        else
            wave_barrier(); // the next time they all read what lane 0 has written
    }
    // Adds nothing and says true if it is not finite.
    __device__ __forceinline__ bool add_term(unsigned column, typename Layout::bits element) const {
        const unsigned exponent = exponent_of(element);
        const bool is_special = exponent == Layout::most_exponent;
        if constexpr (is_part_of_f32) {
            // An f32 times a power of two is the integer that its word takes. In two steps: the power may be no f32.
            constexpr int unit = WF_SUM_UNIT + 32 * first_word;
            static_assert(unit % 2 == 0 && Layout::position_of(0) >= 32 * first_word, "halves and rows are whole");
            const auto row = unsigned(int(exponent) + Layout::position_of(0) - 32 * first_word) / 32;
            const auto half_power = bits_as<float>((unsigned(127 - unit / 2) - 16 * row) << 23);
            const float scaled = as_f32(is_special ? 0 : element) * half_power * half_power;
            const unsigned cell = column + row * columns;
            words_[cell] = words_[cell] + uint64_t(int64_t(scaled));
            return is_special;
        }
        const unsigned is_normal = exponent < 1 ? 0 : 1;
        const uint64_t fraction = element & (Layout::hidden - 1);
        // Subnormals end where the least normal numbers do.
        const auto position = unsigned(Layout::position_of(int(exponent + 1 - is_normal)) - 32 * first_word);
        const unsigned shift = position % 32, cell = column + position / 32 * columns;
        uint64_t significand = is_special ? 0 : fraction | uint64_t(is_normal) << (element_layout::digits - 1);
        if constexpr (Layout::squares)
            significand *= significand;
        if constexpr (is_one_word) {
            static_assert(Layout::squares || is_part_of_f32, "what gets here is not below 0");
            words_[cell] = words_[cell] + (significand << shift);
        } else {
            const uint64_t sign = is_negative(element) ? ~uint64_t(0) : 0;
            // Shifted by products, each with an addition in one instruction. 2^31 in 32 bits is -2^31.
            const uint64_t term = (significand ^ sign) - sign, before = words_[cell], after = words_[cell + columns];
            const uint32_t power = 1u << shift;
            const uint64_t low = uint64_t(uint32_t(term)) * power;
            const auto high = int32_t(uint32_t(term >> 32));
            const int64_t carried = int64_t(after) + int64_t(low >> 32);
            words_[cell] = before + uint32_t(low);
            words_[cell + columns] = uint64_t(multiply_add(shift == 31 ? -high : high, int32_t(power), carried));
        }
        return is_special;
    }
    __device__ __forceinline__ void count_special(unsigned column, typename Layout::bits element) const {
        if (exponent_of(element) != Layout::most_exponent)
            return;
        const bool is_nan = (element & (Layout::hidden - 1)) != 0;
        const special row = is_nan ? nans : is_negative(element) ? negative_infinities : positive_infinities;
        const unsigned cell = column + (words + row) * columns;
        words_[cell] = words_[cell] + 1;
    }

    // Adds what all waves have put there to words of the sum in device memory, behind which are three for what is not
    // finite. By the tile's first wave, after a barrier.
    template <unsigned Width>
    __device__ __forceinline__ void add_to(const tiled_index &tidx, const array_view<int64_t> &sum_words) const {
        for (unsigned row = tidx.local; row < rows; row += Width) {
            int64_t low = 0, high = 0; // low + high 2^32
#pragma unroll 1
            for (unsigned set = 0; set < sets; set++) {
                if (uint64_t(words_[added_to(set)]) == 0)
                    continue;
#pragma unroll 4
                for (unsigned c = 0; c < columns; c++) {
                    // Lanes have a row each: they begin in different banks.
                    const uint64_t word = words_[added_to(set) + 1 + row * columns + (row + c) % columns];
                    low += int64_t(word & UINT32_MAX);
                    high += int64_t(word) >> 32;
                }
            }
            const unsigned to = row < words ? unsigned(first_word) + row : WF_SUM_LIMBS + row - words;
            if (low != 0)
                atomic_fold(sum_words, to, low, sum<int64_t>());
            if (high != 0)
                atomic_fold(sum_words, to + 1, high, sum<int64_t>());
        }
    }

    // The first cell of 64 bits that is free once all that is done: there is room for WF_SUM_WORDS.
    __device__ __forceinline__ unsigned first_cell() const {
        return first_;
    }
    static_assert(set_cells >= WF_SUM_WORDS, "a set is larger than that");

  private:
    __device__ __forceinline__ void clear_column(unsigned column) const {
#pragma unroll 1
        for (unsigned row = 0; row < rows; row++)
            words_[column + row * columns] = uint64_t(0);
    }
    __device__ __forceinline__ void carry_column(unsigned column) const {
        int64_t carried = 0;
#pragma unroll 1
        for (unsigned row = 0; row < words - 1; row++) {
            carried += int64_t(uint64_t(words_[column + row * columns]));
            words_[column + row * columns] = uint64_t(carried) & UINT32_MAX;
            carried >>= 32;
        }
        const unsigned last = column + (words - 1) * columns;
        words_[last] = words_[last] + uint64_t(carried);
    }

    // Each set begins with a cell that says 0 until it is used, and then 1 more than the terms since its carries.
    __device__ __forceinline__ unsigned added_to(unsigned set) const {
        return first_ + set * (1 + set_cells);
    }

    tile_static<unsigned> locks_;
    tile_static<uint64_t> words_;
    unsigned start_, first_;
};

} // namespace wf
#endif
