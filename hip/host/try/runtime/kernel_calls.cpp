#include "kernel_calls.hpp"

#include "../memory/host_findings.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <string>
#include <unordered_map>

namespace wf::tried {

namespace {
std::unordered_map<const void *, kernel_runner> &runners() {
    static std::unordered_map<const void *, kernel_runner> &all = *new std::unordered_map<const void *, kernel_runner>;
    return all;
}
} // namespace

bool register_kernel(const void *kernel, kernel_runner runner) {
    return runners().emplace(kernel, runner).second;
}

kernel_runner find_runner(const void *kernel) {
    const auto found = runners().find(kernel);
    return found != runners().end() ? found->second : nullptr;
}

cudaError_t refuse_untyped(const char *name) {
    report_of_host(std::string("cudaLaunchKernel gets the kernel ") + name +
                       " without its type, so that its parameters are unknown: pass it without a cast to void *",
                   __builtin_return_address(0));
    return set_last_error(cudaErrorInvalidDeviceFunction);
}

cudaError_t launch_status() {
    return cudaPeekAtLastError();
}

} // namespace wf::tried
