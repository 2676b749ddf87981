// Reductions along axes on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_AXES_HPP
#define WAVEFOLD_HOST_NATIVE_AXES_HPP

#include "axes/request.h"
#include "reduce/thread_table.h"

namespace wf::host::native {

class pool;
struct kernels;

// As backend.h says of its reduce_axes.
void reduce_segments(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads);
void reduce_axes(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads);

} // namespace wf::host::native
#endif
