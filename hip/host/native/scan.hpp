// Scans on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_SCAN_HPP
#define WAVEFOLD_HOST_NATIVE_SCAN_HPP

#include "reduce/thread_table.h"
#include "scan/request.h"

namespace wf::host::native {

class pool;

// As backend.h says of its scan.
void scan(pool &helpers, const wf_scan_request &request, wf_thread_table threads);

} // namespace wf::host::native
#endif
