// Descriptions of rows on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_DESCRIBE_ROWS_HPP
#define WAVEFOLD_HOST_NATIVE_DESCRIBE_ROWS_HPP

#include "axes/request.h"
#include "reduce/thread_table.h"

namespace wf::host::native {

class pool;
struct kernels;

// As reduce_axes, for a request whose regime is WF_AXES_DESCRIBE_ROWS.
void describe_rows(const kernels &cpu, pool &helpers, const wf_axes_request &request, wf_thread_table threads);

} // namespace wf::host::native
#endif
