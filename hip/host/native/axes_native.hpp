// The kernels of reductions along axes: which way the elements of a block are read.
#ifndef WAVEFOLD_HOST_NATIVE_AXES_NATIVE_HPP
#define WAVEFOLD_HOST_NATIVE_AXES_NATIVE_HPP

#include "axes_kernels.hpp"
#include "axes_operators.hpp"

#include <new>

namespace wf::host::native {
namespace {

// Whether the operator adds tiles (axes_tiles.hpp). A short one is filled up: it pays from these neighbours on.
template <class Op>
constexpr bool has_tiles = false;
template <class Element, wf_term Term>
constexpr bool has_tiles<axes_float_sum<Element, Term>> = axes_float_sum<Element, Term>::tile::exist;
template <class Element>
constexpr size_t least_neighbours = sizeof(Element) == 8 ? 32 : 16;

template <class Op>
struct along_axes {
    using element = typename Op::element;
    using block = typename Op::block;
    static_assert(sizeof(block) <= sizeof(axes_values), "the library makes room for it");

    // Visits the runs of the last reduced axis: visit(address, index of the first element).
    template <class Visit>
    static void each_run(const wf_axes_request &request, const axes_block &of, const char *first, const Visit &visit) {
        const wf_axis_list &reduced = request.reduced;
        if (reduced.length == 0)
            return visit(first, 0, 1, int64_t(0));
        const uint32_t last = reduced.length - 1;
        const int64_t step = reduced.axis[last].stride * int64_t(sizeof(element));
        if (last == 0)
            return visit(first + int64_t(of.part) * step, of.part, of.part_end - of.part, step);
        const uint64_t run = reduced.axis[last].count;
        uint64_t runs = of.part_end - of.part, index[WF_MOST_DIMENSIONS] = {};
        const char *at = first + int64_t(of.part) * reduced.axis[0].stride * int64_t(sizeof(element));
        uint64_t number = of.part;
        for (uint32_t d = 1; d < last; d++) {
            runs *= reduced.axis[d].count;
            number *= reduced.axis[d].count;
        }
        for (uint64_t i = 0; i < runs; i++) {
            visit(at, (number + i) * run, run, step);
            for (uint32_t d = last; d-- > 0;) {
                const int64_t far = reduced.axis[d].stride * int64_t(sizeof(element));
                at += far;
                if (d == 0 || ++index[d] < reduced.axis[d].count)
                    break;
                at -= far * int64_t(reduced.axis[d].count);
                index[d] = 0;
            }
        }
    }

    // The one loop that compilers turn into vectors: neighbouring elements go to neighbouring accumulators.
    static __attribute__((noinline)) void add_side_by_side(block *to, size_t count, const char *at, uint64_t index,
                                                           uint64_t step) {
        for (size_t c = 0; c < count; c++)
            to->add(c, at + c * sizeof(element), index + c * step);
    }

    // Columns: neighbouring results lie side by side; if they are apart, their elements are copied together.
    static void reduce_columns(const wf_axes_request &request, const axes_block &of, const char *first, int64_t apart,
                               block *to) {
        const bool is_contiguous = apart == int64_t(sizeof(element));
        each_run(request, of, first, [&](const char *at, uint64_t index, uint64_t count, int64_t step) {
            char together[axes_block::most * sizeof(element)];
            for (uint64_t i = 0; i < count; i++, at += step) {
                if constexpr (has_tiles<Op> && sizeof(element) < 8) {
                    constexpr size_t rows = Op::tile::rows_at_once;
                    if (is_contiguous && i % rows == 0 && count - i >= rows &&
                        to->add_columns(at, step, rows, of.count)) {
                        i += rows - 1;
                        at += (int64_t(rows) - 1) * step;
                        continue;
                    }
                }
                if (!is_contiguous)
                    for (size_t c = 0; c < of.count; c++)
                        __builtin_memcpy(together + c * sizeof(element), at + int64_t(c) * apart, sizeof(element));
                add_side_by_side(to, of.count, is_contiguous ? at : together, index + i, 0);
            }
        });
    }

    // A row in tiles; those that take another way are added side by side.
    static void add_neighbours(const wf_axes_request &request, size_t c, const char *at, uint64_t index, uint64_t count,
                               block *to) {
        for (size_t length; count > 0; count -= length, index += length, at += length * sizeof(element)) {
            length = count < block_step ? count : count < block_length ? count / block_step * block_step : block_length;
            if (!to->add_neighbours(c, at, length))
                add_row(request, c, at, index, length, sizeof(element), to);
        }
    }

    // Of a long row neighbours are added side by side.
    static void add_row(const wf_axes_request &request, size_t c, const char *at, uint64_t index, uint64_t count,
                        int64_t step, block *to) {
        uint64_t i = 0;
        if (!Op::is_ordered && step == int64_t(sizeof(element)) && count >= 2 * axes_block::most) {
            block side(request);
            for (size_t lane = 0; lane < axes_block::most; lane++)
                side.start(lane);
            for (; count - i >= axes_block::most; i += axes_block::most, at += sizeof(element) * axes_block::most)
                add_side_by_side(&side, axes_block::most, at, index + i, 1);
            for (size_t lane = 0; lane < axes_block::most; lane++)
                to->join(c, side, lane);
        }
        for (; i < count; i++, at += step)
            to->add(c, at, index + i);
    }

    // Rows: one result after the other.
    static void reduce_rows(const wf_axes_request &request, const axes_block &of, const char *first, int64_t apart,
                            block *to) {
        for (size_t c = 0; c < of.count; c++, first += apart)
            each_run(request, of, first, [&](const char *at, uint64_t index, uint64_t count, int64_t step) {
                if constexpr (has_tiles<Op>) {
                    if (step == int64_t(sizeof(element)) && count >= least_neighbours<element>)
                        return add_neighbours(request, c, at, index, count, to);
                }
                add_row(request, c, at, index, count, step, to);
            });
    }

    static const char *first_of(const wf_axes_request &request, const axes_block &of, int64_t *result) {
        const wf_axis_list &kept = request.kept;
        int64_t offset = 0, result_offset = 0; // of a result without elements there is no first one
        uint64_t outer = of.outer;
        if (kept.length != 0) {
            const wf_axis &last = kept.axis[kept.length - 1];
            offset = int64_t(of.first) * last.stride;
            result_offset = int64_t(of.first) * last.result_stride;
            for (uint32_t d = kept.length - 1; d-- > 0; outer /= kept.axis[d].count) {
                const auto index = int64_t(outer % kept.axis[d].count);
                offset += index * kept.axis[d].stride;
                result_offset += index * kept.axis[d].result_stride;
            }
        }
        *result = result_offset;
        const auto *const source = static_cast<const char *>(request.source);
        return request.length == 0 ? source : source + offset * int64_t(sizeof(element));
    }

    static int64_t apart_of(const wf_axes_request &request) {
        const wf_axis_list &kept = request.kept;
        return kept.length == 0 || request.length == 0 ? 0
                                                       : kept.axis[kept.length - 1].stride * int64_t(sizeof(element));
    }

    static void reduce(const wf_axes_request &request, const axes_block &of, axes_values *values) {
        auto *const to = new (static_cast<void *>(values->bytes)) block(request);
        for (size_t c = 0; c < of.count; c++)
            to->start(c);
        if (request.length == 0)
            return;
        int64_t unused;
        const char *const first = first_of(request, of, &unused);
        const int64_t apart = apart_of(request), distance = apart < 0 ? -apart : apart;
        const wf_axis_list &reduced = request.reduced;
        const int64_t step =
            reduced.length == 0 ? 0 : reduced.axis[reduced.length - 1].stride * int64_t(sizeof(element));
        if (of.count == 1 || distance > (step < 0 ? -step : step))
            reduce_rows(request, of, first, apart, to);
        else
            reduce_columns(request, of, first, apart, to);
    }

    static void finish(const wf_axes_request &request, const axes_block &of, axes_values *parts, size_t count) {
        auto *const all = reinterpret_cast<block *>(parts[0].bytes);
        for (size_t part = 1; part < count; part++)
            for (size_t c = 0; c < of.count; c++)
                all->join(c, *reinterpret_cast<const block *>(parts[part].bytes), c);
        int64_t result;
        const char *first = first_of(request, of, &result);
        const int64_t result_apart =
            request.kept.length == 0 ? 0 : request.kept.axis[request.kept.length - 1].result_stride;
        for (size_t c = 0; c < of.count; c++) {
            const int64_t at = result + int64_t(c) * result_apart;
            all->finish(request, c, axes_row(request, first + int64_t(c) * apart_of(request), sizeof(element)),
                        static_cast<char *>(request.result) + at * int64_t(request.result_bytes));
        }
    }
};

} // namespace
} // namespace wf::host::native
#endif
