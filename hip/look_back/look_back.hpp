// Decoupled look-back: tiles of one launch publish their sums to each other, so that a scan needs no second launch.
// After Merrill and Garland (2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back").
//
// Forward progress. Tiles draw their numbers when they start, so the tiles before a tile have started too. Not all
// hardware promises that they go on. So a wave that has polled another tile in vain for a while folds that tile's
// elements itself, and goes on.
//
// In a scan in place, the other tile may replace these elements meanwhile. It publishes their fold first, with a fence
// between the two; the wave has a fence, too, between reading the elements and polling again. If the status is still
// invalid then, what the wave read had not been replaced.
#ifndef WAVEFOLD_LOOK_BACK_LOOK_BACK_HPP
#define WAVEFOLD_LOOK_BACK_LOOK_BACK_HPP

#include "../grid.hpp"
#include "../tile.hpp"
#include "../tile_status.hpp"
#include "../wave.hpp"

namespace wf {

// The fold of a wave's values, in lane order, in every lane.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_fold(const tiled_index &tidx, T value, const Op &fold) {
    T values[1] = {value};
    wave_scan<Width>(tidx, values, fold);
    return broadcast<Width>(values[0], Width - 1);
}

// The fold of elements first to first + count - 1, as far as they are in the array, by one wave, in order; every lane
// has the result. A rare thing: a lane folds a stretch of neighbours, slower than it could be, in few registers.
template <unsigned Width, class Op, class T>
__device__ __forceinline__ T wave_fold_elements(const tiled_index &tidx, const array_view<const T> &source,
                                                size_t first, unsigned count, const Op &fold) {
    const unsigned stretch = count / Width;
    T total = Op::identity();
    first += lane_of<Width>(tidx) * stretch;
#pragma unroll 1
    for (unsigned k = 0; k < stretch; k++)
        if (first + k < source.size())
            total = fold(total, read_replaceable(source, first + k));
    return wave_fold<Width>(tidx, total, fold);
}

// The fold of all tiles before this one, in every lane of the wave. The lanes poll a wave's width of tiles at once, the
// last lane the nearest; what lies before the first tile counts as a tile whose inclusive value is the identity.
// fold_tile folds another tile's elements, with the whole wave.
template <unsigned Width, class Op, class T, class FoldTile>
__device__ __forceinline__ T fold_tiles_before(const tiled_index &tidx, const tile_status_array<T, Width> &states,
                                               unsigned tile, unsigned polls, const Op &fold,
                                               const FoldTile &fold_tile) {
    const unsigned lane = lane_of<Width>(tidx);
    T before = Op::identity();
    for (unsigned end = tile;;) { // what tiles from end on fold to is in before
        T value = Op::identity();
        tile_status what = end + lane >= Width ? tile_status::invalid : tile_status::inclusive;
        uint64_t prefixes, missing;
        for (unsigned poll = 0;; poll++) {
            if (poll < polls && what == tile_status::invalid)
                what = states.load(end + lane - Width, value);
            prefixes = ballot<Width>(tidx, what == tile_status::inclusive);
            missing = ballot<Width>(tidx, what == tile_status::invalid);
            if (prefixes != 0) // nothing before the last prefix is needed
                missing = missing >> last_lane(prefixes) << last_lane(prefixes);
            if (missing == 0 || poll >= polls)
                break;
            let_others_run();
        }
        const unsigned first = missing != 0 ? last_lane(missing) + 1 : prefixes != 0 ? last_lane(prefixes) : 0;
        before = fold(wave_fold<Width>(tidx, lane < first ? Op::identity() : value, fold), before);
        if (missing == 0 && prefixes != 0)
            return before;
        end -= Width - first;

        if (missing != 0) {
            end--;
            value = fold_tile(end);
            device_fence();
            wave_barrier(); // the fences of the other lanes too
            what = states.load(end, value);
            before = fold(broadcast<Width>(value, 0), before);
            if (broadcast<Width>(what, 0) == tile_status::inclusive)
                return before;
        }
    }
}

} // namespace wf
#endif
