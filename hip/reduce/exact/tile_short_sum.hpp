// add_short(): the exact sum of a short array, which one tile takes at once, if its terms lie close together; and its
// extra accumulator. f64 has tile_short_window.hpp.
//
// Idea:   each thread adds a group in f64, as in a longer sum. Each wave has a unit, 2^-52 of its largest group (2^-50
//         in a cluster tile), so that its sum is an integer of 64 bits, and so is the tile's. The hardware rounds that.
// Limit:  latency: no window is guessed, nothing is carried, and there is one barrier.
// Proof:  docs/exact.md, "Short arrays". An array that does not fit is added the long way, as if nothing had been
//         tried.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_SHORT_SUM_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_SHORT_SUM_HPP

#include "../../wave.hpp"
#include "../../wave_words.hpp"
#include "exact_rounding.hpp"
#include "thread_loads.hpp"
#include "thread_terms.hpp"
#include "tile_sum.hpp"

namespace wf {

// The only tile of a short array: groups of each thread and threads, at most.
template <bool Cluster>
struct short_tile {
    static constexpr bool is_cluster = Cluster;
    static constexpr unsigned groups = Cluster ? 1 : 2;
    static_assert(WF_EXACT_SHORT_PACKS == loads_in_flight, "the library counts the packs of a group");
    static constexpr unsigned threads =
        largest_exact_tile * (Cluster && cluster_blocks(narrow_wave) > 1 ? cluster_blocks(narrow_wave) : 1);
    // Groups are below 2^(digits + 1) units, so their sum is below 2^63.
    static constexpr unsigned digits = Cluster ? 50 : 52;
    static_assert(uint64_t(groups * threads) << (digits + 1) <= uint64_t(1) << 63, "63 bits and a sign");

    // Tile memory: a cell for each wave.
    static constexpr size_t bytes(unsigned width) { return threads / width * sizeof(exact_part); }

    // In the end each lane reads the cells of that many waves.
    template <unsigned Width>
    static constexpr unsigned cells_of_lane = (threads / Width + Width - 1) / Width;

    // True if it takes the whole array.
    template <class Element, bool Aligned>
    static __device__ __forceinline__ bool holds(const tiled_index &tidx,
                                                 const packed_array<Element, Aligned> &source) {
        return tidx.tiles == 1 && source.packs() + source.edges() <= groups * loads_in_flight * tidx.tile_size;
    }
};

// A wave's sum in units of 2^(exponent - digits), where the largest group is below 2^(exponent + 1).
template <unsigned Digits>
struct short_sum {
    int64_t sum;
    uint32_t exponent; // with f64's bias; 0: all groups are zeros
    uint32_t fits;     // 0: some group is no multiple of the unit
};
static_assert(sizeof(short_sum<0>) <= sizeof(exact_part), "short_tile makes room for either");
using f64_format = float_format<double>;
constexpr unsigned f64_bias = f64_format::bias;

// The sum of the wave's integers, in every lane.
template <unsigned Width>
__device__ __forceinline__ int64_t wave_sum_64(const tiled_index &tidx, int64_t mine) {
    return int64_t(wave_words<Width>(tidx).sum(uint64_t(mine)));
}

// 2^(exponent - bias), which must be a normal number.
__device__ __forceinline__ double power_of_two(unsigned exponent) {
    return bits_as<double>(uint64_t(exponent) << (f64_format::digits - 1));
}

// groups: this thread's sums; fit: they are exact.
template <unsigned Width, unsigned Digits, unsigned Groups>
__device__ __forceinline__ short_sum<Digits> wave_short_sum(const tiled_index &tidx, const double (&groups)[Groups],
                                                            bool fit) {
    uint32_t most = 0;
#pragma unroll
    for (const double group : groups) {
        const uint32_t exponent = f64_format::exponent_of(bits_as<uint64_t>(group));
        most = exponent > most ? exponent : most;
    }
    const uint32_t exponent = wave_largest<Width>(tidx, most);
    // A normal number for every sum of floats; what is not finite does not fit.
    const double to_units = power_of_two(2 * f64_bias + Digits - (exponent == 0 ? f64_bias : exponent));
    fit = fit && exponent < f64_format::most_exponent;
    int64_t mine = 0;
#pragma unroll
    for (const double group : groups) {
        const double units = exponent < f64_format::most_exponent ? group * to_units : 0;
        const auto whole = int64_t(units);
        fit = fit && double(whole) == units;
        mine += whole;
    }
    return {wave_sum_64<Width>(tidx, mine), exponent, ballot<Width>(tidx, !fit) == 0 ? 1u : 0u};
}

// Adds the waves' sums, some for each lane, in the unit of the largest: the lower bits of the others must be zeros.
template <unsigned Width, unsigned Digits, unsigned Cells>
__device__ __forceinline__ short_sum<Digits> join_short_sums(const tiled_index &tidx,
                                                             const short_sum<Digits> (&mine)[Cells]) {
    uint32_t most = 0;
#pragma unroll
    for (const short_sum<Digits> &each : mine)
        most = each.exponent > most ? each.exponent : most;
    const uint32_t exponent = wave_largest<Width>(tidx, most);
    int64_t sum = 0;
    bool fits = true;
#pragma unroll
    for (const short_sum<Digits> &each : mine) {
        const uint32_t apart = exponent - each.exponent;
        const int64_t whole = each.sum >> (apart < 63 ? apart : 63);
        const bool is_whole = apart < 63 && int64_t(uint64_t(whole) << apart) == each.sum;
        fits = fits && each.fits != 0 && (each.sum == 0 || is_whole);
        sum += whole;
    }
    return {wave_sum_64<Width>(tidx, sum), exponent, ballot<Width>(tidx, !fits) == 0 ? 1u : 0u};
}

// The same as a wide with a base.
template <unsigned Digits>
__device__ __forceinline__ wide wide_sum(const short_sum<Digits> &x) {
    return widened(x.sum);
}
template <unsigned Digits>
__device__ __forceinline__ int base_of(const short_sum<Digits> &x) {
    return int(x.exponent) - int(f64_bias + Digits) - WF_SUM_UNIT;
}

// Returns false if the sum is 0, which has rules of its own, or the result is no normal number.
template <unsigned Digits>
__device__ __forceinline__ bool round_short_sum(const short_sum<Digits> &x, wf_float_format to, uint64_t &bits) {
    using f32 = float_format<float>;
    if (to.digits != f32::digits)
        return round_to_any(wide_sum(x), base_of(x), to, bits);
    const int unit = base_of(x) + WF_SUM_UNIT;
    const auto rounded = bits_as<uint32_t>(float(x.sum)); // to nearest even
    const int exponent = int(f32::exponent_of(rounded)) + unit;
    bits = rounded + (uint32_t(unit) << (f32::digits - 1));
    return x.sum != 0 && exponent > 0 && exponent < int(f32::most_exponent);
}

// left: the array does not fit, and nothing is stored. is_zero: in a cluster tile, the sum is 0 of unknown sign.
enum short_outcome : unsigned { short_left, short_stored, short_is_zero };

template <class Tile, class Extra, class Sum>
__device__ __forceinline__ short_outcome finish_short(const Extra &extra, const Sum &sum, bool fits, void *result) {
    if (extra.finish_short(sum, fits, result))
        return short_stored;
    return Tile::is_cluster && fits && is_zero(wide_sum(sum)) ? short_is_zero : short_left;
}

// Reads the waves' sums, some for each lane. (A missing sum is no object: with one, clang 15 chose between two
// addresses, which took scratch memory on gfx906.)
template <class Tile, unsigned Width>
__device__ __forceinline__ void cells_of_lane(const tiled_index &tidx,
                                              const tile_static<short_sum<Tile::digits>> &cells,
                                              short_sum<Tile::digits> (&mine)[Tile::template cells_of_lane<Width>]) {
    constexpr unsigned Digits = Tile::digits;
#pragma unroll
    for (unsigned k = 0; k < Tile::template cells_of_lane<Width>; k++) {
        const unsigned wave = lane_of<Width>(tidx) + k * Width;
        mine[k] = wave < tidx.tile_size / Width ? short_sum<Digits>(cells[wave]) : short_sum<Digits>{0, 0, 1};
    }
}

// first: this thread's first group; those of all threads are the array's first packs. All threads get the outcome, of a
// cluster tile the first wave alone. A barrier must follow before other cells are written.
template <class Tile, class Policy, class Extra>
__device__ __forceinline__ short_outcome add_short(const tiled_index &tidx, const typename Policy::source &source,
                                                   const group_view<typename Policy::element> &first,
                                                   typename Policy::bits keep, Extra &extra, void *result) {
    constexpr unsigned width = Policy::width;
    constexpr bool passes = group_passes_elements<width>;
    using sum_of_wave = short_sum<Tile::digits>;
    const tile_static<sum_of_wave> cells(tidx);
    const unsigned behind = loads_in_flight * tidx.tile_size;
    const bool has_second = Tile::groups > 1 && source.packs() + source.edges() > behind;
    element_pack<typename Policy::element> second[loads_in_flight];
    double sums[Tile::groups] = {};
    bool fits[2] = {true, true};
    if (has_second)
        load_some(source, tidx.local + behind, tidx.tile_size, second);
    extra.begin_in_wave();
    extra.template add_group<passes>(first.packs, first.p, first.step);
    sums[0] = group_sum<width>(first.packs, keep, fits[0], extra);
    if constexpr (Tile::groups > 1)
        if (has_second && fits[0]) { // fits[0]: nvcc finishes the first group before it begins the second
            extra.template add_group<passes>(second, tidx.local + behind, tidx.tile_size);
            sums[1] = group_sum<width>(second, keep, fits[1], extra);
        }
    extra.end();
    const sum_of_wave mine = wave_short_sum<width, Tile::digits>(tidx, sums, fits[0] && fits[1]);
    extra.store();
    tidx.barrier.wait_for_start();
    if (lane_of<width>(tidx) == 0)
        cells[wave_of<width>(tidx)] = mine;
    tidx.barrier.wait();
    if (Tile::is_cluster && wave_of<width>(tidx) != 0)
        return short_left;
    // By each wave, as all threads need the outcome: another barrier took 3 % longer.
    sum_of_wave of_waves[Tile::template cells_of_lane<width>];
    cells_of_lane<Tile, width>(tidx, cells, of_waves);
    const sum_of_wave sum = join_short_sums<width>(tidx, of_waves);
    extra.reduce(tidx.tile_size);
    return finish_short<Tile>(extra, sum, sum.fits != 0, result);
}

} // namespace wf
#endif
