// rank_rows: sorts short rows in registers. Lanes share a row; a key's place is the number of keys that come before it,
// which each lane counts for its own keys while it sees all others by shuffles. Rows of less than a wave: several to a
// wave.
#include "../atomic.hpp"
#include "../wave.hpp"
#include "radix_tile.hpp"
#include "row_list.hpp"

namespace wf {

constexpr unsigned rank_threads = WF_ROW_TILE;

// The bits of a code that are compared.
template <class U>
struct compared_bits {
    unsigned shift;
    U mask;

    // In words that a shuffle moves whole.
    using word = std::conditional_t<sizeof(U) == 8, uint64_t, uint32_t>;
    __device__ __forceinline__ word operator()(U code) const { return word(U(code >> shift) & mask); }
};

// Moves the values of a row: the lane's value k from place k to ranks[k]. Contains a barrier.
template <class V, unsigned Slots, class Place>
__device__ __forceinline__ void move_to_ranks(const tiled_index &tidx, const value_arrays &values,
                                              const sorted_row &row, const unsigned (&ranks)[Slots], unsigned slots,
                                              const Place &place) {
    const array_view<V> target(static_cast<V *>(values.target), values.target_count);
    V moved[Slots];
#pragma unroll
    for (unsigned k = 0; k < Slots; k++)
        if (k < slots && place(k) < row.count && ranks[k] < row.kept)
            moved[k] = value_at<V>(values, place(k) + (values.source == nullptr ? row.first : row.begin));
    tidx.barrier.wait();
#pragma unroll
    for (unsigned k = 0; k < Slots; k++)
        if (k < slots && place(k) < row.count && ranks[k] < row.kept)
            target[row.target + ranks[k]] = moved[k];
}

template <class U, unsigned Width>
__global__ void __launch_bounds__(rank_threads)
    rank_rows(sort_source<U, no_value> source, sort_target<U, no_value> target, value_arrays values,
              compared_bits<U> bits, row_list list, size_t first_row, unsigned lanes) {
    constexpr unsigned most_slots = WF_RANK_KEYS / Width;
    using word = typename compared_bits<U>::word;
    const tiled_index tidx;
    wait_for_earlier_kernels();
    const unsigned own = lane_of<Width>(tidx) % lanes, first_lane = lane_of<Width>(tidx) - own;
    const size_t number = first_row + size_t(tidx.tile) * (rank_threads / lanes) + tidx.local / lanes;
    const sorted_row row = number < list.rows ? list.part(number) : sorted_row{0, 0, 0, 0, 0};
    const unsigned count = unsigned(row.count); // the same in the wave, if a wave has one row
    const unsigned slots = lanes == Width ? wave_uniform((count + Width - 1) / Width) : 1;
    const auto place = [&](unsigned k) { return k * lanes + own; };

    U keys[most_slots];
    word compared[most_slots];
    unsigned ranks[most_slots] = {};
#pragma unroll
    for (unsigned k = 0; k < most_slots; k++)
        if (k < slots) {
            keys[k] = place(k) < count ? source.load(row.begin + place(k)).key : U(~U(0));
            compared[k] = bits(keys[k]);
        }
#pragma unroll
    for (unsigned s = 0; s < most_slots; s++)
        if (s < slots) {
            const unsigned others =
                lanes == Width ? wave_uniform(count - s * Width < Width ? count - s * Width : Width) : lanes;
            for (unsigned j = 0; j < others; j++) {
                const word other = shuffle<Width>(compared[s], first_lane + j);
#pragma unroll
                for (unsigned k = 0; k < most_slots; k++)
                    if (k < slots) {
                        const bool is_earlier = s < k || (s == k && j < own);
                        ranks[k] += is_earlier ? other <= compared[k] : other < compared[k];
                    }
            }
        }
    tidx.barrier.wait(); // rows may be sorted in place

#pragma unroll
    for (unsigned k = 0; k < most_slots; k++)
        if (k < slots && place(k) < count && ranks[k] < row.kept && target.size() != 0)
            target.store(row.target + ranks[k], {keys[k]});
    visit_value_word(values.bytes,
                     [&](auto tag) { move_to_ranks<decltype(tag)>(tidx, values, row, ranks, slots, place); });
}

} // namespace wf
