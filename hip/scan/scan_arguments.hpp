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

// A lane's neighbours, from index `first` of the row on, as values; behind the end of the row the identity.
template <class Op>
__device__ __forceinline__ void load_values(const scan_arguments<Op> &given,
                                            const array_view<const typename Op::element> &source, const scan_row &row,
                                            uint64_t first, typename Op::value (&values)[scan_cut<Op>::pack]) {
    constexpr unsigned pack_size = scan_cut<Op>::pack;
    using elements = pack<typename Op::element, pack_size>;
    const bool is_whole = first < given.length && given.length - first >= pack_size;
    if (is_whole && given.stride == 1 && source.past(row.element + first, alignof(elements)) == 0) {
        const elements loaded = source.template load<pack_size>(row.element + first);
#pragma unroll
        for (unsigned k = 0; k < pack_size; k++)
            values[k] = given.op.load(loaded.element[k], first + k);
    } else {
#pragma unroll
        for (unsigned k = 0; k < pack_size; k++)
            values[k] = first + k < given.length
                            ? given.op.load(source[row.element + (first + k) * uint64_t(given.stride)], first + k)
                            : Op::identity();
    }
}

template <class Result, class Op, unsigned Size>
__device__ __forceinline__ void store_as(const scan_arguments<Op> &given, const scan_row &row, uint64_t first,
                                         const Result (&values)[Size]) {
    using results = pack<Result, Size>;
    const array_view<Result> view(static_cast<Result *>(given.results), given.result_count);
    const bool is_whole = first < given.length && given.length - first >= Size;
    if (is_whole && given.result_stride == 1 && view.past(row.result + first, alignof(results)) == 0) {
        results stored;
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

// Writes the results of a lane's neighbours: before, with what is in the pack so far.
template <class Op>
__device__ __forceinline__ void store_results(const scan_arguments<Op> &given, const scan_row &row, uint64_t first,
                                              const typename Op::value &before,
                                              const typename Op::value (&so_far)[scan_cut<Op>::pack]) {
    constexpr unsigned size = scan_cut<Op>::pack;
    typename Op::value values[size];
#pragma unroll
    for (unsigned k = 0; k < size; k++)
        values[k] = given.exclusive == 0
                        ? given.op(before, so_far[k])
                        : value_before(given.op, k == 0 ? before : given.op(before, so_far[k - 1]), first + k);
    if (std::is_same_v<typename Op::narrow, typename Op::wide> || given.narrow == 0) {
        typename Op::wide wide[size];
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            wide[k] = given.op.as_wide(values[k]);
        store_as(given, row, first, wide);
    } else {
        typename Op::narrow narrow[size];
#pragma unroll
        for (unsigned k = 0; k < size; k++)
            narrow[k] = given.op.as_narrow(values[k]);
        store_as(given, row, first, narrow);
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
