// A copy between the host and the device, with its checks.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_COPIES_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_COPIES_HPP

#include "runtime_types.hpp"

namespace wf::tried {

struct transfer {
    const char *call; // its name, for findings
    void *to;
    const void *from;
    size_t bytes;
    cudaMemcpyKind kind;
    const void *returns_to;
};
// Copies, or reports a finding and returns an error.
cudaError_t run_copy(const transfer &copy);
// Whether that many bytes lie there, as far as is known of host memory; false after a finding. role: "source".
bool is_range(const char *call, const char *role, const void *address, size_t bytes, const void *returns_to);

} // namespace wf::tried
#endif
