// The kernels on the emulated machine. What launches each family of them is instantiated in a unit of its own beside
// this file, so that they are compiled side by side.
#ifndef WAVEFOLD_HOST_KERNELS_KERNELS_HPP
#define WAVEFOLD_HOST_KERNELS_KERNELS_HPP

#include "../emulator/machine.hpp"

#include "../../launch.hpp"

namespace wf::host {
using kernel_queue = machine &;
}

// The ladder's reductions and scans of one type; wf_scan's; wf_reduce's of one element; networks and radix sorts of
// keys of one word.
#define WF_LADDER_LAUNCHES(T)                                                                                          \
    wf::ladder_launcher<wf::host::kernel_queue> wf::ladder_launcher_of_type<T, wf::host::kernel_queue>(                \
        const wf_ladder_request &)
#define WF_LOOK_BACK_LAUNCHES(T)                                                                                       \
    wf::look_back_launcher<wf::host::kernel_queue> wf::look_back_launcher_of<T, wf::host::kernel_queue>(wf_op)
#define WF_SCAN_LAUNCHES                                                                                               \
    wf::scan_launcher<wf::host::kernel_queue> wf::scan_launcher_of<wf::host::kernel_queue>(const wf_scan_request &)
#define WF_REDUCE_LAUNCHES(Element)                                                                                    \
    wf::reduce_launcher<wf::host::kernel_queue> wf::reduce_launcher_of<Element, wf::host::kernel_queue>(               \
        const wf_reduce_request &)
#define WF_AXES_LAUNCHES_OF_BITS(Bits)                                                                                 \
    wf::axes_launcher<wf::host::kernel_queue> wf::axes_launcher_of_bits<Bits, wf::host::kernel_queue>(                 \
        const wf_axes_request &)
#define WF_AXES_LAUNCHES_OF_FLOATS(Element)                                                                            \
    wf::axes_launcher<wf::host::kernel_queue> wf::axes_launcher_of_floats<Element, wf::host::kernel_queue>(            \
        const wf_axes_request &)
#define WF_AXES_LAUNCHES_OF_PAIRS                                                                                      \
    wf::axes_launcher<wf::host::kernel_queue> wf::axes_launcher_of_pairs<wf::host::kernel_queue>(                      \
        const wf_axes_request &)
#define WF_SORT_LAUNCHES(Word)                                                                                         \
    wf::sort_launcher<wf::host::kernel_queue> wf::network_launcher_of<Word, wf::host::kernel_queue>(                   \
        const wf_sort_request &)
#define WF_RADIX_LAUNCHES(Word)                                                                                        \
    wf::sort_launcher<wf::host::kernel_queue> wf::radix_launcher_of<Word, wf::host::kernel_queue>(                     \
        const wf_sort_request &)

extern template WF_LADDER_LAUNCHES(float);
extern template WF_LADDER_LAUNCHES(double);
extern template WF_LADDER_LAUNCHES(int32_t);
extern template WF_LADDER_LAUNCHES(int64_t);
extern template WF_LOOK_BACK_LAUNCHES(float);
extern template WF_LOOK_BACK_LAUNCHES(double);
extern template WF_LOOK_BACK_LAUNCHES(int32_t);
extern template WF_LOOK_BACK_LAUNCHES(int64_t);
extern template WF_SCAN_LAUNCHES;
extern template WF_REDUCE_LAUNCHES(float);
extern template WF_REDUCE_LAUNCHES(double);
extern template WF_REDUCE_LAUNCHES(wf::f16);
extern template WF_REDUCE_LAUNCHES(wf::bf16);
extern template WF_REDUCE_LAUNCHES(int8_t);
extern template WF_REDUCE_LAUNCHES(int16_t);
extern template WF_REDUCE_LAUNCHES(int32_t);
extern template WF_REDUCE_LAUNCHES(int64_t);
extern template WF_REDUCE_LAUNCHES(uint8_t);
extern template WF_REDUCE_LAUNCHES(uint16_t);
extern template WF_REDUCE_LAUNCHES(uint32_t);
extern template WF_REDUCE_LAUNCHES(uint64_t);
extern template WF_AXES_LAUNCHES_OF_BITS(uint8_t);
extern template WF_AXES_LAUNCHES_OF_BITS(uint16_t);
extern template WF_AXES_LAUNCHES_OF_BITS(uint32_t);
extern template WF_AXES_LAUNCHES_OF_BITS(uint64_t);
extern template WF_AXES_LAUNCHES_OF_FLOATS(float);
extern template WF_AXES_LAUNCHES_OF_FLOATS(double);
extern template WF_AXES_LAUNCHES_OF_FLOATS(wf::f16);
extern template WF_AXES_LAUNCHES_OF_FLOATS(wf::bf16);
extern template WF_AXES_LAUNCHES_OF_PAIRS;
extern template WF_SORT_LAUNCHES(uint32_t);
extern template WF_SORT_LAUNCHES(uint64_t);
extern template WF_RADIX_LAUNCHES(uint8_t);
extern template WF_RADIX_LAUNCHES(uint16_t);
extern template WF_RADIX_LAUNCHES(uint32_t);
extern template WF_RADIX_LAUNCHES(uint64_t);

#endif
