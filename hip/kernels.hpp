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
    const array_view<T> partials(static_cast<T *>(what.result), what.tiles);
    launch_on(queue, Kernel, what.tiles, what.tile_size, what.tile_size * sizeof(T), source, partials);
}

template <class Queue>
using launcher = void (*)(const wf_launch &, Queue);

// The launcher for one kernel, type and operator; null if the request is outside the table.
template <class Queue>
launcher<Queue> find_launcher(wf_kernel kernel, wf_type type, wf_op op) {
#define WF_TABLE_OP(shape, kernel, T, op) &launch_##shape<T, kernel<T, op<T>>, Queue>
#define WF_TABLE_TYPE(shape, kernel, T)                                                                                \
    { WF_TABLE_OP(shape, kernel, T, sum), WF_TABLE_OP(shape, kernel, T, min), WF_TABLE_OP(shape, kernel, T, max) }
#define WF_TABLE_KERNEL(kernel, shape)                                                                                 \
    {WF_TABLE_TYPE(shape, kernel, float), WF_TABLE_TYPE(shape, kernel, double), WF_TABLE_TYPE(shape, kernel, int32_t), \
     WF_TABLE_TYPE(shape, kernel, int64_t)},
    static const launcher<Queue> table[WF_KERNEL_COUNT][WF_TYPE_COUNT][WF_OP_COUNT] = {WF_KERNEL_MAP(WF_TABLE_KERNEL)};
#undef WF_TABLE_KERNEL
#undef WF_TABLE_TYPE
#undef WF_TABLE_OP
    if (static_cast<unsigned>(kernel) >= WF_KERNEL_COUNT || static_cast<unsigned>(type) >= WF_TYPE_COUNT ||
        static_cast<unsigned>(op) >= WF_OP_COUNT)
        return nullptr;
    return table[kernel][type][op];
}

} // namespace wf
#endif
