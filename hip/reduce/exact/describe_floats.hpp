// describes_floats: the extra accumulator of a description of floats (extra_accumulator.hpp): the extremes and their
// places, and the squares of the distances from a pivot. Parts, by level:
//
//   thread   thread_squares.hpp, thread_extremes.hpp
//   wave     wave_pivot_sample.hpp
//   tile     tile_description.hpp
//   grid     grid_finish_description.hpp (rounds the sums), grid_store_description.hpp
#ifndef WAVEFOLD_REDUCE_EXACT_DESCRIBE_FLOATS_HPP
#define WAVEFOLD_REDUCE_EXACT_DESCRIBE_FLOATS_HPP

#include "extra_accumulator.hpp"
#include "grid_store_description.hpp"
#include "thread_extremes.hpp"
#include "thread_squares.hpp"
#include "tile_description.hpp"
#include "tile_short_sum.hpp"
#include "wave_pivot_sample.hpp"

namespace wf {

template <class Element>
struct describes_floats : description_values<Element> {
    // A kernel's argument.
    struct request {
        uint64_t *carry; // words for the values of the earlier launches
        uint64_t first;  // the index of this launch's first element
        double share;    // 1 / the elements of all launches
    };
    static constexpr bool is_none = false;
    static constexpr bool waits_for_sample = true;
    static constexpr bool keeps_all_bits = true;
    static constexpr bool ends_in_one_wave = false;
    // With three tiles at once and 80 registers, short arrays took up to 23 % longer on an H100.
    static constexpr unsigned largest_tile = WF_DESCRIBE_FLOATS_TILE, threads_at_once = 512;
    static constexpr bool copies_ahead = true;
    static constexpr bool may_cluster = false;
    // The first groups cost most, as they change the extremes: watched_extremes.
    static constexpr uint64_t rounds_of_long = sizeof(Element) == 2 ? 4 : 8;

    template <class Source, unsigned Width, bool IsLong>
    class accumulator;
};

template <class Element>
template <class Source, unsigned Width, bool IsLong>
class describes_floats<Element>::accumulator {
    using values_of = description_values<Element>;
    using value = typename values_of::value;
    using found = typename values_of::found;
    using operators = typename values_of::operators;
    using store_of = description_store<Element>;
    using extremes = std::conditional_t<IsLong, watched_extremes<Source, Width>, thread_extremes<Source, Width>>;

  public:
    // before: bytes of tile memory before the description's.
    template <class Arguments>
    __device__ __forceinline__ accumulator(const tiled_index &tidx, const Arguments &given, const exact_request &want,
                                           const operators &with, unsigned before)
        : tidx_(tidx), source_(given.source), want_(want), with_(with), pivot_cells_(tidx),
          pivot_cell_(values_of::pivot_cell(before)), ignores_nan_(want.ignores_nan), first_(given.extra.first),
          share_(given.extra.share), carry_words_(given.extra.carry), extremes_(tidx, given.source, with, before),
          tile_(tidx, with, given.tile_status_words, before) {
        opaque(ignores_nan_); // as the numbers of operators
        opaque(first_);
        opaque(share_);
    }

    __device__ __forceinline__ void load_sample() {
        if (tidx_.local < Width || tidx_.tiles == 1)
            sample_.load(tidx_, source_);
    }
    // Launches behind one with numbers keep its pivot.
    __device__ __forceinline__ void begin() {
        if (wave_of<Width>(tidx_) != 0)
            return;
        begin_in_wave();
        found before;
        if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
            squares_.pivot = before.least.index != values_of::place::nowhere ? before.pivot : squares_.pivot;
        if (tidx_.local == 0)
            pivot_cells_[pivot_cell_] = squares_.pivot;
    }
    __device__ __forceinline__ void after_barrier() {
        squares_.pivot = pivot_cells_[pivot_cell_];
        extremes_.begin();
    }
    __device__ __forceinline__ void begin_in_wave() { squares_.pivot = sample_.median(tidx_, source_); }

    // Passes over NaN: add_again() adds them.
    template <bool Passes, unsigned Packs>
    __device__ __forceinline__ void add_group(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        squares_.end_group();
        extremes_.begin_group(packs, p, step);
        const bool is_whole = p + (Packs - 1) * step < source_.packs();
        // Only waves of 32 lanes: in unrolled code AMD's scalar registers hold the conditions, and gfx90a spilled them.
        if (Width == 32 && __builtin_expect(is_whole, 1)) {
#pragma unroll
            for (unsigned k = 0; k < Packs; k++) {
                add_pack<!Passes>(packs[0], p + k * step);
                move_round(packs);
            }
        } else {
            WF_EXACT_LOOP
            for (unsigned k = 0; k < Packs; k++) {
                const unsigned here = p + k * step, edge = here - source_.packs();
                if (here < source_.packs()) {
                    add_pack<true>(packs[0], here);
                } else if (edge < source_.edges()) {
                    extremes_.add_edge(packs[0][0], source_.item_of_edge(edge));
                    add_element(widen<double>(packs[0][0]));
                }
                move_round(packs);
            }
            if constexpr (Passes) // group_sum() passes fillers, too
                squares_.close_group();
        }
    }
    __device__ __forceinline__ void add_element(double element) {
        squares_.add(element);
    }
    __device__ __forceinline__ void add_scaled_element(double element, double power) {
        squares_.add_scaled(element, power);
    }
    __device__ __forceinline__ bool needs_second_look() const {
        return extremes_.needs_second_look();
    }
    template <unsigned Packs>
    __device__ __forceinline__ void look_again(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        extremes_.look_again(packs, p, step);
    }
    // Adds the squares once more, without NaN that are ignored; and NaN where they propagate.
    template <unsigned Packs>
    __device__ __forceinline__ void add_again(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step,
                                              bool passed) {
        if (passed && all_finite(packs))
            return;
        squares_.restart_group();
        WF_EXACT_LOOP
        for (unsigned k = 0; k < Packs; k++) {
            const unsigned here = p + k * step, edge = here - source_.packs();
            const bool is_pack = here < source_.packs();
            const unsigned elements = is_pack ? in_pack : edge < source_.edges() ? 1 : 0;
            const unsigned item = is_pack ? source_.item_of_pack(here) : source_.item_of_edge(edge);
            uint64_t halves[2];
            memcpy(halves, packs[0].words, sizeof halves);
            WF_EXACT_LOOP
            for (unsigned i = 0; i < elements; i++) {
                const auto each = bits_as<Element>(take_first<bits>(halves));
                if (is_nan(each))
                    extremes_.add_nan(each, item);
                if (ignores_nan_ == 0 || !is_nan(each))
                    add_element(widen<double>(each));
            }
            move_round(packs);
        }
    }
    __device__ __forceinline__ void end() {
        squares_.end_group();
        tile_.total = extremes_.values(thread_of(tidx_));
        tile_.total.squares = squares_.sum();
    }
    __device__ __forceinline__ void forget() {
        squares_.forget();
        extremes_.forget();
    }

    __device__ __forceinline__ void store() {
        tile_.store();
    }
    __device__ __forceinline__ void reduce(unsigned threads) {
        tile_.reduce(threads, !takes_all());
    }

    static constexpr unsigned tiles_at_a_time = 1;
    using published = value;
    __device__ __forceinline__ void publish() {
        tile_.publish(!takes_all());
    }
    __device__ __forceinline__ bool load(unsigned tile, published &of_tile) const {
        return tile_.load(tile, of_tile);
    }
    __device__ __forceinline__ void join(const published &of_tile) {
        tile_.join(of_tile);
    }
    __device__ __forceinline__ void clear(unsigned tile) const {
        tile_.clear(tile);
    }

    // Called by all waves: each stores the results of its jobs.
    __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, void *result) const {
        const description_words words(static_cast<uint64_t *>(result), sizeof(wf_description) / sizeof(uint64_t));
        if (!takes_all()) {
            if (wave_of<Width>(tidx_) == 0)
                finish_launch(total, flags, base, words);
            return want_.is_last != 0;
        }
        const bool leads = lane_of<Width>(tidx_) == 0;
        if (tile_.does(least_job, false) && leads)
            store_of::least(with_.low, resolved(with_.low, tile_.total.least, source_, first_), words);
        if (tile_.does(largest_job, false) && leads)
            store_of::largest(with_.high, resolved(with_.high, tile_.total.largest, source_, first_), words);
        if (tile_.does(squares_job, false)) {
            described_sums sums;
            if ((flags & exact_spilled) != 0 ||
                !quick_described_sums(total, base, want_.count, share_, squares_.pivot, sums))
                sums = finish_described_sums<Width>(want_, total, flags, base, squares_.pivot);
            if (leads)
                store_of::sums(sums, tile_.total.squares, want_.count, share_, words);
        }
        return true;
    }
    __device__ __forceinline__ bool takes_short() const {
        return takes_all();
    }
    // A sum of 0 does not fit: its sign is not known.
    template <class Sum>
    __device__ __forceinline__ bool finish_short(const Sum &sum, bool fits, void *result) const {
        const wide total = wide_sum(sum);
        if (!fits || is_zero(total))
            return false;
        return finish(total, exact_others, base_of(sum), result);
    }

  private:
    using bits = typename float_format<Element>::bits;
    static constexpr unsigned in_pack = element_pack<Element>::size;

    template <bool WithSquares>
    __device__ __forceinline__ void add_pack(const element_pack<Element> &pack, unsigned p) {
        extremes_.add_pack(pack, p);
        if constexpr (WithSquares)
#pragma unroll
            for (unsigned i = 0; i < in_pack; i++)
                add_element(widen<double>(pack[i]));
    }
    // One launch takes all elements. Otherwise the first wave has all jobs.
    __device__ __forceinline__ bool takes_all() const {
        return want_.is_first != 0 && want_.is_last != 0;
    }
    __device__ __forceinline__ tile_status_array<found, Width> carry() const {
        return tile_status_array<found, Width>(word_view(carry_words_, sizeof(found) / sizeof(uint32_t)));
    }
    // Of one launch of several, by the first wave.
    __device__ __forceinline__ void finish_launch(const wide &total, uint32_t flags, int base,
                                                  const description_words &words) const {
        const double pivot = squares_.pivot;
        const auto least = resolved(with_.low, tile_.total.least, source_, first_),
                   largest = resolved(with_.high, tile_.total.largest, source_, first_);
        const described_sums sums = finish_described_sums<Width>(want_, total, flags, base, pivot);
        if (lane_of<Width>(tidx_) != 0)
            return;
        found all = {tile_.total.squares, pivot, least, largest}, before;
        if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
            all = {before.squares + all.squares, pivot, with_.low(before.least, least),
                   with_.high(before.largest, largest)};
        if (want_.is_last == 0) {
            carry().publish(0, tile_status::aggregate, all);
            return;
        }
        store_of::least(with_.low, all.least, words);
        store_of::largest(with_.high, all.largest, words);
        store_of::sums(sums, all.squares, want_.count, share_, words);
    }

    const tiled_index &tidx_;
    const Source &source_;
    const exact_request &want_;
    const operators &with_;
    tile_static<double> pivot_cells_;
    unsigned pivot_cell_, ignores_nan_;
    uint64_t first_;
    double share_;
    uint64_t *carry_words_;
    pivot_sample<Source, Width> sample_;
    thread_squares squares_;
    extremes extremes_;
    tile_description<Element, Width> tile_;
};

} // namespace wf
#endif
