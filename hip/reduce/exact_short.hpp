// add_short(): the exact sum of a short array, one that a single tile takes at once, if its terms lie close together,
// and what is beside it. add_short_by_window(): the same of f64, whose terms go to a window, as in a longer sum.
//
// Idea:   each thread adds a group in f64, as in a longer sum. A wave then counts in a unit of its own, 2^-52 of its
//         largest group (2^-50 in a cluster tile), so its sum is an integer of 64 bits, and so is the tile's.
//         The hardware rounds that.
// Limit:  the way from one fold to the next: no window is looked for, nothing is carried, and there is one barrier.
// Proof:  docs/exact.md, "Short arrays". Whatever does not fit is left to exact(), as if nothing had been tried.
#ifndef WAVEFOLD_REDUCE_EXACT_SHORT_HPP
#define WAVEFOLD_REDUCE_EXACT_SHORT_HPP

#include "../wave.hpp"
#include "../wave_words.hpp"
#include "exact_finish.hpp"
#include "exact_terms.hpp"
#include "exact_tile_sum.hpp"

namespace wf {

// How many groups each thread of the only tile takes, and how many threads that has, at the most.
template <bool Cluster>
struct short_tile {
    static constexpr unsigned groups = Cluster ? 1 : 2;
    static_assert(WF_EXACT_SHORT_PACKS == loads_in_flight, "of one group, as the library counts them");
    static constexpr unsigned threads =
        largest_exact_tile * (Cluster && cluster_blocks(narrow_wave) > 1 ? cluster_blocks(narrow_wave) : 1);
    // Groups are below 2^(digits + 1) units, so their sum is below 2^63.
    static constexpr unsigned digits = Cluster ? 50 : 52;
    static_assert(uint64_t(groups * threads) << (digits + 1) <= uint64_t(1) << 63, "63 bits and a sign");

    // Of tile memory: a cell for each wave.
    static constexpr size_t bytes(unsigned width) { return threads / width * sizeof(exact_part); }

    // So many waves a lane looks after, in the end.
    template <unsigned Width>
    static constexpr unsigned cells_of_lane = (threads / Width + Width - 1) / Width;

    // Whether it takes all.
    template <class Element, bool Aligned>
    static __device__ __forceinline__ bool holds(const tiled_index &tidx,
                                                 const packed_array<Element, Aligned> &source) {
        return tidx.tiles == 1 && source.packs() + source.edges() <= groups * loads_in_flight * tidx.tile_size;
    }
};

// What a wave has: a sum in units of 2^(exponent - digits), where the largest group is below 2^(exponent + 1).
template <unsigned Digits>
struct short_sum {
    int64_t sum;
    uint32_t exponent; // biased, as f64's; 0: it has zeros alone
    uint32_t fits;     // 0: it has more than that
};
static_assert(sizeof(short_sum<0>) <= sizeof(exact_part), "short_tile makes room for either");
constexpr unsigned f64_bias = 1023, f64_digits = 53;

// Of all lanes of a wave, in all of them.
template <unsigned Width>
__device__ __forceinline__ int64_t wave_sum_64(const tiled_index &tidx, int64_t mine) {
    return int64_t(wave_words<Width>(tidx).sum(uint64_t(mine)));
}

// 2^(exponent - bias), of a normal number.
__device__ __forceinline__ double power_of_two(unsigned exponent) {
    return bits_as<double>(uint64_t(exponent) << (f64_digits - 1));
}

// groups: what this thread has added up; fit: whether that is exact.
template <unsigned Width, unsigned Digits, unsigned Groups>
__device__ __forceinline__ short_sum<Digits> wave_short_sum(const tiled_index &tidx, const double (&groups)[Groups],
                                                            bool fit) {
    uint32_t most = 0;
#pragma unroll
    for (const double group : groups) {
        const auto exponent = uint32_t(bits_as<uint64_t>(group) >> (f64_digits - 1)) & 0x7ff;
        most = exponent > most ? exponent : most;
    }
    const uint32_t exponent = wave_largest<Width>(tidx, most);
    // Sums of floats are never so small or large that this were no normal number; what is not finite fits nothing.
    const double to_units = power_of_two(2 * f64_bias + Digits - (exponent == 0 ? f64_bias : exponent));
    fit = fit && exponent < 0x7ff;
    int64_t mine = 0;
#pragma unroll
    for (const double group : groups) {
        const double units = exponent < 0x7ff ? group * to_units : 0;
        const auto whole = int64_t(units);
        fit = fit && double(whole) == units;
        mine += whole;
    }
    return {wave_sum_64<Width>(tidx, mine), exponent, ballot<Width>(tidx, !fit) == 0 ? 1u : 0u};
}

// What the waves have, some for each lane, in the unit of the largest: the others' lower bits must be zeros.
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

// As long sums are.
template <unsigned Digits>
__device__ __forceinline__ wide wide_sum(const short_sum<Digits> &x) {
    return widened(x.sum);
}
template <unsigned Digits>
__device__ __forceinline__ int base_of(const short_sum<Digits> &x) {
    return int(x.exponent) - int(f64_bias + Digits) - WF_SUM_UNIT;
}

// Rounds it: false if it is 0, which has rules of its own, or the result is no normal number.
template <unsigned Digits>
__device__ __forceinline__ bool round_short_sum(const short_sum<Digits> &x, wf_float_format to, uint64_t &bits) {
    if (to.digits != 24)
        return round_to_any(wide_sum(x), base_of(x), to, bits);
    const int unit = base_of(x) + WF_SUM_UNIT;
    const auto rounded = bits_as<uint32_t>(float(x.sum)); // to nearest even
    const int exponent = int(rounded >> 23 & 0xff) + unit;
    bits = rounded + (uint32_t(unit) << 23);
    return x.sum != 0 && exponent > 0 && exponent < 255;
}

// What becomes of an array: it does not fit, and nothing is stored; all is done; or, in a cluster tile, its sum
// is 0, the sign of which is not known.
enum short_outcome : unsigned { short_left, short_stored, short_is_zero };

template <bool Cluster, class Beside, class Sum>
__device__ __forceinline__ short_outcome finish_short(const Beside &beside, const Sum &sum, bool fits, void *result) {
    if (beside.finish_short(sum, fits, result))
        return short_stored;
    return Cluster && fits && is_zero(wide_sum(sum)) ? short_is_zero : short_left;
}

// What the waves have left in cells, some for each lane. (What is not there is no object that is passed on: clang 15
// then chose between two addresses, and gfx906 had scratch memory.)
template <bool Cluster, unsigned Width, unsigned Digits>
__device__ __forceinline__ void
cells_of_lane(const tiled_index &tidx, const tile_static<short_sum<Digits>> &cells,
              short_sum<Digits> (&mine)[short_tile<Cluster>::template cells_of_lane<Width>]) {
#pragma unroll
    for (unsigned k = 0; k < short_tile<Cluster>::template cells_of_lane<Width>; k++) {
        const unsigned wave = lane_of<Width>(tidx) + k * Width;
        mine[k] = wave < tidx.tile_size / Width ? short_sum<Digits>(cells[wave]) : short_sum<Digits>{0, 0, 1};
    }
}

// firsts: of each thread, the packs p, p + step, ...; those of all threads are the array's first ones. All threads know
// the outcome; of a cluster tile the first wave alone. A barrier must follow before other cells are written.
template <bool Cluster, unsigned Width, class Element, bool Aligned, class Beside>
__device__ __forceinline__ short_outcome add_short(const tiled_index &tidx,
                                                   const packed_array<Element, Aligned> &source,
                                                   element_pack<Element> (&firsts)[loads_in_flight], unsigned p,
                                                   unsigned step, typename float_layout<Element>::bits keep,
                                                   Beside &beside, void *result) {
    using tile = short_tile<Cluster>;
    using part = short_sum<tile::digits>;
    const tile_static<part> cells(tidx); // of each wave
    const unsigned behind = loads_in_flight * tidx.tile_size;
    const bool has_second = tile::groups > 1 && source.packs() + source.edges() > behind;
    element_pack<Element> seconds[loads_in_flight];
    double sums[tile::groups] = {};
    bool fits[2] = {true, true};
    if (has_second)
        load_some(source, tidx.local + behind, tidx.tile_size, seconds);
    beside.begin_alone();
    beside.template take<group_tells_elements<Width>>(firsts, p, step);
    sums[0] = group_sum<Width>(firsts, keep, fits[0], beside);
    if constexpr (tile::groups > 1)
        if (has_second && fits[0]) { // so that nvcc finds that out before it begins with the second one
            beside.template take<group_tells_elements<Width>>(seconds, tidx.local + behind, tidx.tile_size);
            sums[1] = group_sum<Width>(seconds, keep, fits[1], beside);
        }
    beside.end();
    const part of_wave = wave_short_sum<Width, tile::digits>(tidx, sums, fits[0] && fits[1]);
    beside.tell();
    tidx.barrier.wait_for_start();
    if (lane_of<Width>(tidx) == 0)
        cells[wave_of<Width>(tidx)] = of_wave;
    tidx.barrier.wait();
    if (Cluster && wave_of<Width>(tidx) != 0)
        return short_left;
    // Each wave, as all threads have to know whether that is all: with another barrier it took 3 % longer.
    part of_waves[tile::template cells_of_lane<Width>];
    cells_of_lane<Cluster, Width>(tidx, cells, of_waves);
    const part sum = join_short_sums<Width>(tidx, of_waves);
    beside.fold(tidx.tile_size);
    return finish_short<Cluster>(beside, sum, sum.fits != 0, result);
}

// f64, which has no groups: by a window, as in a longer sum. What its elements add up to has a base for the tile.
struct short_window_sum {
    wide sum;
    int base;
};
__device__ __forceinline__ bool round_short_sum(const short_window_sum &x, wf_float_format, uint64_t &bits) {
    return round_to_f64(x.sum, x.base, bits);
}
__device__ __forceinline__ const wide &wide_sum(const short_window_sum &x) {
    return x.sum;
}
__device__ __forceinline__ int base_of(const short_window_sum &x) {
    return x.base;
}

// mine: without terms. Otherwise as above. Each wave looks for the window itself, without a barrier. All loads are on
// their way before anything waits for one.
template <bool Cluster, unsigned Width, class Window, class Terms, class Element, bool Aligned, class Beside>
__device__ __forceinline__ short_outcome add_short_by_window(const tiled_index &tidx,
                                                             const packed_array<Element, Aligned> &source,
                                                             element_pack<Element> (&firsts)[loads_in_flight],
                                                             unsigned p, unsigned step, Terms mine,
                                                             const tile_static<exact_part> &tile_data, Beside &beside,
                                                             void *result) {
    const Window sample(tidx, source, true);
    const unsigned behind = loads_in_flight * tidx.tile_size;
    const bool has_second = short_tile<Cluster>::groups > 1 && source.packs() + source.edges() > behind;
    element_pack<Element> seconds[loads_in_flight];
    if (has_second)
        load_some(source, tidx.local + behind, tidx.tile_size, seconds);
    const int base = sample.base(tidx);
    mine.put_window(base);
    beside.begin_alone();
    const auto add = [&](element_pack<Element>(&packs)[loads_in_flight], unsigned from, unsigned apart) {
        beside.template take<Terms::tells_elements>(packs, from, apart);
        mine.take(packs, beside, [](unsigned, const auto &) {});
        return mine.template add_taken<loads_in_flight>();
    };
    unsigned left = add(firsts, p, step);
    if (has_second) // (One loop for both, for fewer instructions to be fetched, took 6 to 11 % longer.)
        left |= add(seconds, tidx.local + behind, tidx.tile_size);
    mine.make_room();
    beside.end();
    exact_part part;
    split(mine.sum(), part.pieces);
    part.flags = left != 0 ? exact_spilled : 0u;
    part = tile_sum<Width, short_tile<Cluster>::template cells_of_lane<Width>>(tidx, tile_data, part, beside,
                                                                               tidx.tile_size, !Cluster);
    if (Cluster && wave_of<Width>(tidx) != 0)
        return short_left;
    const short_window_sum sum = {joined(part.pieces), base};
    return finish_short<Cluster>(beside, sum, part.flags == 0, result);
}

} // namespace wf
#endif
