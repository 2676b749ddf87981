// Launches by a pointer to the kernel, with the arguments by their addresses.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_KERNEL_CALLS_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_KERNEL_CALLS_HPP

#include "../launch.hpp"
#include "runtime_types.hpp"

#include <utility>

namespace wf::tried {

// Runs a kernel of known type, with the copies of the arguments.
using kernel_runner = void (*)(const void *kernel, const char *name, unsigned line, const launch_shape &shape,
                               void **arguments);
// A kernel that a program may launch by an address without its type.
bool register_kernel(const void *kernel, kernel_runner runner);
kernel_runner find_runner(const void *kernel);
cudaError_t refuse_untyped(const char *name);
cudaError_t launch_status();

template <class... Parameters, size_t... I>
WF_TRY_UNRECORDED void run_kernel(void (*kernel)(Parameters...), const char *name, unsigned line,
                                  const launch_shape &shape, void **arguments, std::index_sequence<I...>) {
    launch(
        name, line, shape, [kernel](const auto &...of) WF_TRY_UNRECORDED { kernel(of...); },
        *static_cast<std::remove_cv_t<Parameters> *>(arguments[I])...);
}

template <class... Parameters>
bool register_kernel(void (*kernel)(Parameters...)) {
    return register_kernel(reinterpret_cast<const void *>(kernel), [](const void *of, const char *name, unsigned line,
                                                                      const launch_shape &shape, void **arguments) {
        run_kernel(reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(of)), name, line, shape, arguments,
                   std::index_sequence_for<Parameters...>());
    });
}

template <class... Parameters>
cudaError_t launch_kernel(const char *name, unsigned line, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                          void **arguments, size_t tile_bytes = 0, cudaStream_t stream = nullptr) {
    run_kernel(kernel, name, line, launch_shape(grid, block, tile_bytes, stream), arguments,
               std::index_sequence_for<Parameters...>());
    return launch_status();
}
inline cudaError_t launch_kernel(const char *name, unsigned line, const void *kernel, dim3 grid, dim3 block,
                                 void **arguments, size_t tile_bytes = 0, cudaStream_t stream = nullptr) {
    const kernel_runner run = find_runner(kernel);
    if (run == nullptr)
        return refuse_untyped(name);
    run(kernel, name, line, launch_shape(grid, block, tile_bytes, stream), arguments);
    return launch_status();
}

} // namespace wf::tried

#define cudaLaunchKernel(kernel, ...) wf::tried::launch_kernel(#kernel, __LINE__, kernel, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(kernel, ...) wf::tried::launch_kernel(#kernel, __LINE__, kernel, __VA_ARGS__)

#endif
