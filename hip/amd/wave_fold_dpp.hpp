// Folds and scans of a wave by DPP (data parallel primitives): an operand comes from another lane of the row of 16,
// without memory traffic; rows meet in scalar registers. (rocPRIM: warp_reduce_dpp, warp_scan_dpp.)
#ifndef WAVEFOLD_AMD_WAVE_FOLD_DPP_HPP
#define WAVEFOLD_AMD_WAVE_FOLD_DPP_HPP

#include "../wave_fold_rolled.hpp"

namespace wf {

// The value of the lane that stands Distance before, round in its row of 16 lanes: DPP's row_ror, on every target.
template <unsigned Distance, class T>
__device__ __forceinline__ T rotate_in_row(T value) {
    constexpr int row_ror = 0x120;
    return move_words(
        value, [](int word) { return __builtin_amdgcn_update_dpp(word, word, row_ror + Distance, 0xf, 0xf, true); });
}

// The value of the lane that stands Distance before, if that is in the row: DPP's row_shr, on every target.
template <unsigned Distance, class T>
__device__ __forceinline__ T shift_in_row(T value) {
    constexpr int row_shr = 0x110;
    return move_words(
        value, [](int word) { return __builtin_amdgcn_update_dpp(word, word, row_shr + Distance, 0xf, 0xf, false); });
}

// A row's lanes fold with those 8, 4, 2 and 1 before, round in the row. Which lane DPP reads is part of the
// instruction, so that no loop can vary it: large values go by shuffles.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce(const tiled_index &tidx, T value, const Op &fold) {
    if constexpr (is_large_value<T>) {
        return wave_reduce_rolled<Width>(tidx, value, Width, fold);
    } else {
        value = fold(value, rotate_in_row<8>(value));
        value = fold(value, rotate_in_row<4>(value));
        value = fold(value, rotate_in_row<2>(value));
        value = fold(value, rotate_in_row<1>(value));
        T total = read_lane(value, 0); // every lane of a row has the row's fold
        for (unsigned row = 16; row < Width; row += 16)
            total = fold(total, read_lane(value, row));
        return total;
    }
}

// After Hillis and Steele (1986, "Data parallel algorithms") in a row; then each row takes the fold of those before.
template <unsigned Width, unsigned Count, class Op, class T>
__device__ __forceinline__ void wave_scan(const tiled_index &tidx, T (&values)[Count], const Op &fold) {
    const unsigned lane = lane_of<Width>(tidx);
    const unsigned in_row = lane % 16;
    for (T &value : values) {
        const auto step = [&](const T &earlier, unsigned distance) {
            if (in_row >= distance)
                value = fold(earlier, value);
        };
        step(shift_in_row<1>(value), 1);
        step(shift_in_row<2>(value), 2);
        step(shift_in_row<4>(value), 4);
        step(shift_in_row<8>(value), 8);
        T rows_before = read_lane(value, 15);
        for (unsigned row = 16; row < Width; row += 16) {
            const T row_total = read_lane(value, row + 15);
            if (lane / 16 == row / 16)
                value = fold(rows_before, value);
            rows_before = fold(rows_before, row_total);
        }
    }
}

template <unsigned Width>
__device__ __forceinline__ uint32_t wave_largest(const tiled_index &tidx, uint32_t word) {
    return wave_reduce<Width>(tidx, word, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
}

template <unsigned Width, unsigned Count>
__device__ __forceinline__ void wave_sum(const tiled_index &tidx, uint32_t (&words)[Count]) {
    for (uint32_t &word : words)
        word = wave_reduce<Width>(tidx, word, [](uint32_t a, uint32_t b) { return a + b; });
}

template <unsigned Width, class Op, class T>
__device__ __forceinline__ void wave_reduce_three(const tiled_index &tidx, T &x, T &y, T &z, const Op &fold) {
    x = wave_reduce<Width>(tidx, x, fold); // the compiler interleaves what has no order
    y = wave_reduce<Width>(tidx, y, fold);
    z = wave_reduce<Width>(tidx, z, fold);
}

template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_reduce_first(const tiled_index &tidx, T value, unsigned count, const Op &fold) {
    if constexpr (is_large_value<T>)
        return wave_reduce_rolled<Width>(tidx, value, count, fold);
    else
        return wave_reduce<Width>(tidx, value, fold);
}

} // namespace wf

#endif
