// What a description of floats has beside their exact sum, from the same loads: the extremes and where they stand, and
// the squares of the distances from a pivot.
//
// All threads share the pivot, so squares are joined by an addition, and nothing else about the distances is: what they
// add up to is the exact sum less so many times the pivot. It is the median of three finite elements that lie apart.
// The further it is from the mean, the more of the squares is taken off in the end: the variance is off by as many
// more roundings as the mean square of distances from the pivot is larger than the variance.
#ifndef WAVEFOLD_REDUCE_DESCRIBE_FLOATS_HPP
#define WAVEFOLD_REDUCE_DESCRIBE_FLOATS_HPP

#include "../operators.hpp"
#include "../tile_status.hpp"
#include "../wave.hpp"
#include "exact_beside.hpp"
#include "thread_reduce.hpp"

#include <limits>

namespace wf {

template <class Element>
struct describes_floats {
    using place = first_extreme<Element>;
    struct value { // what tiles fold,
        double squares;
        typename place::value least, largest;
    };
    struct found { // and launches
        double squares, pivot;
        typename place::found least, largest;
    };
    // The least, and turned round the largest. AMD's scalar registers are too few for these and for the request.
    struct operators {
        place low, high, finite_low, finite_high; // the latter have no NaN to care for
        explicit __device__ __forceinline__ operators(exact_request &want, uint64_t &number) {
            hide_origin(want.count);
            hide_origin(number);
            for (uint8_t *const flag : {&want.is_first, &want.is_last, &want.ignores_nan}) {
                unsigned word = *flag;
                hide_origin(word);
                *flag = uint8_t(word);
            }
            auto nan = want.ignores_nan != 0 ? ranks<Element>::most : ranks<Element>::least;
            hide_origin(nan);
            low.which.nan = high.which.nan = nan;
            finite_low.which.nan = finite_high.which.nan = ranks<Element>::most;
            high.which.flip = finite_high.which.flip = typename place::rank(-1);
        }
    };
    // A kernel's argument.
    struct request {
        uint64_t *carry; // words for the fold of the earlier parts
        uint64_t first;  // the index of this part's first element
    };
    static constexpr bool waits_for_sample = true;
    static constexpr unsigned tiles_at_once = 2; // with 80 registers nvcc spilled

    static __device__ __forceinline__ value identity() { return {0, place::identity(), place::identity()}; }

    // Of tile memory: behind so many bytes the pivot, then a cell of each wave.
    static constexpr unsigned pivot_cell(size_t before) { return unsigned((before + 7) / sizeof(double)); }
    static constexpr unsigned first_cell(size_t before) {
        return unsigned(((pivot_cell(before) + 1) * sizeof(double) + sizeof(value) - 1) / sizeof(value));
    }
    static constexpr size_t tile_bytes(size_t before, unsigned waves) {
        return (first_cell(before) + waves) * sizeof(value);
    }
    // Of the words that tiles publish: the sums' come first.
    static constexpr unsigned sum_words_of_tile = 6, words_of_tile = WF_DESCRIBE_VALUE_BYTES / WF_STATUS_VALUE_BYTES;
    static_assert(WF_EXACT_VALUE_BYTES / WF_STATUS_VALUE_BYTES <= sum_words_of_tile && sum_words_of_tile % 2 == 0 &&
                  sum_words_of_tile + sizeof(value) / sizeof(uint32_t) <= words_of_tile);
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned tiles) {
        return all.section(0, sum_words_of_tile * size_t(tiles));
    }

    template <unsigned Width, bool Aligned>
    class part;
};

template <class Element>
template <unsigned Width, bool Aligned>
class describes_floats<Element>::part {
  public:
    using packed = packed_array<Element, Aligned>;
    // before: bytes of tile memory that are others'.
    __device__ __forceinline__ part(const tiled_index &tidx, const packed &source, const exact_request &want,
                                    const operators &with, const request &asked, const word_view &tile_status_words,
                                    unsigned before)
        : tidx_(tidx), source_(source), want_(want), with_(with), asked_(asked), pivot_cells_(tidx), cells_(tidx),
          tile_status_words_(tile_status_words), before_(before), ignores_nan_(want.ignores_nan), first_(asked.first),
          low_(with.finite_low), high_(with.finite_high), low_before_(with.finite_low), high_before_(with.finite_high) {
        hide_origin(ignores_nan_); // as operators' numbers
        hide_origin(first_);
    }

    __device__ __forceinline__ void sample() {
        if (tidx_.local < Width)
            sampled_ = sampled(0);
    }
    // The median of three samples that are finite: the first, one from the middle on, the last. As long as there is
    // none, others are looked at; if there is none among these, it is 0. Parts after one with numbers keep its pivot.
    __device__ __forceinline__ void begin() {
        if (wave_of<Width>(tidx_) != 0)
            return;
        uint64_t finite = ballot<Width>(tidx_, is_finite(sampled_));
#pragma unroll 1
        for (unsigned round = 1; finite == 0 && round < sample_rounds; round++) {
            sampled_ = sampled(round);
            finite = ballot<Width>(tidx_, is_finite(sampled_));
        }
        const uint64_t lowest = finite & (0 - finite), upper = finite >> Width / 2 << Width / 2;
        const uint64_t middle = upper != 0 ? upper & (0 - upper) : lowest;
        const double mine = is_finite(sampled_) ? widen<double>(sampled_) : 0;
        const auto lane_in = [finite](uint64_t lanes) { return finite != 0 ? last_lane(lanes) : 0; };
        const double a = shuffle<Width>(mine, lane_in(lowest)), b = shuffle<Width>(mine, lane_in(middle)),
                     c = shuffle<Width>(mine, lane_in(finite));
        const double smaller = a < b ? a : b, larger = a < b ? b : a, others = larger < c ? larger : c;
        double pivot = smaller < others ? others : smaller;
        found before;
        if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
            pivot = before.least.index != place::nowhere ? before.pivot : pivot;
        if (tidx_.local == 0)
            pivot_cells_[pivot_cell(before_)] = pivot;
    }
    __device__ __forceinline__ void ready() {
        pivot_ = pivot_cells_[pivot_cell(before_)];
    }

    // As if all were finite; what was before is kept.
    template <unsigned Packs>
    __device__ __forceinline__ void take(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        squares_before_ = squares_;
        low_before_.become(low_);
        high_before_.become(high_);
        // AMD's scalar registers hold the conditions.
        [[maybe_unused]] constexpr unsigned at_a_time = Width == 32 ? Packs : in_pack == 8 ? 1 : 2;
#pragma unroll at_a_time
        for (unsigned k = 0; k < Packs; k++) {
            const unsigned here = p + k * step, edge = here - source_.packs();
            const element_pack<Element> pack = packs[0];
            if (here < source_.packs()) {
                low_.add_pack(pack, here);
                high_.add_pack(pack, here);
#pragma unroll
                for (unsigned i = 0; i < in_pack; i++)
                    squares_ = with_square(pack[i]);
            } else if (edge < source_.edges()) {
                low_.add_one(pack[0], source_.item_of_edge(edge));
                high_.add_one(pack[0], source_.item_of_edge(edge));
                squares_ = with_square(pack[0]);
            }
            move_round(packs);
        }
    }
    template <unsigned Packs>
    __device__ __forceinline__ void take_again(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        if (all_finite(packs))
            return;
        squares_ = squares_before_;
        low_.become(low_before_);
        high_.become(high_before_);
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
                special_ = joined(special_, {0, with_.low.lift(each, item), with_.high.lift(each, item)});
                squares_ = ignores_nan_ != 0 && is_nan(each) ? squares_ : with_square(each);
            }
            move_round(packs);
        }
    }

    __device__ __forceinline__ void fold_tile() {
        const unsigned thread = thread_of(tidx_);
        total_ = tile_fold(joined(special_, {squares_, low_.result(source_, thread), high_.result(source_, thread)}));
    }
    __device__ __forceinline__ void publish(bool leads) const {
        if (leads)
            states().publish(tidx_.tile, tile_status::aggregate, total_);
    }
    // All lanes of a wave, or none, as in reduce().
    __device__ __forceinline__ void fold_tiles() {
        value all = identity();
        const unsigned lane = lane_of<Width>(tidx_);
        for (unsigned first = tidx_.local - lane; first < tidx_.tiles; first += tidx_.tile_size) {
            value other = identity();
            const bool has_tile = first + lane < tidx_.tiles;
            if (has_tile)
                while (states().load(first + lane, other) == tile_status::invalid)
                    let_others_run();
            wave_barrier();
            all = joined(all, other);
            if (has_tile)
                states().clear(first + lane);
        }
        total_ = tile_fold(all);
    }

    __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, unsigned first_cell,
                                           void *result) const {
        // Lane 0 looks up the least, the others the largest, whose loads are on the way while the sums are rounded.
        const bool leads = lane_of<Width>(tidx_) == 0;
        const auto least = broadcast<Width>(total_.least, 0), largest = broadcast<Width>(total_.largest, 0);
        place which = with_.high;
        which.which.flip = leads ? with_.low.which.flip : with_.high.which.flip;
        const auto extreme = resolved(which, leads ? least : largest, source_, first_);
        const auto other = broadcast<Width>(extreme, 1);
        described_sums sums;
        const bool is_whole = want_.is_first != 0 && want_.is_last != 0 && (flags & exact_spilled) == 0;
        if (!is_whole || !usual_described_sums(total, base, want_.count, pivot_, sums))
            sums = finish_described_sums<Width>(want_, total, flags, base, first_cell, pivot_);
        if (leads) {
            found all = {total_.squares, pivot_, extreme, other}, before;
            if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
                all = {before.squares + all.squares, pivot_, with_.low(before.least, all.least),
                       with_.high(before.largest, all.largest)};
            if (want_.is_last != 0)
                store(all, sums, static_cast<wf_description *>(result));
            else
                carry().publish(0, tile_status::aggregate, all);
        }
        return want_.is_last != 0;
    }

  private:
    using rank = typename place::rank;
    using bits = typename float_layout<Element>::bits;
    static constexpr unsigned in_pack = element_pack<Element>::size;

    // An element for each lane; those of all rounds lie apart, or are all that there are.
    static constexpr unsigned sample_rounds = 64;
    __device__ __forceinline__ Element sampled(unsigned round) const {
        const uint64_t at = uint64_t(sample_rounds) * lane_of<Width>(tidx_) + round;
        return source_.read(size_t(source_.size() * at / (sample_rounds * Width)));
    }
    static __device__ __forceinline__ bool is_finite(Element from) {
        constexpr auto most = (1u << float_layout<Element>::exponent_bits) - 1;
        return (unsigned(bits_as<bits>(from) >> (float_layout<Element>::digits - 1)) & most) != most;
    }
    template <unsigned Packs>
    static __device__ __forceinline__ bool all_finite(const element_pack<Element> (&packs)[Packs]) {
        uint32_t specials = 0; // a truth value of each lane would take scalar registers
#pragma unroll
        for (const element_pack<Element> &pack : packs)
#pragma unroll
            for (unsigned i = 0; i < in_pack; i++)
                specials |= is_finite(pack[i]) ? 0u : 1u;
        return specials == 0;
    }
    __device__ __forceinline__ double with_square(Element from) const {
        const double apart = widen<double>(from) - pivot_;
        return squares_ + apart * apart;
    }
    __device__ __forceinline__ value joined(const value &a, const value &b) const {
        return {a.squares + b.squares, with_.low(a.least, b.least), with_.high(a.largest, b.largest)};
    }
    __device__ __forceinline__ tile_status_array<found, Width> carry() const {
        return tile_status_array<found, Width>(word_view(asked_.carry, sizeof(found) / sizeof(uint32_t)));
    }
    __device__ __forceinline__ tile_status_array<value, Width> states() const {
        const size_t tiles = tidx_.tiles, sums = sum_words_of_tile * tiles;
        return tile_status_array<value, Width>(tile_status_words_.section(sums, words_of_tile * tiles - sums));
    }
    // Thread 0 has the result. A barrier must lie between two calls.
    __device__ __forceinline__ value tile_fold(value mine) const {
        // By steps, all three side by side: word by word the places took longer than the squares alone do.
        const sum<double> add;
        const auto low = [this](const typename place::value &a, const typename place::value &b) {
            return with_.low(a, b);
        };
        const auto high = [this](const typename place::value &a, const typename place::value &b) {
            return with_.high(a, b);
        };
        mine = {wave_reduce<Width>(tidx_, mine.squares, add), wave_reduce<Width>(tidx_, mine.least, low),
                wave_reduce<Width>(tidx_, mine.largest, high)};
        const unsigned cell = first_cell(before_), waves = tidx_.tile_size / Width;
        if (lane_of<Width>(tidx_) == 0)
            cells_[cell + wave_of<Width>(tidx_)] = mine;
        tidx_.barrier.wait();
        if (wave_of<Width>(tidx_) == 0) {
            mine = tidx_.local < waves ? value(cells_[cell + tidx_.local]) : identity();
            mine = {wave_reduce_first<Width>(tidx_, mine.squares, waves, add),
                    wave_reduce_first<Width>(tidx_, mine.least, waves, low),
                    wave_reduce_first<Width>(tidx_, mine.largest, waves, high)};
        }
        return mine;
    }
    __device__ __forceinline__ void store(const found &all, const described_sums &sums, wf_description *result) const {
        const array_view<uint64_t> words(reinterpret_cast<uint64_t *>(result), sizeof *result / sizeof(uint64_t));
        const auto extreme_of = [](const place &op, const typename place::found &of) {
            return bits_as<uint64_t>(widen<double>(op.which.finish(rank(of.rank_bits), 1)));
        };
        const double share = 1 / double(sums.count), infinity = std::numeric_limits<double>::infinity();
        const double about_mean = all.squares - sums.distances * (sums.distances * share);
        const double squares = !(all.squares < infinity) ? all.squares : about_mean < 0 ? 0 : about_mean;
        words[0] = sums.count;
        words[1] = sums.sum;
        words[2] = extreme_of(with_.low, all.least);
        words[3] = extreme_of(with_.high, all.largest);
        words[4] = all.least.index;
        words[5] = all.largest.index;
        words[6] = sums.mean;
        const auto mean = bits_as<double>(sums.mean); // less itself: NaN of an infinity
        words[7] = bits_as<uint64_t>(squares * share + (mean - mean));
    }

    const tiled_index &tidx_;
    const packed &source_;
    const exact_request &want_;
    const operators &with_;
    const request &asked_;
    tile_static<double> pivot_cells_;
    tile_static<value> cells_;
    const word_view &tile_status_words_;
    unsigned before_, ignores_nan_;
    uint64_t first_;
    Element sampled_{};
    double pivot_ = 0, squares_ = 0, squares_before_ = 0;
    place_finder<Element> low_, high_, low_before_, high_before_;
    value special_ = identity(), total_ = identity(); // the former of groups with what is not finite
};

} // namespace wf
#endif
