// The HIP runtime behind the module: found when a device is first asked for, for the module is linked with none.
//
// amd_runtime.cpp defines the functions of HIP that the module calls, each of which calls the runtime's, and those that
// clang's own host code calls to make kernels known. So one module serves the runtimes of ROCm 5, 6 and 7, whose
// libraries have a name for each.
//
// What the module uses is the same in all of them (compared: the headers of HIP 5.2 and 7.1), but for what is here:
// the values of hipMemoryType, of which is_device_memory() knows, hipStreamGetDevice, which came with ROCm 5.6, and how
// long the last error is kept.
#ifndef WAVEFOLD_AMD_AMD_RUNTIME_HPP
#define WAVEFOLD_AMD_AMD_RUNTIME_HPP

#include <hip/hip_runtime_api.h>

#include <cstddef>

namespace wf {
// Finds the runtime, and makes the kernels known to it. False if there is none that can be called without harm, and why
// has a sentence about it. To be called before any function of HIP: without a runtime they all fail.
// A process can have several copies of the library, and one module: the first call decides, and later ones answer as it
// did. What a runtime was told, and contexts that have memory of it, bind the module to that one.
bool prepare_runtime(char *why, size_t why_bytes);

// Which one it is, and where; "" if there is none, or none that may be called.
const char *describe_runtime();

// Whether an error that nobody fetched outlives later calls that succeed: since ROCm 7.
bool keeps_last_error();

// Whether this is memory of a device, which only that device reaches.
bool is_device_memory(const hipPointerAttribute_t &attributes);

// For the device that the thread's calls are for when one is made, they are again when it ends, where the runtime can
// tell which it is.
class kept_device {
  public:
    kept_device();
    ~kept_device();
    kept_device(const kept_device &) = delete;
    kept_device &operator=(const kept_device &) = delete;

  private:
    int before_;
    bool is_known_;
};

// Which device the stream is of. A runtime that cannot tell leaves *device alone.
hipError_t device_of_stream(hipStream_t stream, int *device);
} // namespace wf

#endif
