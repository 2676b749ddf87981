// Variables of the device: their addresses, and copies to and from them.
#include "../memory/host_access.hpp"
#include "../memory/host_findings.hpp"
#include "../memory/program_variables.hpp"
#include "copies.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

namespace wf::tried {

namespace {

// The variable at this address, or nullptr after a finding.
const device_array *variable_at(const char *call, const void *symbol, const void *returns_to) {
    register_variables();
    const device_array *const found = array_of(symbol);
    if (found != nullptr && found->holds(symbol) && found->kind == memory_kind::variable)
        return found;
    const std::string name = host_variable(symbol);
    report_of_host(std::string(call) + " takes a variable that is declared __device__ or __constant__" +
                       (name.empty() ? ", not a pointer or another expression: pass the variable itself"
                                     : ", and '" + name + "' is a variable of the host"),
                   returns_to);
    return nullptr;
}

} // namespace

cudaError_t copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    const void *const returns_to = __builtin_return_address(0);
    const device_array *const to = variable_at("cudaMemcpyToSymbol", symbol, returns_to);
    wait_for_kernels();
    return to == nullptr ? set_last_error(cudaErrorInvalidSymbol)
                         : run_copy({"cudaMemcpyToSymbol", to->data + to->offset(symbol) + offset, from, bytes, kind,
                                     returns_to});
}

cudaError_t copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    const void *const returns_to = __builtin_return_address(0);
    const device_array *const from = variable_at("cudaMemcpyFromSymbol", symbol, returns_to);
    wait_for_kernels();
    return from == nullptr ? set_last_error(cudaErrorInvalidSymbol)
                           : run_copy({"cudaMemcpyFromSymbol", to, from->data + from->offset(symbol) + offset, bytes,
                                       kind, returns_to});
}

cudaError_t symbol_address(void **to, const void *symbol) {
    const device_array *const found = variable_at("cudaGetSymbolAddress", symbol, __builtin_return_address(0));
    if (found == nullptr)
        return set_last_error(cudaErrorInvalidSymbol);
    *to = const_cast<void *>(symbol);
    return cudaSuccess;
}

cudaError_t symbol_size(size_t *bytes, const void *symbol) {
    const device_array *const found = variable_at("cudaGetSymbolSize", symbol, __builtin_return_address(0));
    if (found == nullptr)
        return set_last_error(cudaErrorInvalidSymbol);
    *bytes = found->bytes;
    return cudaSuccess;
}

} // namespace wf::tried
