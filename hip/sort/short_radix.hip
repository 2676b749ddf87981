// short_radix: a radix sort within one tile, of all digits, for each row. Places go along with the keys, if there are
// values: these go once, in the end, as the places say.
#include "../atomic.hpp"
#include "radix_count.hip"
#include "radix_tile.hpp"
#include "row_list.hpp"

namespace wf {

// Keys of 1 and 2 bytes share a word with their places.
template <class U>
struct placed_keys {
    static constexpr unsigned place_shift = 16;
    sort_source<U, no_value> source;

    __device__ __forceinline__ size_t size() const { return source.size(); }
    __device__ __forceinline__ record<uint32_t, no_value> load(size_t i) const { return placed(source.load(i).key, i); }
    __device__ __forceinline__ record<uint32_t, no_value> operator[](size_t i) const {
        return placed(source[i].key, i);
    }

  private:
    static __device__ __forceinline__ record<uint32_t, no_value> placed(U key, size_t i) {
        return {uint32_t(i) << place_shift | key};
    }
};

// Stores the values of a row in the new order, or the positions that these have. All values pass through tile memory,
// from cell first_cell on, before one is stored: the two arrays may be the same. Long values pass in words of 4 bytes.
// place: of the lane's first slot in the tile; those of its others follow Width apart.
template <class V, unsigned Width, unsigned Slots>
__device__ __forceinline__ void gather_values(const tiled_index &tidx, const value_arrays &values,
                                              const sorted_row &row, const uint32_t (&positions)[Slots], unsigned slots,
                                              unsigned place, unsigned first_cell) {
    const unsigned count = unsigned(row.count);
    unsigned kept = unsigned(row.kept);
    compute_anew(place); // or what all sizes of values share, for each slot, would take too many registers
    compute_anew(slots);
    compute_anew(kept);
    using word = std::conditional_t<(sizeof(V) > 4), uint32_t, V>;
    constexpr unsigned words = sizeof(V) / sizeof(word);
    const auto source = array_view<const word>(static_cast<const word *>(values.source), words * values.count)
                            .section(words * row.begin, words * row.count);
    const auto target = array_view<word>(static_cast<word *>(values.target), words * values.target_count)
                            .section(words * row.target, words * row.kept);
    const tile_static<uint32_t> cells(tidx);
#pragma unroll 1
    for (unsigned w = 0; w < words; w++) {
        tidx.barrier.wait();
#pragma unroll 4
        for (unsigned i = tidx.local; i < count; i += radix_threads)
            cells[first_cell + i] =
                values.source != nullptr ? uint32_t(source[words * i + w]) : uint32_t((row.first + i) >> 32 * w);
        tidx.barrier.wait();
#pragma unroll
        for (unsigned k = 0; k < Slots; k++)
            if (k < slots && place + k * Width < kept)
                target[words * (place + k * Width) + w] = word(uint32_t(cells[first_cell + positions[k]]));
    }
}

template <class U, bool HasValues, unsigned Width>
__global__ void WF_BOUNDS(radix_threads, radix_threads_at_once<HasValues>)
    short_radix(sort_source<U, no_value> source, sort_target<U, no_value> target, value_arrays values,
                radix_digits digits, row_list list, size_t first_row) {
    constexpr bool shares_words = sizeof(U) <= 2, has_positions = HasValues && !shares_words;
    using word = std::conditional_t<shares_words, uint32_t, U>;
    const tiled_index tidx;
    wait_for_earlier_kernels();
    const sorted_row row = list.part(first_row + tidx.tile);
    if (row.count == 0)
        return;
    constexpr unsigned most_rows = WF_RADIX_KEYS(sizeof(word));
    unsigned rows = wave_uniform((unsigned(row.count) + radix_threads - 1) / radix_threads); // of the tile
    radix_tile<word, Width> keys(tidx);
    uint32_t positions[most_rows];

    if constexpr (shares_words)
        keys.load(placed_keys<U>{source.section(row.begin, row.count)}, 0, rows);
    else
        keys.load(source.section(row.begin, row.count), 0, rows);
#pragma unroll
    for (unsigned k = 0; k < most_rows; k++)
        positions[k] = keys.place(k, rows);
    // Few results: first by the highest digit. Keys behind those that share it with the last result are left out then.
    const unsigned selections = HasValues && row.kept < row.count / 4 ? 1 : 0;
#pragma unroll 1
    for (unsigned pass = 0; pass < selections + digits.count; pass++) {
        const bool selects = selections != 0 && pass == 0;
        const radix_digit digit = digits[selects ? digits.count - 1 : pass - selections];
        keys.clear_counts();
        tidx.barrier.wait();
        const digit_counts counts = keys.count(digit, rows), starts = keys.rank(digit, counts, rows);
        keys.place_keys(rows);
        if (selects)
            keys.set_end(unsigned(row.kept) - 1, counts, starts);
        tidx.barrier.wait();
        const unsigned next_rows = selects ? wave_uniform((keys.end() + radix_threads - 1) / radix_threads) : rows;
        keys.take_back(next_rows);
        if constexpr (has_positions)
            keys.move_along(positions, rows, next_rows);
        rows = next_rows;
    }

    unsigned place = keys.place(0, rows);
    compute_anew(place);
#pragma unroll
    for (unsigned k = 0; k < most_rows; k++) {
        if constexpr (shares_words)
            positions[k] = keys.key(k) >> placed_keys<U>::place_shift;
        if (k < rows && place + k * Width < unsigned(row.kept) && target.size() != 0)
            target.store(row.target + place + k * Width, {U(keys.key(k))});
    }
    if constexpr (HasValues)
        visit_value_word(values.bytes, [&](auto tag) {
            gather_values<decltype(tag), Width>(tidx, values, row, positions, rows, place,
                                                cell_at<uint32_t>(radix_memory<word, Width>::slots));
        });
}

} // namespace wf
