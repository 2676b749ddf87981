// Reductions of two arrays along axes on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_PAIRS_HPP
#define WAVEFOLD_HOST_NATIVE_PAIRS_HPP

#include "axes/second_array.h"
#include "reduce/thread_table.h"

namespace wf::host::native {

class pool;
struct kernels;

// As reduce_axes, for a request whose second array is not null.
void reduce_pairs(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads);

// The one row of a request, by the calling thread, which is in a default_float_environment.
void reduce_pair_row(const kernels &cpu, const wf_axes_request &request);

} // namespace wf::host::native
#endif
