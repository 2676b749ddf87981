// Words for radix sorts: a tile's keys, their ranks by a digit, and their way to where these say.
#ifndef WAVEFOLD_SORT_RADIX_TILE_HPP
#define WAVEFOLD_SORT_RADIX_TILE_HPP

#include "../instructions.hpp"
#include "../operators.hpp"
#include "radix_digits.hpp"

namespace wf {

constexpr unsigned radix_threads = WF_RADIX_TILE;
// On a processor, for which kernels keep to registers.
template <bool HasValues>
constexpr unsigned radix_threads_at_once = (HasValues ? 2 : 3) * radix_threads;

// Values of keys, where they are and where they go; a source of NULL: they are the keys' positions.
struct value_arrays {
    const void *source;
    void *target;
    size_t count; // of the source
    size_t target_count;
    unsigned bytes;
};
using value_of_16_bytes = pack<uint64_t, 2>;

// Calls move(tag) with a tag of the values' word.
template <class Move>
__device__ __forceinline__ void visit_value_word(unsigned bytes, const Move &move) {
    if (bytes == 4)
        move(uint32_t());
    else if (bytes == 8)
        move(uint64_t());
    else if (bytes == 16)
        move(value_of_16_bytes());
    else if (bytes == 2)
        move(uint16_t());
    else if (bytes == 1)
        move(uint8_t());
}

template <class V>
__device__ __forceinline__ V value_at(const value_arrays &values, size_t i) {
    if constexpr (sizeof(V) == 4 || sizeof(V) == 8)
        if (values.source == nullptr)
            return V(i);
    return array_view<const V>(static_cast<const V *>(values.source), values.count)[i];
}

// The first of the cells of tile memory behind these bytes.
template <class T>
constexpr unsigned cell_at(unsigned bytes) {
    return bytes / unsigned(sizeof(T));
}

// Tile memory, in bytes from its start. A key's slot takes values of 4 bytes too.
template <class U, unsigned Width>
struct radix_memory {
    static constexpr unsigned waves = radix_threads / Width;
    static constexpr unsigned keys = radix_threads * WF_RADIX_KEYS(sizeof(U));
    static constexpr unsigned offsets = 0, counts = offsets + digit_values * sizeof(uint64_t);
    static constexpr unsigned wave_sums = counts + waves * digit_values * sizeof(uint32_t);
    static constexpr unsigned ticket = wave_sums + digit_threads / Width * sizeof(uint32_t);
    static constexpr unsigned slots = (ticket + sizeof(uint32_t) + 15) / 16 * 16;
    static constexpr unsigned slot_bytes = keys * (sizeof(U) < 4 ? 4 : sizeof(U));
    static constexpr unsigned bytes = slots + slot_bytes;
    static_assert(bytes <= WF_TILE_MEMORY, "every device grants it");
};

// Each wave has a stretch of the tile, of rows of neighbours: slot k of a lane holds its key of row k. So rows, and
// lanes in a row, are in the order of the array. rows: a constant where all tiles are full: loops need no conditions.
template <class U, unsigned Width>
class radix_tile {
    using memory = radix_memory<U, Width>;
    static constexpr unsigned most_rows = WF_RADIX_KEYS(sizeof(U)), waves = memory::waves;

  public:
    __device__ __forceinline__ explicit radix_tile(const tiled_index &tidx)
        : tidx_(tidx), words_(tidx), pairs_(tidx), offsets_(tidx), lane_(lane_of<Width>(tidx)),
          wave_(wave_of<Width>(tidx)) {}

    __device__ __forceinline__ bool has_digits() const { return wave_ < digit_threads / Width; }

    // A barrier must follow.
    __device__ __forceinline__ void clear_counts() const {
        for (unsigned i = tidx_.local; i < waves * digit_threads; i += radix_threads)
            pairs_[cell_at<digit_counts>(memory::counts) + i] = digit_counts{0, 0};
    }

    // Encoded. Behind the end are keys that none comes behind.
    template <class Source>
    __device__ __forceinline__ void load(const Source &source, size_t begin, unsigned rows) {
        const size_t first = begin + place(0, rows);
        if (begin + radix_threads * rows <= source.size()) {
#pragma unroll
            for (unsigned k = 0; k < most_rows; k++)
                if (k < rows)
                    keys_[k] = source.load(first + k * Width).key;
        } else {
#pragma unroll
            for (unsigned k = 0; k < most_rows; k++)
                if (k < rows)
                    keys_[k] = source[first + k * Width].key;
        }
    }

    // How often a digit_thread's values occur in the tile. Contains a barrier.
    __device__ __forceinline__ digit_counts count(const radix_digit &digit, unsigned rows) const {
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows)
                tile_add(words_, count_cell(digit(keys_[k])), 1);
        tidx_.barrier.wait();
        digit_counts total = {0, 0};
        if (has_digits())
            for (unsigned wave = 0; wave < waves; wave++) {
                const digit_counts counted = pairs_[pair_cell(wave)];
                total = {total.low + counted.low, total.high + counted.high};
            }
        return total;
    }

    // The ranks of the keys in the tile; equal ones stay in order. Returns the ranks at which a digit_thread's values
    // begin. Contains barriers.
    __device__ __forceinline__ digit_counts rank(const radix_digit &digit, const digit_counts &counts, unsigned rows) {
        const digit_counts starts = begin_counting(counts);
        const lane_set<Width> below = (lane_set<Width>(1) << lane_) - 1;
        uint32_t is_last = 0; // a bit for each slot: no later lane has the same digit
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows) {
                compute_anew(keys_[k]); // a digit for each key, kept, would take too many registers
                const lane_set<Width> same = matching_lanes<Width>(tidx_, digit(keys_[k]));
                ranks_[k] = count_lanes(same & below);
                is_last |= uint32_t(same >> lane_ == 1) << k;
            }
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows) {
                compute_anew(keys_[k]);
                const unsigned cell = count_cell(digit(keys_[k]));
                ranks_[k] += words_[cell];
                wave_barrier();
                if ((is_last >> k & 1) != 0)
                    words_[cell] = ranks_[k] + 1;
                wave_barrier();
            }
        return starts;
    }

    // Puts the keys into tile memory in the order of their ranks. A barrier must follow.
    __device__ __forceinline__ void place_keys(unsigned rows) const {
        const tile_static<U> slots(tidx_);
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows)
                slots[cell_at<U>(memory::slots) + ranks_[k]] = keys_[k];
    }

    // ---- For a pass over the array: its tiles are full, but for the last one ----

    // Sets what takes a rank to an index of the array: the index of the first such key, of either value, less its rank.
    __device__ __forceinline__ void set_offsets(const digit_pair<uint64_t> &offsets) const {
        offsets_[2 * tidx_.local] = offsets.low;
        offsets_[2 * tidx_.local + 1] = offsets.high;
    }

    // Stores the first count keys in order, so that those of a digit's value are neighbours.
    __device__ __forceinline__ void store_keys(const radix_digit &digit, const sort_target<U, no_value> &target,
                                               unsigned count) {
        const tile_static<U> slots(tidx_);
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++) {
            const unsigned rank = k * radix_threads + tidx_.local;
            keys_[k] = slots[cell_at<U>(memory::slots) + rank];
            if (rank < count && target.size() != 0)
                target.store(size_t(uint64_t(offsets_[digit(keys_[k])]) + rank), {keys_[k]});
        }
    }

    // Moves the values likewise, through the keys' slots: as many at a time as fit.
    template <class V>
    __device__ __forceinline__ void move_values(const radix_digit &digit, const value_arrays &values, size_t begin,
                                                unsigned count) const {
        constexpr unsigned room = cell_at<V>(memory::slot_bytes) / radix_threads * radix_threads;
        const tile_static<V> slots(tidx_);
        const array_view<V> target(static_cast<V *>(values.target), values.target_count);
        const unsigned first = place(0, most_rows);
#pragma unroll
        for (unsigned from = 0; from < memory::keys; from += room) {
            tidx_.barrier.wait();
#pragma unroll
            for (unsigned k = 0; k < most_rows; k++)
                if (first + k * Width < count && ranks_[k] - from < room)
                    slots[cell_at<V>(memory::slots) + ranks_[k] - from] =
                        value_at<V>(values, begin + first + k * Width);
            tidx_.barrier.wait();
#pragma unroll
            for (unsigned k = from / radix_threads; k < most_rows && k < (from + room) / radix_threads; k++) {
                const unsigned rank = k * radix_threads + tidx_.local;
                if (rank < count)
                    target[size_t(uint64_t(offsets_[digit(keys_[k])]) + rank)] =
                        slots[cell_at<V>(memory::slots) + rank - from];
            }
        }
    }

    // ---- For a sort within the tile ----

    // Sets the number of keys up to the last one whose digit is that of the key of this rank. counts and starts: of the
    // digit_thread's values. A barrier must follow.
    __device__ __forceinline__ void set_end(unsigned rank, const digit_counts &counts,
                                            const digit_counts &starts) const {
        const unsigned middle = starts.low + counts.low, end = middle + counts.high;
        if (has_digits() && starts.low <= rank && rank < end)
            words_[cell_at<uint32_t>(memory::ticket)] = rank < middle ? middle : end;
    }
    __device__ __forceinline__ unsigned end() const {
        return words_[cell_at<uint32_t>(memory::ticket)];
    }

    // Takes the keys back from tile memory, in the new order.
    __device__ __forceinline__ void take_back(unsigned rows) {
        const tile_static<U> slots(tidx_);
        const unsigned first = place(0, rows);
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows)
                keys_[k] = slots[cell_at<U>(memory::slots) + first + k * Width];
    }
    // Puts words that go along with the keys into the new order, too. Contains barriers.
    __device__ __forceinline__ void move_along(uint32_t (&words)[most_rows], unsigned rows, unsigned next_rows) const {
        const unsigned first = place(0, next_rows);
        tidx_.barrier.wait();
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < rows)
                words_[cell_at<uint32_t>(memory::slots) + ranks_[k]] = words[k];
        tidx_.barrier.wait();
#pragma unroll
        for (unsigned k = 0; k < most_rows; k++)
            if (k < next_rows)
                words[k] = words_[cell_at<uint32_t>(memory::slots) + first + k * Width];
    }

    // The place in the tile of this lane's slot k.
    __device__ __forceinline__ unsigned place(unsigned k, unsigned rows) const {
        return (wave_ * rows + k) * Width + lane_;
    }
    __device__ __forceinline__ U key(unsigned k) const {
        return keys_[k];
    }

  private:
    __device__ __forceinline__ unsigned count_cell(unsigned value) const {
        return cell_at<uint32_t>(memory::counts) + wave_ * digit_values + value;
    }
    __device__ __forceinline__ unsigned pair_cell(unsigned wave) const {
        return cell_at<digit_counts>(memory::counts) + wave * digit_threads + tidx_.local;
    }

    // The counts of each wave become the ranks at which its keys of each value begin.
    __device__ __forceinline__ digit_counts begin_counting(const digit_counts &counts) const {
        uint32_t sums[1] = {counts.low + counts.high};
        if (has_digits()) {
            wave_scan<Width>(tidx_, sums, sum<uint32_t>());
            if (lane_ == Width - 1)
                words_[cell_at<uint32_t>(memory::wave_sums) + wave_] = sums[0];
        }
        tidx_.barrier.wait();
        digit_counts starts = {0, 0};
        if (has_digits()) {
            starts.low = sums[0] - counts.low - counts.high;
            for (unsigned wave = 0; wave < wave_; wave++)
                starts.low += words_[cell_at<uint32_t>(memory::wave_sums) + wave];
            starts.high = starts.low + counts.low;
            digit_counts next = starts;
            for (unsigned wave = 0; wave < waves; wave++) {
                const digit_counts counted = pairs_[pair_cell(wave)];
                pairs_[pair_cell(wave)] = next;
                next = {next.low + counted.low, next.high + counted.high};
            }
        }
        tidx_.barrier.wait();
        return starts;
    }

    const tiled_index &tidx_;
    const tile_static<uint32_t> words_;
    const tile_static<digit_counts> pairs_;
    const tile_static<uint64_t> offsets_;
    const unsigned lane_, wave_;
    U keys_[most_rows];
    uint32_t ranks_[most_rows];
};

} // namespace wf
#endif
