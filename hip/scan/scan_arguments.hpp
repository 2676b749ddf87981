// What the kernels of scans are given: where rows, their elements and their results lie.
#ifndef WAVEFOLD_SCAN_SCAN_ARGUMENTS_HPP
#define WAVEFOLD_SCAN_SCAN_ARGUMENTS_HPP

#include "../atomic.hpp"
#include "../axes/axes_arguments.hpp"
#include "scan_flagged.hpp"

namespace wf {

template <class Op>
struct scan_arguments {
    Op op;
    scan_initial initial;
    uint32_t exclusive, narrow;
    uint64_t origin; // in source: the element at index 0 of every axis
    void *results;
    uint64_t result_origin, result_count; // in results: the one at index 0, and from the lowest to the highest
    int64_t stride, result_stride;        // along a row
    uint64_t rows, length;
    uint64_t first_tile;
    wf_axis_list kept;
};

// The tiles that share rows: how they know each other's numbers, and what they tell each other.
struct scan_tiles {
    uint64_t of_row, all; // tiles
    uint64_t sections;    // of a row
    uint32_t draws;       // their numbers
    ticket_view ticket;
    word_view words, status; // status: two halves
    uint64_t used;           // words of a half that the launch uses; 0: halves do not take turns
};

// Where a row begins.
struct scan_row {
    uint64_t element, result; // in source and in results

    template <class Op>
    __device__ __forceinline__ scan_row(const scan_arguments<Op> &given, uint64_t row)
        : element(given.origin), result(given.result_origin) {
        if (given.rows > 1) {
            const axis_place at = place_of(given.kept, row);
            element += uint64_t(at.element);
            result += uint64_t(at.result);
        }
    }
};

// Whether count elements from index `first` of a row on are in it, side by side, and the first one aligned for packs.
// place, stride: of the row in the view.
template <class T, class Op>
__device__ __forceinline__ bool are_whole_packs(const scan_arguments<Op> &given, const array_view<T> &view,
                                                uint64_t place, int64_t stride, uint64_t first, unsigned count) {
    return stride == 1 && first < given.length && given.length - first >= count &&
           view.past(place + first, alignof(pack<T, scan_cut<Op>::pack>)) == 0;
}

// A lane's neighbours, from index `first` of the row on, as values; behind the end of the row the identity. IsWhole:
// are_whole_packs() holds of them, which one test of a tile can tell for all.
template <bool IsWhole, class Op>
__device__ __forceinline__ void load_values(const scan_arguments<Op> &given,
                                            const array_view<const typename Op::element> &source, const scan_row &row,
                                            uint64_t first, typename Op::value (&values)[scan_cut<Op>::pack]) {
    constexpr unsigned size = scan_cut<Op>::pack;
    if constexpr (IsWhole) {
        const pack<typename Op::element, size> loaded = source.template load<size>(row.element + first);
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            values[k] = given.op.load(loaded.element[k], first + k);
    } else if (are_whole_packs(given, source, row.element, given.stride, first, size)) {
        load_values<true>(given, source, row, first, values);
    } else {
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            values[k] = first + k < given.length
                            ? given.op.load(source[row.element + (first + k) * uint64_t(given.stride)], first + k)
                            : Op::identity();
    }
}

template <class Op>
__device__ __forceinline__ bool has_wide_results(const scan_arguments<Op> &given) {
    return std::is_same_v<typename Op::narrow, typename Op::wide> || given.narrow == 0;
}

// are_whole_packs() of the results.
template <class Op>
__device__ __forceinline__ bool are_whole_results(const scan_arguments<Op> &given, const scan_row &row, uint64_t first,
                                                  unsigned count) {
    const array_view<typename Op::wide> wide(static_cast<typename Op::wide *>(given.results), given.result_count);
    const array_view<typename Op::narrow> narrow(static_cast<typename Op::narrow *>(given.results), given.result_count);
    return has_wide_results(given) ? are_whole_packs(given, wide, row.result, given.result_stride, first, count)
                                   : are_whole_packs(given, narrow, row.result, given.result_stride, first, count);
}

template <class Result, class Op, unsigned Size>
__device__ __forceinline__ void store_as(const scan_arguments<Op> &given, const scan_row &row, uint64_t first,
                                         bool is_whole, const Result (&values)[Size]) {
    const array_view<Result> view(static_cast<Result *>(given.results), given.result_count);
    if (is_whole) {
        pack<Result, Size> stored;
#pragma unroll
        for (unsigned k = 0; k < Size; k++)
            stored.element[k] = values[k];
        view.template store<Size>(row.result + first, stored);
    } else {
#pragma unroll
        for (unsigned k = 0; k < Size; k++)
            if (first + k < given.length)
                view[row.result + (first + k) * uint64_t(given.result_stride)] = values[k];
    }
}

// Writes the results of a lane's neighbours: before, with what is in the pack so far. is_whole: are_whole_results()
// holds of them; if not, it is tested.
template <class Op>
__device__ __forceinline__ void store_results(const scan_arguments<Op> &given, const scan_row &row, uint64_t first,
                                              bool is_whole, const typename Op::value &before,
                                              const typename Op::value (&so_far)[scan_cut<Op>::pack]) {
    constexpr unsigned size = scan_cut<Op>::pack;
    is_whole = is_whole || are_whole_results(given, row, first, size);
    typename Op::value values[size];
#pragma unroll
    for (unsigned k = 0; k < size; k++)
        values[k] = given.op(before, so_far[k]);
    if (given.exclusive != 0) {
#pragma unroll
        for (unsigned k = size - 1; k > 0; k--)
            values[k] = value_before(given.op, values[k - 1], first + k);
        values[0] = value_before(given.op, before, first);
    }
    if (has_wide_results(given)) {
        typename Op::wide wide[size];
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            wide[k] = given.op.as_wide(values[k]);
        store_as(given, row, first, is_whole, wide);
    } else {
        typename Op::narrow narrow[size];
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            narrow[k] = given.op.as_narrow(values[k]);
        store_as(given, row, first, is_whole, narrow);
    }
}

// Sklansky's tree: in each lane what the packs of its team so far come to. lanes: of a team, of which a wave has one or
// more.
template <unsigned Width, unsigned Count, class Op>
__device__ __forceinline__ void team_scan(const tiled_index &tidx, unsigned lanes, typename Op::value (&totals)[Count],
                                          const Op &op) {
    const unsigned lane = lane_of<Width>(tidx);
#pragma unroll
    for (unsigned reach = 1; reach < scan_lanes; reach *= 2)
        if (reach < lanes)
#pragma unroll
            for (unsigned r = 0; r < Count; r++) {
                const auto below = shuffle<Width>(totals[r], ((lane | reach) & ~(reach - 1)) - 1);
                if ((lane & reach) != 0)
                    totals[r] = op(below, totals[r]);
            }
}

} // namespace wf
#endif
