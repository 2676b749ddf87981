#include "last_error.hpp"

#include "../memory/host_findings.hpp"
#include "runtime_calls.hpp"

#include <string>
#include <utility>

namespace wf::tried {

namespace {
cudaError_t last = cudaSuccess;
}

cudaError_t set_last_error(cudaError_t error) {
    if (error != cudaSuccess)
        last = error;
    return error;
}

} // namespace wf::tried

cudaError_t cudaGetLastError() {
    return std::exchange(wf::tried::last, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    return wf::tried::last;
}

const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define WF_TRY_NAME(name, number, text)                                                                                \
    case cuda##name:                                                                                                   \
        return wf::tried::is_hip_program() ? "hip" #name : "cuda" #name;
        WF_TRY_ERRORS(WF_TRY_NAME)
#undef WF_TRY_NAME
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define WF_TRY_TEXT(name, number, text)                                                                                \
    case cuda##name:                                                                                                   \
        return text;
        WF_TRY_ERRORS(WF_TRY_TEXT)
#undef WF_TRY_TEXT
    }
    return "unrecognized error code";
}
