/* Names of the helpers of NVIDIA's samples, for a user's file: checks of errors, and the choice of a device. */
#ifndef WAVEFOLD_HOST_TRY_HELPER_CUDA_H
#define WAVEFOLD_HOST_TRY_HELPER_CUDA_H

#include "helper_string.h"

#include <cstdio>
#include <cstdlib>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}

namespace wf::tried {
inline void exit_on_error(cudaError_t error, const char *what, const char *file, int line) {
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, what, cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}
} // namespace wf::tried

#define checkCudaErrors(call) wf::tried::exit_on_error((call), #call, __FILE__, __LINE__)
#define getLastCudaError(what) wf::tried::exit_on_error(cudaGetLastError(), what, __FILE__, __LINE__)
#define printLastCudaError(what)                                                                                       \
    (cudaPeekAtLastError() != cudaSuccess                                                                              \
         ? (void)std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaPeekAtLastError()))                     \
         : (void)0)

/* There is one device, number 0. */
inline int gpuDeviceInit(int) {
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
inline int findCudaDevice(int, const char **) {
    return 0;
}
inline int findIntegratedGPU() {
    return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
    int of_device[2] = {0, 0};
    cudaDeviceGetAttribute(&of_device[0], cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&of_device[1], cudaDevAttrComputeCapabilityMinor, 0);
    return of_device[0] > major || (of_device[0] == major && of_device[1] >= minor);
}
inline int _ConvertSMVer2Cores(int, int) {
    return 64;
}
inline const char *_ConvertSMVer2ArchName(int, int) {
    return "emulated";
}
inline int ftoi(float value) {
    return int(value >= 0 ? value + 0.5f : value - 0.5f);
}

#endif
