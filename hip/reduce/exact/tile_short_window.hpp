// add_short_by_window(): as add_short(), for f64: each thread's elements go to a window, as in a longer sum.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_SHORT_WINDOW_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_SHORT_WINDOW_HPP

#include "tile_memory.hpp"
#include "tile_short_sum.hpp"

namespace wf {

// The sum of a tile, with the window's base.
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

// mine: without terms. Each wave guesses the window itself, without a barrier. All loads are on their way before
// anything waits for one.
template <class Tile, class Policy, class Extra>
__device__ __forceinline__ short_outcome add_short_by_window(
    const tiled_index &tidx, const typename Policy::source &source, const group_view<typename Policy::element> &first,
    typename Policy::terms mine, const tile_static<exact_part> &cells, Extra &extra, void *result) {
    using packs = element_pack<typename Policy::element>[loads_in_flight];
    constexpr unsigned width = Policy::width;
    const typename Policy::window sample(tidx, source, true);
    const unsigned behind = loads_in_flight * tidx.tile_size;
    const bool has_second = Tile::groups > 1 && source.packs() + source.edges() > behind;
    packs second;
    if (has_second)
        load_some(source, tidx.local + behind, tidx.tile_size, second);
    const int base = sample.base(tidx);
    mine.put_window(base);
    extra.begin_in_wave();
    const auto add = [&](packs &group, unsigned p, unsigned step) {
        extra.template add_group<Policy::terms::passes_elements>(group, p, step);
        mine.take(group, extra, [](unsigned, const auto &) {});
        return mine.template add_taken<loads_in_flight>();
    };
    unsigned left = add(first.packs, first.p, first.step);
    if (has_second) // (One loop for both groups has fewer instructions to fetch, but took 6 to 11 % longer.)
        left |= add(second, tidx.local + behind, tidx.tile_size);
    mine.make_room();
    extra.end();
    exact_part part;
    split(mine.sum(), part.pieces);
    part.flags = left != 0 ? exact_spilled : 0u;
    part = tile_sum<width, Tile::template cells_of_lane<width>>(tidx, cells, part, extra, tidx.tile_size,
                                                                !Tile::is_cluster);
    if (Tile::is_cluster && wave_of<width>(tidx) != 0)
        return short_left;
    const short_window_sum sum = {joined(part.pieces), base};
    return finish_short<Tile>(extra, sum, part.flags == 0, result);
}

// The way that suits the element.
template <class Tile, class Policy, class Extra>
__device__ __forceinline__ short_outcome try_short(const tiled_index &tidx, const exact_arguments<Policy> &given,
                                                   const group_view<typename Policy::element> &first,
                                                   const tile_memory<Policy> &memory, Extra &extra, void *result) {
    using terms = typename Policy::terms;
    if constexpr (terms::takes_anywhere)
        return add_short<Tile, Policy>(tidx, given.source, first, kept_bits(given), extra, result);
    else
        return add_short_by_window<Tile, Policy>(tidx, given.source, first, terms(memory.columns, kept_bits(given)),
                                                 memory.parts, extra, result);
}

} // namespace wf
#endif
