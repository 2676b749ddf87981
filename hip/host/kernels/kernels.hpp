// The kernels on the emulated machine. What launches each family of them is instantiated in a unit of its own beside
// this file, so that they are compiled side by side.
#ifndef WAVEFOLD_HOST_KERNELS_KERNELS_HPP
#define WAVEFOLD_HOST_KERNELS_KERNELS_HPP

#include "../emulator/machine.hpp"

#include "../../launchers.hpp"

namespace wf::host {
using launches = launcher<machine &>;
}

// The ladder's reductions and scans of one type; wf_reduce's of one element and its accumulators; sorts.
#define WF_LADDER_LAUNCHES(T) wf::host::launches wf::core_launcher<T, wf::host::machine &>(const wf_launch &)
#define WF_REDUCE_LAUNCHES(Element, Narrow, Wide)                                                                      \
    wf::host::launches wf::reduce_launcher<Element, Narrow, Wide, wf::host::machine &>(const wf_launch &)
#define WF_SORT_LAUNCHES wf::host::launches wf::find_sort_launcher<wf::host::machine &>(const wf_launch &)

extern template WF_LADDER_LAUNCHES(float);
extern template WF_LADDER_LAUNCHES(double);
extern template WF_LADDER_LAUNCHES(int32_t);
extern template WF_LADDER_LAUNCHES(int64_t);
extern template WF_REDUCE_LAUNCHES(float, float, double);
extern template WF_REDUCE_LAUNCHES(double, float, double);
extern template WF_REDUCE_LAUNCHES(wf::f16, float, double);
extern template WF_REDUCE_LAUNCHES(wf::bf16, float, double);
extern template WF_REDUCE_LAUNCHES(int8_t, int32_t, int64_t);
extern template WF_REDUCE_LAUNCHES(int16_t, int32_t, int64_t);
extern template WF_REDUCE_LAUNCHES(int32_t, int32_t, int64_t);
extern template WF_REDUCE_LAUNCHES(int64_t, int32_t, int64_t);
extern template WF_REDUCE_LAUNCHES(uint8_t, uint32_t, uint64_t);
extern template WF_REDUCE_LAUNCHES(uint16_t, uint32_t, uint64_t);
extern template WF_REDUCE_LAUNCHES(uint32_t, uint32_t, uint64_t);
extern template WF_REDUCE_LAUNCHES(uint64_t, uint32_t, uint64_t);
extern template WF_SORT_LAUNCHES;

#endif
