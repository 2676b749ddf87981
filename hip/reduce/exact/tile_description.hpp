// tile_description: a tile's extremes and squares; and how tiles join theirs.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_DESCRIPTION_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_DESCRIPTION_HPP

#include "../../operators.hpp"
#include "../../wave.hpp"
#include "description_values.hpp"

namespace wf {

// Each job reduces, publishes and stores one of the values; if there are enough waves, each has a job of its own. The
// first wave has the squares, as it has the sum.
enum description_job : unsigned { squares_job, least_job, largest_job };

template <class Element, unsigned Width>
class tile_description {
    using values_of = description_values<Element>;
    using value = typename values_of::value;
    using operators = typename values_of::operators;

  public:
    // before: bytes of tile memory before the description's.
    __device__ __forceinline__ tile_description(const tiled_index &tidx, const operators &with, const word_view &words,
                                                unsigned before)
        : tidx_(tidx), with_(with), words_(words), cells_(tidx), first_cell_(values_of::first_cell(before)) {}

    value total = values_of::identity();

    // in_one_wave: the first wave has all jobs.
    __device__ __forceinline__ bool does(description_job job, bool in_one_wave) const {
        const unsigned waves = tidx_.tile_size / Width, by = job < waves && !in_one_wave ? unsigned(job) : 0u;
        return wave_of<Width>(tidx_) == by;
    }
    __device__ __forceinline__ void store() { cells_[first_cell_ + tidx_.local] = total; }
    // Behind a barrier; lane 0 of a job's wave has its result.
    __device__ __forceinline__ void reduce(unsigned threads, bool in_one_wave) {
        const unsigned count = threads < tidx_.tile_size ? threads : tidx_.tile_size;
        if (does(squares_job, in_one_wave))
            total.squares = reduce_cells(sum<double>(), count, [](const value &of) { return of.squares; });
        if (does(least_job, in_one_wave))
            total.least = reduce_cells(with_.low, count, [](const value &of) { return of.least; });
        if (does(largest_job, in_one_wave))
            total.largest = reduce_cells(with_.high, count, [](const value &of) { return of.largest; });
    }

    // Publishes the total, which then becomes the identity: all tiles' totals are joined with it.
    __device__ __forceinline__ void publish(bool in_one_wave) {
        if (lane_of<Width>(tidx_) == 0) {
            if (does(squares_job, in_one_wave))
                squares_of_tiles().publish(tidx_.tile, tile_status::aggregate, total.squares);
            if (does(least_job, in_one_wave))
                least_of_tiles().publish(tidx_.tile, tile_status::aggregate, total.least);
            if (does(largest_job, in_one_wave))
                largest_of_tiles().publish(tidx_.tile, tile_status::aggregate, total.largest);
        }
        total = values_of::identity();
    }
    __device__ __forceinline__ bool load(unsigned tile, value &of_tile) const {
        const bool has_squares = squares_of_tiles().load(tile, of_tile.squares) != tile_status::invalid,
                   has_least = least_of_tiles().load(tile, of_tile.least) != tile_status::invalid,
                   has_largest = largest_of_tiles().load(tile, of_tile.largest) != tile_status::invalid;
        return has_squares & has_least & has_largest;
    }
    __device__ __forceinline__ void join(const value &of_tile) {
        total = {total.squares + of_tile.squares, with_.low(total.least, of_tile.least),
                 with_.high(total.largest, of_tile.largest)};
    }
    __device__ __forceinline__ void clear(unsigned tile) const {
        squares_of_tiles().clear(tile);
        least_of_tiles().clear(tile);
        largest_of_tiles().clear(tile);
    }

  private:
    template <class Op, class Kind>
    __device__ __forceinline__ auto reduce_cells(const Op &op, unsigned count, const Kind &kind) const {
        const unsigned cell = first_cell_ + lane_of<Width>(tidx_);
        auto all = kind(cells_[cell]);
#pragma unroll 1
        for (unsigned other = Width; other < count; other += Width)
            all = op(all, kind(cells_[cell + other]));
        return wave_reduce<Width>(tidx_, all, op);
    }
    template <class T>
    using of_tiles = tile_status_array<T, Width, true>;
    using places_of_tiles = of_tiles<typename values_of::place::value>;
    __device__ __forceinline__ word_view words_of(unsigned before, unsigned words) const {
        return values_of::words_of(words_, tidx_.tiles, before, words);
    }
    __device__ __forceinline__ of_tiles<double> squares_of_tiles() const {
        return of_tiles<double>(words_of(values_of::sum_words, values_of::squares_words));
    }
    __device__ __forceinline__ places_of_tiles least_of_tiles() const {
        constexpr unsigned before = values_of::sum_words + values_of::squares_words;
        return places_of_tiles(words_of(before, values_of::place_words));
    }
    __device__ __forceinline__ places_of_tiles largest_of_tiles() const {
        constexpr unsigned before = values_of::sum_words + values_of::squares_words + values_of::place_words;
        return places_of_tiles(words_of(before, values_of::place_words));
    }

    const tiled_index &tidx_;
    const operators &with_;
    const word_view &words_;
    tile_static<value> cells_;
    unsigned first_cell_;
};

} // namespace wf
#endif
