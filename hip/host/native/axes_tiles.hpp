// Sums of tiles of floats, exact in one to four doubles: of neighbours in a row, or of a few rows of neighbours. The
// elements stay in the nearest cache while their range is found and while they are added.
#ifndef WAVEFOLD_HOST_NATIVE_AXES_TILES_HPP
#define WAVEFOLD_HOST_NATIVE_AXES_TILES_HPP

#include "axes_kernels.hpp"
#include "exact_windows.hpp"

namespace wf::host::native {
namespace {

// 2^exponent, from -1074 on.
inline double power_of_two(int exponent) {
    return bits_as<double>(exponent >= -1022 ? uint64_t(1023 + exponent) << 52 : uint64_t(1) << (exponent + 1074));
}

// Exact sums are the sum of these.
struct tile_parts {
    double value[4];
    size_t count = 0;

    // An integer of at most 62 bits, and its unit.
    void take(int64_t sum, int unit) {
        const auto near = double(sum);
        value[count++] = near * power_of_two(unit);
        value[count++] = double(sum - int64_t(near)) * power_of_two(unit);
    }
};

template <class T, wf_term Term>
class tile_sums {
    using layout = float_layout<T>;
    using word = typename layout::bits;
    // Of f64: the upper window of the last tile, which may hold the next.
    int unit_ = 0;
    bool is_held_ = false;

    template <rest Rest>
    bool add_through_windows(const char *tile, size_t length, tile_parts *to) const {
        window_sums sums;
        if (!sum_through<Rest, T, Term>(unit_, tile, length, nullptr, &sums))
            return false;
        to->take(sums.upper, unit_);
        to->take(sums.lower, unit_ - window_bits);
        return true;
    }

    // length: a multiple of block_step, at most block_length
    bool add_whole(const char *tile, size_t length, tile_parts *to) {
        if constexpr (sizeof(T) == 8)
            if (is_held_ && add_through_windows<rest::found>(tile, length, to))
                return true;
        const exponents found = exponents_of<T>(tile, length);
        is_held_ = false;
        if (found.all_zero || found.most == layout::most_exponent)
            return false;
        const int lowest = layout::lowest(found.least, Term), above = layout::above(found.most, Term);
        if (sizeof(T) < 8 && adds_in_f64(lowest, above)) {
            to->value[to->count++] = sum_in_f64<T, Term>(tile, length, std::make_index_sequence<8>());
            return true;
        }
        unit_ = upper_unit(above);
        is_held_ = unit_ <= most_unit && unit_ - window_bits <= lowest;
        return is_held_ && add_through_windows<rest::none>(tile, length, to);
    }

  public:
    // A square of f64 is rounded first, and subnormals must count.
    static constexpr bool exist = has_float_environment && is_float<T> && !(Term == WF_TERM_SQUARE && sizeof(T) == 8);
    static constexpr size_t rows_at_once = 32, row_bits = 5;

    // Neighbours, at most block_length. False: they take another way, as do zeros, which may all be -0.
    bool add_neighbours(const char *at, size_t length, tile_parts *to) {
        char filled[block_step * sizeof(T)];
        if (length < block_step) {
            __builtin_memset(filled, 0, sizeof filled);
            __builtin_memcpy(filled, at, length * sizeof(T));
            at = filled;
            length = block_step;
        }
        return add_whole(at, length, to) && to->value[0] != 0;
    }

    // The sums of columns, `count` side by side in each of `rows` rows; where they are not exact in a double, false.
    static bool add_columns(const char *at, int64_t step, size_t rows, size_t count, double *sums) {
        constexpr size_t most = axes_block::most;
        static_assert(sizeof(T) < 8, "the sum of two elements must be exact in a double");
        word top[most] = {}, bottom[most];
        __builtin_memset(bottom, 255, sizeof bottom);
        for (size_t row = 0; row < rows; row++)
            for (size_t c = 0; c < count; c++) {
                const auto bits = load<word>(at + int64_t(row) * step + c * sizeof(T));
                const auto magnitude = word(bits + bits), less = word(magnitude - 2); // a zero is the largest
                top[c] = magnitude > top[c] ? magnitude : top[c];
                bottom[c] = less < bottom[c] ? less : bottom[c];
            }
        word largest = 0, least = word(~word(0));
        for (size_t c = 0; c < count; c++) {
            largest = top[c] > largest ? top[c] : largest;
            least = bottom[c] < least ? bottom[c] : least;
        }
        const int above = layout::above(int(largest >> layout::digits), Term);
        const int lowest = layout::lowest(int(word(least + 2) >> layout::digits), Term);
        if (int(largest >> layout::digits) == layout::most_exponent || above + int(row_bits) - lowest > double_digits)
            return false;
        for (size_t c = 0; c < count; c++)
            sums[c] = Term == WF_TERM_ELEMENT ? -0.0 : 0.0; // a magnitude of -0 may come as -0
        for (size_t row = 0; row < rows; row++)
            for (size_t c = 0; c < count; c++)
                sums[c] += term_of<Term, double>(lift_one<double, T>(at + int64_t(row) * step + c * sizeof(T)));
        return true;
    }
};

struct no_tiles { // of integers
    static constexpr bool exist = false;
};

} // namespace
} // namespace wf::host::native
#endif
