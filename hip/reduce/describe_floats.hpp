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
            opaque(want.count);
            opaque(number);
            for (uint8_t *const flag : {&want.is_first, &want.is_last, &want.ignores_nan}) {
                unsigned word = *flag;
                opaque(word);
                *flag = uint8_t(word);
            }
            auto nan = want.ignores_nan != 0 ? ranks<Element>::most : ranks<Element>::least;
            opaque(nan);
            low.which.nan = high.which.nan = nan;
            finite_low.which.nan = finite_high.which.nan = ranks<Element>::most;
            high.which.flip = finite_high.which.flip = typename place::rank(-1);
        }
    };
    // A kernel's argument.
    struct request {
        uint64_t *carry; // words for the fold of the earlier parts
        uint64_t first;  // the index of this part's first element
        double share;    // 1 / the elements of all parts
    };
    static constexpr bool waits_for_sample = true;
    static constexpr bool keeps_all_bits = true;
    static constexpr bool ends_in_one_wave = false;
    // With three and 80 registers, short arrays took up to 23 % longer on an H100.
    static constexpr unsigned largest_tile = WF_DESCRIBE_FLOATS_TILE, threads_at_once = 512;
    static constexpr bool copies_ahead = true;
    static constexpr bool may_cluster = false;
    static constexpr uint64_t rounds_of_long = sizeof(Element) == 2 ? 4 : 8; // first ones cost most: see improve()

    static __device__ __forceinline__ value identity() { return {0, place::identity(), place::identity()}; }

    // Of tile memory: behind so many bytes the pivot, then a cell of each thread.
    static constexpr unsigned pivot_cell(size_t before) { return unsigned((before + 7) / sizeof(double)); }
    static constexpr unsigned first_cell(size_t before) {
        return unsigned(((pivot_cell(before) + 1) * sizeof(double) + sizeof(value) - 1) / sizeof(value));
    }
    static constexpr size_t tile_bytes(size_t before, unsigned threads) {
        return (first_cell(before) + threads) * sizeof(value);
    }
    // What tiles publish, each told by the wave that folds it: the sum, the squares, the least and the largest have so
    // many words of each tile. Even numbers, as words may go in pairs.
    static constexpr unsigned sum_words = 6, squares_words = 2, place_words = 4;
    static_assert(WF_EXACT_VALUE_BYTES / sizeof(uint32_t) <= sum_words &&
                  sizeof(typename place::value) / sizeof(uint32_t) <= place_words &&
                  sum_words + squares_words + 2 * place_words == WF_DESCRIBE_VALUE_BYTES / WF_STATUS_VALUE_BYTES);
    static __device__ __forceinline__ word_view words_of(const word_view &all, unsigned tiles, unsigned before,
                                                         unsigned words) {
        return all.section(before * size_t(tiles), words * size_t(tiles));
    }
    static __device__ __forceinline__ word_view words_of_sums(const word_view &all, unsigned tiles) {
        return words_of(all, tiles, 0, sum_words);
    }

    // IsLong: of a thread's many elements few change an extreme. So waves know what theirs are so far, in each lane's
    // cell, and look for places only in a group that has something beyond.
    template <unsigned Width, bool Aligned, bool IsLong>
    class part;
};

template <class Element>
template <unsigned Width, bool Aligned, bool IsLong>
class describes_floats<Element>::part {
  public:
    using packed = packed_array<Element, Aligned>;
    // before: bytes of tile memory that are others'.
    __device__ __forceinline__ part(const tiled_index &tidx, const packed &source, const exact_request &want,
                                    const operators &with, const request &asked, const word_view &tile_status_words,
                                    unsigned before)
        : tidx_(tidx), source_(source), want_(want), with_(with), pivot_cells_(tidx), cells_(tidx),
          tile_status_words_(tile_status_words), before_(before), ignores_nan_(want.ignores_nan), first_(asked.first),
          share_(asked.share), carry_words_(asked.carry), low_(with.finite_low), high_(with.finite_high) {
        opaque(ignores_nan_); // as operators' numbers
        opaque(first_);
        opaque(share_);
    }

    __device__ __forceinline__ void sample() {
        if (tidx_.local < Width || tidx_.tiles == 1)
            sampled_ = sampled(0);
    }
    // Parts after one with numbers keep its pivot.
    __device__ __forceinline__ void begin() {
        if (wave_of<Width>(tidx_) != 0)
            return;
        begin_alone();
        found before;
        if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
            pivot_ = before.least.index != place::nowhere ? before.pivot : pivot_;
        if (tidx_.local == 0)
            pivot_cells_[pivot_cell(before_)] = pivot_;
    }
    __device__ __forceinline__ void ready() {
        pivot_ = pivot_cells_[pivot_cell(before_)];
        if constexpr (IsLong)
            cells_[first_cell(before_) + tidx_.local] = identity();
    }
    // The median of three samples that are finite: the first, one from the middle on, the last. As long as there is
    // none, others are looked at; if there is none among these, it is 0.
    __device__ __forceinline__ void begin_alone() {
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
        pivot_ = smaller < others ? others : smaller;
    }

    // As if no element were NaN, which extremes pass over.
    template <bool Hears, unsigned Packs>
    __device__ __forceinline__ void take(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        keep_group();
        const bool is_whole = p + (Packs - 1) * step < source_.packs();
        if constexpr (IsLong) {
            asks_again_ = !is_whole;
            if (ballot<Width>(tidx_, watch_.any_below(packs)) != 0)
                improve(packs, p, step, with_.finite_low, &value::least);
            if (ballot<Width>(tidx_, watch_.any_above(packs)) != 0)
                improve(packs, p, step, with_.finite_high, &value::largest);
        }
        // Of 64 lanes one by one: scalar registers hold the conditions, and gfx90a spilled those.
        if (Width == 32 && __builtin_expect(is_whole, 1)) {
#pragma unroll
            for (unsigned k = 0; k < Packs; k++) {
                take_pack<!Hears>(packs[0], p + k * step);
                move_round(packs);
            }
        } else {
            WF_EXACT_LOOP
            for (unsigned k = 0; k < Packs; k++) {
                const unsigned here = p + k * step, edge = here - source_.packs();
                if (here < source_.packs()) {
                    take_pack<true>(packs[0], here);
                } else if (edge < source_.edges()) {
                    if constexpr (!IsLong) {
                        low_.add_one(packs[0][0], source_.item_of_edge(edge));
                        high_.add_one(packs[0][0], source_.item_of_edge(edge));
                    }
                    hear(widen<double>(packs[0][0]));
                }
                move_round(packs);
            }
            if constexpr (Hears) { // what is heard has more than the elements
                apart_ = squares_of_group();
                is_apart_ = true;
            }
        }
    }
    __device__ __forceinline__ bool asks_again() const {
        return asks_again_;
    }
    // The places of the group's extremes, among those of the wave, with NaN as asked for.
    template <unsigned Packs>
    __device__ __forceinline__ void look_again(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step) {
        if constexpr (IsLong) {
            place_finder<Element> low(with_.low), high(with_.high);
            WF_EXACT_LOOP
            for (unsigned k = 0; k < Packs; k++) {
                const unsigned here = p + k * step, edge = here - source_.packs();
                if (here < source_.packs()) {
                    low.add_pack(packs[0], here);
                    high.add_pack(packs[0], here);
                } else if (edge < source_.edges()) {
                    low.add_one(packs[0][0], source_.item_of_edge(edge));
                    high.add_one(packs[0][0], source_.item_of_edge(edge));
                }
                move_round(packs);
            }
            join_wave(low.result(source_, no_pack), with_.low, &value::least);
            join_wave(high.result(source_, no_pack), with_.high, &value::largest);
        }
    }
    __device__ __forceinline__ void hear(double element) {
        add_square(0, element - pivot_);
    }
    __device__ __forceinline__ void hear_scaled(double element, double power) {
        add_square(1, element * power - pivot_);
    }
    // The squares once more, and NaN where they propagate, if look_again() has not found them.
    template <unsigned Packs>
    __device__ __forceinline__ void take_again(element_pack<Element> (&packs)[Packs], unsigned p, unsigned step,
                                               bool heard) {
        if (heard && all_finite(packs))
            return;
        group_[0] = group_[1] = 0;
        is_apart_ = false;
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
                if (!IsLong && is_nan(each)) {
                    low_.add_value(with_.low.lift(each, item));
                    high_.add_value(with_.high.lift(each, item));
                }
                if (ignores_nan_ == 0 || !is_nan(each))
                    hear(widen<double>(each));
            }
            move_round(packs);
        }
    }

    __device__ __forceinline__ void end() {
        [[maybe_unused]] const unsigned thread = thread_of(tidx_);
        keep_group();
        if constexpr (IsLong) {
            total_ = cells_[first_cell(before_) + tidx_.local];
            total_.squares = squares_;
        } else {
            total_ = {squares_, low_.result(source_, thread), high_.result(source_, thread)};
        }
    }
    // Each thread's goes to tile memory, as waves fold a kind each.
    __device__ __forceinline__ void tell() {
        cells_[first_cell(before_) + tidx_.local] = total_;
    }
    // Lane 0 of a job's wave has its result. Only so many threads, the first ones, have something.
    __device__ __forceinline__ void fold(unsigned threads) {
        const unsigned count = threads < tidx_.tile_size ? threads : tidx_.tile_size;
        if (does(squares_job))
            total_.squares = fold_of_cells(sum<double>(), count, [](const value &of) { return of.squares; });
        if (does(least_job))
            total_.least = fold_of_cells(with_.low, count, [](const value &of) { return of.least; });
        if (does(largest_job))
            total_.largest = fold_of_cells(with_.high, count, [](const value &of) { return of.largest; });
    }
    __device__ __forceinline__ void publish() {
        if (lane_of<Width>(tidx_) == 0) {
            if (does(squares_job))
                squares_of_tiles().publish(tidx_.tile, tile_status::aggregate, total_.squares);
            if (does(least_job))
                least_of_tiles().publish(tidx_.tile, tile_status::aggregate, total_.least);
            if (does(largest_job))
                largest_of_tiles().publish(tidx_.tile, tile_status::aggregate, total_.largest);
        }
        total_ = identity(); // what tiles have joins
    }
    static constexpr unsigned tiles_at_a_time = 1;
    using published = value;
    __device__ __forceinline__ bool load(unsigned tile, published &of_tile) const {
        const bool has_squares = squares_of_tiles().load(tile, of_tile.squares) != tile_status::invalid,
                   has_least = least_of_tiles().load(tile, of_tile.least) != tile_status::invalid,
                   has_largest = largest_of_tiles().load(tile, of_tile.largest) != tile_status::invalid;
        return has_squares & has_least & has_largest;
    }
    __device__ __forceinline__ void join(const published &of_tile) {
        total_ = {total_.squares + of_tile.squares, with_.low(total_.least, of_tile.least),
                  with_.high(total_.largest, of_tile.largest)};
    }
    __device__ __forceinline__ void clear(unsigned tile) const {
        squares_of_tiles().clear(tile);
        least_of_tiles().clear(tile);
        largest_of_tiles().clear(tile);
    }

    // By all waves: each stores what its jobs come to.
    __device__ __forceinline__ bool finish(const wide &total, uint32_t flags, int base, void *result) const {
        const array_view<uint64_t> words(static_cast<uint64_t *>(result), sizeof(wf_description) / sizeof(uint64_t));
        if (!takes_all()) {
            if (wave_of<Width>(tidx_) == 0)
                finish_part(total, flags, base, words);
            return want_.is_last != 0;
        }
        const bool leads = lane_of<Width>(tidx_) == 0;
        if (does(least_job) && leads)
            store_least(resolved(with_.low, total_.least, source_, first_), words);
        if (does(largest_job) && leads)
            store_largest(resolved(with_.high, total_.largest, source_, first_), words);
        if (does(squares_job)) {
            described_sums sums;
            if ((flags & exact_spilled) != 0 || !usual_described_sums(total, base, want_.count, share_, pivot_, sums))
                sums = finish_described_sums<Width>(want_, total, flags, base, pivot_);
            if (leads)
                store_sums(sums, total_.squares, words);
        }
        return true;
    }
    __device__ __forceinline__ bool may_be_short() const {
        return takes_all();
    }
    // A sum of 0 has a sign that it does not tell.
    template <class Sum>
    __device__ __forceinline__ bool finish_short(const Sum &sum, bool fits, void *result) const {
        const wide total = wide_sum(sum);
        if (!fits || is_zero(total))
            return false;
        return finish(total, exact_others, base_of(sum), result);
    }
    __device__ __forceinline__ void restart() {
        squares_ = 0; // end() has taken the last group to it
        const place_finder<Element> none_low(with_.finite_low), none_high(with_.finite_high);
        low_.become(none_low);
        high_.become(none_high);
    }

  private:
    using rank = typename place::rank;
    using bits = typename float_layout<Element>::bits;
    static constexpr unsigned in_pack = element_pack<Element>::size, no_pack = ~0u;

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
    __device__ __forceinline__ void add_square(unsigned to, double apart) {
        group_[to] += apart * apart;
    }
    __device__ __forceinline__ double squares_of_group() const {
        return group_[0] + group_[1];
    }
    // What the last group came to joins the others, and there is none.
    __device__ __forceinline__ void keep_group() {
        squares_ += is_apart_ ? apart_ : squares_of_group();
        group_[0] = group_[1] = 0;
        is_apart_ = false;
    }
    // What this lane has found joins what its wave has found so far.
    using place_of_value = typename place::value value::*;
    __device__ __forceinline__ void join_wave(const typename place::value &mine, const place &op,
                                              place_of_value which) {
        const unsigned cell = first_cell(before_) + tidx_.local;
        value best = cells_[cell];
        best.*which = wave_reduce<Width>(tidx_, op(best.*which, mine), op);
        cells_[cell] = best;
        watch_.expect(place::rank_of(best.least), rank(place::rank_of(best.largest) ^ with_.high.which.flip));
    }
    // The same of a group that has something beyond. What is in no pack of the array is left to look_again().
    template <unsigned Packs>
    __device__ __forceinline__ void improve(const element_pack<Element> (&packs)[Packs], unsigned p, unsigned step,
                                            const place &op, place_of_value which) {
        place_finder<Element> finder(op);
#pragma unroll
        for (unsigned k = 0; k < Packs; k++)
            finder.add_pack(packs[k], p + k * step);
        join_wave(finder.result(source_, no_pack), op, which);
    }
    template <bool WithSquares>
    __device__ __forceinline__ void take_pack(const element_pack<Element> &pack, unsigned p) {
        if constexpr (!IsLong) {
            low_.add_pack(pack, p);
            high_.add_pack(pack, p);
        }
        if constexpr (WithSquares)
#pragma unroll
            for (unsigned i = 0; i < in_pack; i++)
                hear(widen<double>(pack[i]));
    }
    // One launch.
    __device__ __forceinline__ bool takes_all() const {
        return want_.is_first != 0 && want_.is_last != 0;
    }
    // What there is to fold, and to store, each by a wave if there are so many: squares by the first one, which has the
    // sum. Where other launches follow, all by that.
    enum job : unsigned { squares_job, least_job, largest_job };
    __device__ __forceinline__ bool does(job which) const {
        const unsigned waves = tidx_.tile_size / Width, by = which < waves && takes_all() ? unsigned(which) : 0u;
        return wave_of<Width>(tidx_) == by;
    }
    template <class Op, class Kind>
    __device__ __forceinline__ auto fold_of_cells(const Op &op, unsigned count, const Kind &kind) const {
        const unsigned cell = first_cell(before_) + lane_of<Width>(tidx_);
        auto all = kind(cells_[cell]);
#pragma unroll 1
        for (unsigned other = Width; other < count; other += Width)
            all = op(all, kind(cells_[cell + other]));
        return wave_reduce<Width>(tidx_, all, op);
    }
    template <class T>
    using of_tiles = tile_status_array<T, Width, true>;
    __device__ __forceinline__ of_tiles<double> squares_of_tiles() const {
        return of_tiles<double>(words_of(tile_status_words_, tidx_.tiles, sum_words, squares_words));
    }
    using place_of_tiles = of_tiles<typename place::value>;
    __device__ __forceinline__ place_of_tiles least_of_tiles() const {
        return place_of_tiles(words_of(tile_status_words_, tidx_.tiles, sum_words + squares_words, place_words));
    }
    __device__ __forceinline__ place_of_tiles largest_of_tiles() const {
        constexpr unsigned before = sum_words + squares_words + place_words;
        return place_of_tiles(words_of(tile_status_words_, tidx_.tiles, before, place_words));
    }
    __device__ __forceinline__ tile_status_array<found, Width> carry() const {
        return tile_status_array<found, Width>(word_view(carry_words_, sizeof(found) / sizeof(uint32_t)));
    }

    using words_view = array_view<uint64_t>;
    // Of one launch of several, by the first wave.
    __device__ __forceinline__ void finish_part(const wide &total, uint32_t flags, int base,
                                                const words_view &words) const {
        const auto least = resolved(with_.low, total_.least, source_, first_),
                   largest = resolved(with_.high, total_.largest, source_, first_);
        const described_sums sums = finish_described_sums<Width>(want_, total, flags, base, pivot_);
        if (lane_of<Width>(tidx_) == 0) {
            found all = {total_.squares, pivot_, least, largest}, before;
            if (want_.is_first == 0 && carry().load(0, before) != tile_status::invalid)
                all = {before.squares + all.squares, pivot_, with_.low(before.least, least),
                       with_.high(before.largest, largest)};
            if (want_.is_last != 0) {
                store_least(all.least, words);
                store_largest(all.largest, words);
                store_sums(sums, all.squares, words);
            } else {
                carry().publish(0, tile_status::aggregate, all);
            }
        }
    }
    // Of a wf_description.
    __device__ __forceinline__ void store_least(const typename place::found &least, const words_view &words) const {
        words[2] = extreme_of(with_.low, least);
        words[4] = least.index;
    }
    __device__ __forceinline__ void store_largest(const typename place::found &largest, const words_view &words) const {
        words[3] = extreme_of(with_.high, largest);
        words[5] = largest.index;
    }
    static __device__ __forceinline__ uint64_t extreme_of(const place &op, const typename place::found &of) {
        return bits_as<uint64_t>(widen<double>(op.which.finish(rank(of.rank_bits), 1)));
    }
    __device__ __forceinline__ void store_sums(const described_sums &sums, double all_squares,
                                               const words_view &words) const {
        const double share = sums.count == want_.count ? share_ : 1 / double(sums.count);
        const double infinity = std::numeric_limits<double>::infinity();
        const double about_mean = all_squares - sums.distances * (sums.distances * share);
        const bool is_none = sums.count == 1 || about_mean < 0; // one may be too far from the pivot to be squared
        const double squares = is_none ? 0 : all_squares < infinity ? about_mean : all_squares;
        words[0] = sums.count;
        words[1] = sums.sum;
        words[6] = sums.mean;
        const auto mean = bits_as<double>(sums.mean); // less itself: NaN of an infinity
        words[7] = bits_as<uint64_t>(squares * share + (mean - mean));
    }

    const tiled_index &tidx_;
    const packed &source_;
    const exact_request &want_;
    const operators &with_;
    tile_static<double> pivot_cells_;
    tile_static<value> cells_;
    const word_view &tile_status_words_;
    unsigned before_, ignores_nan_;
    uint64_t first_;
    double share_;
    uint64_t *carry_words_;
    Element sampled_{};
    // Squares: of the groups before, of the last one by two sums, and if those are not its own, its own.
    double pivot_ = 0, squares_ = 0, group_[2] = {0, 0}, apart_ = 0;
    bool is_apart_ = false;
    place_finder<Element> low_, high_; // if it is not IsLong; else:
    extremes_watch<Element> watch_;
    bool asks_again_ = false;
    value total_ = identity();
};

} // namespace wf
#endif
