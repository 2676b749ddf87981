// exact_columns: the terms of a tile that fit no window, as long integers in tile memory.
//
// A column is a long integer: words of radix 2^32, kept in signed 64 bits, so that several additions need no carry. 32
// columns are a set, of which each lane of a wave has one to itself: no atomic additions, no two lanes in one bank. For
// all waves to have a set there is not enough memory; who needs one waits for it. The first to do so clears it, so that
// tiles without such terms pay nothing.
#ifndef WAVEFOLD_REDUCE_EXACT_COLUMNS_HPP
#define WAVEFOLD_REDUCE_EXACT_COLUMNS_HPP

#include "../tile_lock.hpp"
#include "../wave.hpp"
#include "exact_value.hpp"

namespace wf {

template <class Layout>
class exact_columns {
    // Of a significand shifted by up to 31 one word takes all, or two do: the first 32 bits of it, the second the rest.
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
    static constexpr unsigned set_cells = rows * columns, most_cells = 2304;
    static constexpr unsigned sets = set_cells * 2 <= most_cells ? 2 : 1;
    // A word is below 2^32 once carried, and each term adds less than 2^bits.
    static constexpr int bits = is_one_word ? Layout::digits + 31 : 53;
    static_assert(Layout::digits <= 53, "two words take what 31 bits are shifted");
    static constexpr unsigned most_added = bits < 43 ? 1u << 20 : (1u << (63 - bits)) - 1;

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
        const unsigned set = wave_of<Width>(tidx) % sets, lane = lane_of<Width>(tidx);
        const unsigned column = added_to(set) + 1 + lane % columns;
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
        give_lock<Width>(tidx, locks_, start_ + set);
    }
    // The terms of elements whose bits are given, of which those that count are left. Nothing parts the lanes but what
    // is not finite.
    template <unsigned Count>
    __device__ __forceinline__ void add_terms(unsigned column, const typename Layout::bits (&elements)[Count]) const {
        bool is_special = false;
#pragma unroll
        for (const auto element : elements)
            is_special = add_term(column, element) || is_special;
        if (__builtin_expect(is_special, 0))
            for (const auto element : elements)
                count_special(column, element);
    }

    // Whether any was taken, and what a row of all of them comes to: low + high 2^32. After a barrier.
    __device__ __forceinline__ bool any_used() const {
        bool any = false;
        for (unsigned set = 0; set < sets; set++)
            any = any || uint64_t(words_[added_to(set)]) != 0;
        return any;
    }
    __device__ __forceinline__ void sum_row(unsigned row, int64_t &low, int64_t &high) const {
        low = high = 0;
#pragma unroll 1
        for (unsigned set = 0; set < sets; set++) {
            if (uint64_t(words_[added_to(set)]) == 0)
                continue;
#pragma unroll 1
            for (unsigned c = 0; c < columns; c++) {
                // Lanes have a row each: they begin in different banks.
                const uint64_t word = words_[added_to(set) + 1 + row * columns + (row + c) % columns];
                low += int64_t(word & UINT32_MAX);
                high += int64_t(word) >> 32;
            }
        }
    }

  private:
    using element_layout = typename Layout::layout;
    static __device__ __forceinline__ unsigned exponent_of(typename Layout::bits element) {
        return unsigned(element >> (element_layout::digits - 1)) & Layout::most_exponent;
    }
    static __device__ __forceinline__ bool is_negative(typename Layout::bits element) {
        return !Layout::squares && element >> (8 * sizeof element - 1) != 0;
    }

    // Adds nothing and says true if it is not finite.
    __device__ __forceinline__ bool add_term(unsigned column, typename Layout::bits element) const {
        using word = std::conditional_t<element_layout::digits <= 24, uint32_t, uint64_t>;
        const unsigned exponent = exponent_of(element), is_normal = exponent < 1 ? 0 : 1;
        const bool is_special = exponent == Layout::most_exponent;
        const word fraction = word(element) & word(Layout::hidden - 1);
        // Subnormals end where the least normal numbers do.
        const auto position = unsigned(Layout::position_of(int(exponent + 1 - is_normal)) - 32 * first_word);
        const unsigned shift = position % 32, cell = column + position / 32 * columns;
        uint64_t significand = is_special ? 0 : fraction | word(is_normal) << (element_layout::digits - 1);
        if constexpr (Layout::squares)
            significand *= significand;
        const uint64_t sign = is_negative(element) ? ~uint64_t(0) : 0; // (x ^ sign) - sign
        if constexpr (is_one_word) {
            words_[cell] = words_[cell] + (((significand ^ sign) - sign) << shift);
        } else {
            const uint64_t low = uint32_t(significand) << shift, high = significand >> 1 >> (31 - shift);
            const uint64_t before = words_[cell], before_high = words_[cell + columns];
            words_[cell] = before + (low ^ sign) - sign;
            words_[cell + columns] = before_high + (high ^ sign) - sign;
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
