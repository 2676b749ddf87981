// Accesses of host code to memory of the device, and to managed memory that kernels access.
#ifndef WAVEFOLD_HOST_TRY_HOST_ACCESS_HPP
#define WAVEFOLD_HOST_TRY_HOST_ACCESS_HPP

#include "../../emulator/watch.hpp"
#include "device_arrays.hpp"

namespace wf::tried {

// The program's host code accesses memory, in a function that the compiler has instrumented, or by memset and memcpy.
// Stops the trial if that is memory of cudaMalloc. returns_to: behind the access; nullptr: the place was set by
// watch::stands().
void touch_by_host(host::watch::access what, const void *address, size_t bytes, const void *returns_to = nullptr);

// A kernel accesses an array.
void note_kernel_access(device_array &array, host::watch::access what);
// The host waits for all kernels. Until then it must not access managed memory that they access.
void wait_for_kernels();

} // namespace wf::tried
#endif
