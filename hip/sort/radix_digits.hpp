// Words for radix sorts: digits of keys, and the counts of a digit's values that tiles publish to each other.
#ifndef WAVEFOLD_SORT_RADIX_DIGITS_HPP
#define WAVEFOLD_SORT_RADIX_DIGITS_HPP

#include "../atomic.hpp"
#include "../tile.hpp"
#include "../wave.hpp"
#include "records.hpp"
#include "sort/request.h"

namespace wf {

constexpr unsigned digit_values = WF_RADIX_VALUES;      // of a digit
constexpr unsigned digit_threads = WF_RADIX_VALUES / 2; // of a tile: each has two neighbouring values of the digit

// Some bits of a code.
struct radix_digit {
    unsigned shift, mask;

    template <class U>
    __device__ __forceinline__ unsigned operator()(U code) const {
        return unsigned(code >> shift) & mask;
    }
};

// A number for each of a digit_thread's two values.
template <class T>
struct digit_pair {
    T low, high;
};
using digit_counts = digit_pair<uint32_t>;

// The lanes whose digit is the same, in as many bits as a wave has lanes.
template <unsigned Width>
using lane_set = std::conditional_t<Width == 32, uint32_t, uint64_t>;
template <unsigned Width>
__device__ __forceinline__ lane_set<Width> matching_lanes(const tiled_index &tidx, unsigned digit) {
    lane_set<Width> same = ~lane_set<Width>(0);
#pragma unroll
    for (unsigned bit = 0; bit < WF_RADIX_BITS; bit++) {
        const bool mine = (digit >> bit & 1) != 0;
        const auto theirs = lane_set<Width>(ballot<Width>(tidx, mine));
        same &= mine ? theirs : ~theirs;
    }
    return same;
}

// How often a digit_thread's values occur among count keys. One thread counts, slower than it could, in few registers:
// a rare thing.
template <class U>
__device__ __forceinline__ digit_counts count_digits(const sort_source<U, no_value> &source, const radix_digit &digit,
                                                     size_t begin, unsigned count, unsigned thread) {
    digit_counts counts = {0, 0};
#pragma unroll 1
    for (unsigned i = 0; i < count; i++) {
        const unsigned value = digit(source.load(begin + i).key);
        counts.low += value == 2 * thread;
        counts.high += value == 2 * thread + 1;
    }
    return counts;
}

// The counts that tiles publish: a word for each tile and digit_thread, with the pair of counts below, and above them
// the status. Each pass has status numbers of its own, larger than those of the passes before, which count as invalid.
// So the words are cleared once in a sort.
class digit_status_array {
  public:
    __device__ __forceinline__ digit_status_array(const word_view &words, unsigned pass, unsigned thread)
        : words_(words), pass_(pass), thread_(thread) {}

    __device__ __forceinline__ void publish_aggregate(unsigned tile, const digit_counts &counts) const {
        write_word(words_, index(tile), uint64_t(2 * pass_ + 1) << status_bit | packed(counts));
    }
    __device__ __forceinline__ void publish_inclusive(unsigned tile, const digit_counts &counts) const {
        write_word(words_, index(tile), uint64_t(2 * pass_ + 2) << status_bit | packed(counts));
    }

    // The counts in tiles first to tile - 1. count_tile counts in a tile that has published nothing for long.
    template <class CountTile>
    __device__ __forceinline__ digit_counts look_back(unsigned tile, unsigned first, unsigned polls,
                                                      const CountTile &count_tile) const {
        uint64_t before = 0;
        while (tile > first) {
            tile--;
            uint64_t word = read_word(words_, index(tile));
            for (unsigned poll = 0; status_of(word) <= 2 * pass_ && poll < polls; poll++) {
                let_others_run();
                word = read_word(words_, index(tile));
            }
            if (status_of(word) <= 2 * pass_)
                before += packed(count_tile(tile));
            else
                before += word & counts_mask;
            if (status_of(word) == 2 * pass_ + 2)
                break;
        }
        return {uint32_t(before) & count_mask, uint32_t(before >> WF_RADIX_COUNT_BITS)};
    }

  private:
    static constexpr unsigned status_bit = 2 * WF_RADIX_COUNT_BITS;
    static constexpr uint32_t count_mask = (1u << WF_RADIX_COUNT_BITS) - 1;
    static constexpr uint64_t counts_mask = (uint64_t(1) << status_bit) - 1;
    static_assert(2 * WF_RADIX_MOST_PASSES < 1u << (64 - status_bit), "there is a status for each pass");

    __device__ __forceinline__ size_t index(unsigned tile) const { return size_t(tile) * digit_threads + thread_; }
    static __device__ __forceinline__ unsigned status_of(uint64_t word) { return unsigned(word >> status_bit); }
    static __device__ __forceinline__ uint64_t packed(const digit_counts &counts) {
        return uint64_t(counts.high) << WF_RADIX_COUNT_BITS | counts.low;
    }

    const word_view words_;
    unsigned pass_, thread_;
};

} // namespace wf
#endif
