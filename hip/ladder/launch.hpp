// Launches of the rungs' own kernels: every kernel of the ladder for every type and operator that it is built for. Each
// combination costs a compilation for each GPU architecture, so watch build time and module size.
#ifndef WAVEFOLD_LADDER_LAUNCH_HPP
#define WAVEFOLD_LADDER_LAUNCH_HPP

#include "ladder/add_prefixes.hip"
#include "ladder/kernel_map.h"
#include "ladder/request.h"
#include "reduce/launch.hpp" // which has last_block_ordered
#include "visit.hpp"

#include "progression/01_simple_1.hip"
#include "progression/02_simple_2.hip"
#include "progression/03_tiled_1.hip"
#include "progression/04_tiled_2.hip"
#include "progression/05_tiled_3.hip"
#include "progression/06_tiled_4.hip"
#include "progression/07_cascade.hip"
#include "progression/08_unrolled_wave.hip"
#include "progression/09_unrolled_full.hip"
#include "progression/10_cascade_unrolled.hip"
#include "progression/11_wave_two_pass.hip"
#include "progression/12_wave_atomic.hip"
#include "progression/13_block_atomic.hip"
#include "progression/14_wave_all_reduce.hip"
#include "progression/15_three_fields.hip"
#include "progression/16_single_block.hip"
#include "progression/17_multi_block.hip"
#include "progression/18_last_block.hip"
#include "progression/19_grid_stride_atomic.hip"
#include "progression/20_single_block_ordered.hip"
#include "progression/22_wave_tile.hip"
#include "progression/23_wave_tile_ordered.hip"
#include "progression/24_wave_tile_padded.hip"
#include "progression/25_wave_registers.hip"
#include "progression/26_block_by_waves.hip"
#include "progression/27_hillis_steele.hip"
#include "progression/28_blelloch.hip"
#include "progression/32_row_per_thread.hip"
#include "progression/33_row_per_wave.hip"
#include "progression/34_row_per_tile.hip"
#include "progression/35_columns.hip"
#include "progression/36_segments.hip"

#include <cstring>

namespace wf {

// One function per shape of kernel_map.h: unpacks the request into views and launches.
template <class T, auto Kernel, class Queue>
void launch_IN_PLACE(const wf_ladder_request &what, Queue queue) {
    const array_view<T> data(static_cast<T *>(what.data), what.data_count);
    const array_view<T> tail(static_cast<T *>(what.tail), 1);
    launch_on(queue, Kernel, what.head.tiles, what.head.tile_size, 0, data, tail, what.first, what.stride, what.window);
}

template <class T, auto Kernel, class Queue>
void launch_TILED(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.head.tiles, what.head.tile_size, what.head.tile_size * sizeof(T), source, result);
}

// Tile memory of kernels that fold by waves: a cell per thread, and half a wave more for those that pad.
template <class T>
size_t padded_tile_bytes(const wf_ladder_request &what) {
    return (what.head.tile_size + what.head.wave_width / 2) * sizeof(T);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_WAVES(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, what.head.wave_width == narrow_wave ? Narrow : Wide, what.head.tiles, what.head.tile_size,
              padded_tile_bytes<T>(what), source, result);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_TICKET(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> partials(static_cast<T *>(what.partials), what.head.tiles);
    const array_view<T> result(static_cast<T *>(what.result), 1);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    launch_on(queue, what.head.wave_width == narrow_wave ? Narrow : Wide, what.head.tiles, what.head.tile_size,
              padded_tile_bytes<T>(what), source, partials, result, ticket);
}

template <class T, auto Kernel, auto Cells, class Queue>
void launch_SCAN(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    const array_view<T> sums(static_cast<T *>(what.partials), what.head.tiles);
    launch_on(queue, Kernel, what.head.tiles, what.head.tile_size, Cells(what.span) * sizeof(T), source, result, sums,
              what.span, what.exclusive != 0);
}

template <class T, auto Kernel, class Queue>
void launch_PREFIXES(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> prefixes(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> data(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.head.tiles, what.head.tile_size, 0, prefixes, data, what.span);
}

template <class T, auto Kernel, class Queue>
void launch_ROWS(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.head.tiles, what.head.tile_size, 0, source, result, size_t(what.row_length));
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_ROW_WAVES(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, what.head.wave_width == narrow_wave ? Narrow : Wide, what.head.tiles, what.head.tile_size,
              padded_tile_bytes<T>(what), source, result, size_t(what.row_length));
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_COLUMNS(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, what.head.wave_width == narrow_wave ? Narrow : Wide, what.head.tiles, what.head.tile_size,
              padded_tile_bytes<T>(what), source, result, size_t(what.row_length), what.bands);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_SEGMENTS(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<const uint64_t> ends(static_cast<const uint64_t *>(what.ends), what.result_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    const array_view<T> carries(static_cast<T *>(what.partials), what.partial_count);
    launch_on(queue, what.head.wave_width == narrow_wave ? Narrow : Wide, what.head.tiles, what.head.tile_size,
              padded_tile_bytes<T>(what), source, ends, result, carries, size_t(what.first), what.span);
}

// A kernel with the tile size as a template parameter: one instance for each size from the wave's to the largest.
#define WF_UNROLLED(kernel)                                                                                            \
    template <class T, class Op, unsigned Width>                                                                       \
    auto kernel##_for(unsigned tile_size)->void (*)(array_view<const T>, array_view<T>) {                              \
        switch (tile_size) {                                                                                           \
        case 64:                                                                                                       \
            return kernel<T, Op, Width, 64>;                                                                           \
        case 128:                                                                                                      \
            return kernel<T, Op, Width, 128>;                                                                          \
        case 256:                                                                                                      \
            return kernel<T, Op, Width, 256>;                                                                          \
        case 512:                                                                                                      \
            return kernel<T, Op, Width, 512>;                                                                          \
        case 1024:                                                                                                     \
            return kernel<T, Op, Width, 1024>;                                                                         \
        }                                                                                                              \
        return kernel<T, Op, Width, Width>;                                                                            \
    }
WF_UNROLLED(unrolled_full)
WF_UNROLLED(cascade_unrolled)
#undef WF_UNROLLED

template <class T, auto ForNarrow, auto ForWide, class Queue>
void launch_UNROLLED(const wf_ladder_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, (what.head.wave_width == narrow_wave ? ForNarrow : ForWide)(what.head.tile_size), what.head.tiles,
              what.head.tile_size, padded_tile_bytes<T>(what), source, result);
}

template <class Queue>
using ladder_launcher = void (*)(const wf_ladder_request &, Queue);

// The launcher for a kernel; null if the kernel is not built for the group.
template <unsigned Group, class T, class Op, class Queue>
ladder_launcher<Queue> ladder_launcher_of(wf_ladder_kernel kernel) {
#define WF_LAUNCHER_IN_PLACE(function, loads) &launch_IN_PLACE<T, function<T, Op>, Queue>
#define WF_LAUNCHER_TILED(function, loads) &launch_TILED<T, function<T, Op>, Queue>
#define WF_LAUNCHER_WAVES(function, loads)                                                                             \
    &launch_WAVES<T, function<T, Op, narrow_wave, loads>, function<T, Op, wide_wave, loads>, Queue>
#define WF_LAUNCHER_TICKET(function, loads)                                                                            \
    &launch_TICKET<T, function<T, Op, narrow_wave, loads>, function<T, Op, wide_wave, loads>, Queue>
#define WF_LAUNCHER_SCAN(function, loads) &launch_SCAN<T, function<T, Op>, function##_cells<T>, Queue>
#define WF_LAUNCHER_PREFIXES(function, loads) &launch_PREFIXES<T, function<T, Op>, Queue>
#define WF_LAUNCHER_UNROLLED(function, loads)                                                                          \
    &launch_UNROLLED<T, function##_for<T, Op, narrow_wave>, function##_for<T, Op, wide_wave>, Queue>
#define WF_LAUNCHER_ROWS(function, loads) &launch_ROWS<T, function<T, Op>, Queue>
#define WF_LAUNCHER_BY_WAVES(shape, function)                                                                          \
    &launch_##shape<T, function<T, Op, narrow_wave>, function<T, Op, wide_wave>, Queue>
#define WF_LAUNCHER_ROW_WAVES(function, loads) WF_LAUNCHER_BY_WAVES(ROW_WAVES, function)
#define WF_LAUNCHER_COLUMNS(function, loads) WF_LAUNCHER_BY_WAVES(COLUMNS, function)
#define WF_LAUNCHER_SEGMENTS(function, loads) WF_LAUNCHER_BY_WAVES(SEGMENTS, function)
#define WF_LAUNCHER_NONE(function, loads) nullptr
#define WF_RETURN_LAUNCHER(name, shape, function, loads, folds)                                                        \
    case WF_KERNEL_##name:                                                                                             \
        if constexpr ((WF_FOLDS_##folds & Group) != 0)                                                                 \
            return WF_LAUNCHER_##shape(function, loads);                                                               \
        else                                                                                                           \
            return nullptr;
    switch (kernel) {
        WF_LADDER_KERNEL_MAP(WF_RETURN_LAUNCHER)
    case WF_KERNEL_COUNT:
        break;
    }
#undef WF_RETURN_LAUNCHER
#undef WF_LAUNCHER_NONE
#undef WF_LAUNCHER_SEGMENTS
#undef WF_LAUNCHER_COLUMNS
#undef WF_LAUNCHER_ROW_WAVES
#undef WF_LAUNCHER_BY_WAVES
#undef WF_LAUNCHER_ROWS
#undef WF_LAUNCHER_UNROLLED
#undef WF_LAUNCHER_PREFIXES
#undef WF_LAUNCHER_SCAN
#undef WF_LAUNCHER_TICKET
#undef WF_LAUNCHER_WAVES
#undef WF_LAUNCHER_TILED
#undef WF_LAUNCHER_IN_PLACE
    return nullptr; // no kernel
}

inline wf_ladder_kernel find_ladder_kernel(const char *name) {
    static const char *const names[] = {
#define WF_KERNEL_NAME(name, shape, function, loads, folds) #name,
        WF_LADDER_KERNEL_MAP(WF_KERNEL_NAME)
#undef WF_KERNEL_NAME
    };
    int kernel = 0;
    while (kernel < WF_KERNEL_COUNT && std::strcmp(names[kernel], name) != 0)
        kernel++;
    return static_cast<wf_ladder_kernel>(kernel);
}

template <class T, class Queue>
ladder_launcher<Queue> ladder_launcher_of_type(const wf_ladder_request &what) {
    const wf_ladder_kernel kernel = find_ladder_kernel(what.kernel);
    return visit_element_op<T, ladder_launcher<Queue>>(
        what.op, [&](auto element, auto combine) -> ladder_launcher<Queue> {
            using element_type = typename decltype(element)::type;
            constexpr unsigned group =
                std::is_same_v<element_type, T> ? WF_FOLDS_CORE : WF_FOLDS_ORDERED & ~WF_FOLDS_CORE;
            return ladder_launcher_of<group, element_type, typename decltype(combine)::type, Queue>(kernel);
        });
}

// Null for a kernel that is not there, or not built for the type and operator.
template <class Queue>
ladder_launcher<Queue> find_launcher(const wf_ladder_request &what) {
    return visit_type<ladder_launcher<Queue>>(what.type, [&](auto tag) -> ladder_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (is_core_type<type> && is_built_type<type>)
            return ladder_launcher_of_type<type, Queue>(what);
        else
            return nullptr;
    });
}

} // namespace wf
#endif
