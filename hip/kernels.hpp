// Every kernel for every type and operator: the one place where kernels are instantiated.
//
// The table is made from WF_KERNEL_MAP (src/backend.h), WF_TYPE_MAP and WF_OP_MAP (include/wavefold.h). Its size is the
// product of the three; each entry costs a compilation for each GPU architecture, so watch build time and module size.
#ifndef WAVEFOLD_KERNELS_HPP
#define WAVEFOLD_KERNELS_HPP

#include "backend.h"

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
#include "progression/22_wave_tile.hip"
#include "progression/23_wave_tile_ordered.hip"
#include "progression/24_wave_tile_padded.hip"
#include "progression/25_wave_registers.hip"
#include "progression/26_block_by_waves.hip"

namespace wf {

// One function per shape of wf_launch: unpacks it into views and launches.
template <class T, auto Kernel, class Queue>
void launch_IN_PLACE(const wf_launch &what, Queue queue) {
    const array_view<T> data(static_cast<T *>(what.data), what.data_count);
    const array_view<T> tail(static_cast<T *>(what.tail), 1);
    launch_on(queue, Kernel, what.tiles, what.tile_size, 0, data, tail, what.first, what.stride, what.window);
}

template <class T, auto Kernel, class Queue>
void launch_TILED(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.tiles, what.tile_size, what.tile_size * sizeof(T), source, result);
}

// Tile memory of kernels that fold by waves: a cell per thread, and half a wave more for those that pad.
template <class T>
size_t padded_tile_bytes(const wf_launch &what) {
    return (what.tile_size + what.wave_width / 2) * sizeof(T);
}

template <class T, auto Kernel32, auto KernelWide, class Queue>
void launch_WAVES(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, what.wave_width == 32 ? Kernel32 : KernelWide, what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, result);
}

template <class T, auto Kernel32, auto KernelWide, class Queue>
void launch_TICKET(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> partials(static_cast<T *>(what.partials), what.tiles);
    const array_view<T> result(static_cast<T *>(what.result), 1);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    launch_on(queue, what.wave_width == 32 ? Kernel32 : KernelWide, what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, partials, result, ticket);
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
        default:                                                                                                       \
            return kernel<T, Op, Width, Width>;                                                                        \
        }                                                                                                              \
    }
WF_UNROLLED(unrolled_full)
WF_UNROLLED(cascade_unrolled)
#undef WF_UNROLLED

template <class T, auto For32, auto ForWide, class Queue>
void launch_UNROLLED(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, (what.wave_width == 32 ? For32 : ForWide)(what.tile_size), what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, result);
}

template <class Queue>
using launcher = void (*)(const wf_launch &, Queue);

// The launcher for one kernel, type and operator; null if the request is outside the table.
template <class Queue>
launcher<Queue> find_launcher(wf_kernel kernel, wf_type type, wf_op op) {
#define WF_ENTRY_IN_PLACE(function, loads, T, Op) &launch_IN_PLACE<T, function<T, Op>, Queue>
#define WF_ENTRY_TILED(function, loads, T, Op) &launch_TILED<T, function<T, Op>, Queue>
#define WF_ENTRY_WAVES(function, loads, T, Op)                                                                         \
    &launch_WAVES<T, function<T, Op, 32, loads>, function<T, Op, widest_wave, loads>, Queue>
#define WF_ENTRY_TICKET(function, loads, T, Op)                                                                        \
    &launch_TICKET<T, function<T, Op, 32, loads>, function<T, Op, widest_wave, loads>, Queue>
#define WF_ENTRY_UNROLLED(function, loads, T, Op)                                                                      \
    &launch_UNROLLED<T, function##_for<T, Op, 32>, function##_for<T, Op, widest_wave>, Queue>
#define WF_ENTRIES_TYPE(shape, function, loads, T)                                                                     \
    {                                                                                                                  \
        WF_ENTRY_##shape(function, loads, T, sum<T>), WF_ENTRY_##shape(function, loads, T, min<T>),                    \
            WF_ENTRY_##shape(function, loads, T, max<T>)                                                               \
    }
#define WF_ENTRIES_KERNEL(name, shape, function, loads)                                                                \
    {WF_ENTRIES_TYPE(shape, function, loads, float), WF_ENTRIES_TYPE(shape, function, loads, double),                  \
     WF_ENTRIES_TYPE(shape, function, loads, int32_t), WF_ENTRIES_TYPE(shape, function, loads, int64_t)},
    static const launcher<Queue> table[WF_KERNEL_COUNT][WF_TYPE_COUNT][WF_OP_COUNT] = {
        WF_KERNEL_MAP(WF_ENTRIES_KERNEL)};
#undef WF_ENTRIES_KERNEL
#undef WF_ENTRIES_TYPE
#undef WF_ENTRY_UNROLLED
#undef WF_ENTRY_TICKET
#undef WF_ENTRY_WAVES
#undef WF_ENTRY_TILED
#undef WF_ENTRY_IN_PLACE
    if (static_cast<unsigned>(kernel) >= WF_KERNEL_COUNT || static_cast<unsigned>(type) >= WF_TYPE_COUNT ||
        static_cast<unsigned>(op) >= WF_OP_COUNT)
        return nullptr;
    return table[kernel][type][op];
}

} // namespace wf
#endif
