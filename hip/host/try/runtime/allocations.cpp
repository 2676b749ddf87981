// Memory: allocation, release, and questions about pointers.
#include "../memory/host_access.hpp"
#include "../memory/host_findings.hpp"
#include "../source_lines.hpp"
#include "array_names.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <algorithm>

namespace wf::tried {

namespace {

memory_kind kind_by(allocator by) {
    return by == allocator::device    ? memory_kind::device
           : by == allocator::managed ? memory_kind::managed
                                      : memory_kind::pinned;
}

std::string mebibytes(size_t bytes) {
    return std::to_string((bytes + (size_t(1) << 20) - 1) >> 20) + " MiB";
}

cudaError_t allocate(array_name name, allocator by, void **to, size_t element, size_t bytes, const void *returns_to) {
    if (to == nullptr) {
        report_of_host("an allocation gets a null pointer as the place for its address: pass the variable's address",
                       returns_to);
        return set_last_error(cudaErrorInvalidValue);
    }
    *to = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    const std::string variable = name_of_argument(name.arguments);
    *to = allocate_array(variable.c_str(), bytes, kind_by(by), element, returns_to);
    if (*to != nullptr)
        return cudaSuccess;
    note_of_host("no memory for '" + variable + "': it takes " + mebibytes(bytes) + ", and " +
                     mebibytes(device_bytes() - device_bytes_in_use()) + " of the emulated device's " +
                     mebibytes(device_bytes()) + " are left: try a smaller size",
                 returns_to);
    return set_last_error(cudaErrorMemoryAllocation);
}

constexpr size_t pitch_bytes = 512;

// "cudaFree" may release memory of a kind; call: its name.
cudaError_t release(const char *call, void *data, bool is_of_host, const void *returns_to) {
    if (data == nullptr)
        return cudaSuccess;
    wait_for_kernels();
    const device_array *const found = array_of(data);
    if (found == nullptr || (!found->holds(data) && !found->is_released)) {
        report_of_host(std::string(call) + " gets memory of the host, which it has not allocated: use free() or delete",
                       returns_to);
        return set_last_error(cudaErrorInvalidValue);
    }
    const std::string name = "'" + found->name + "'";
    if (found->is_released) {
        const uint32_t line = line_before(found->released_at).line;
        report_of_host(std::string(call) + " frees " + name + " a second time" +
                           (line != 0 ? "; the first time is in line " + std::to_string(line) : ""),
                       returns_to);
        return set_last_error(cudaErrorInvalidValue);
    }
    if (found->data != data) {
        report_of_host(std::string(call) + " gets an address within " + name + ", not its beginning", returns_to);
        return set_last_error(cudaErrorInvalidValue);
    }
    const bool is_pinned = found->kind == memory_kind::pinned;
    if (is_pinned != is_of_host || !array_addresses.holds(data)) {
        report_of_host(std::string(call) + " gets " + name + ", which " +
                           (is_pinned ? "cudaMallocHost or cudaHostAlloc has allocated: use cudaFreeHost"
                                      : "cudaMalloc has allocated: use cudaFree"),
                       returns_to);
        return set_last_error(cudaErrorInvalidValue);
    }
    release_array(data, returns_to);
    return cudaSuccess;
}

} // namespace

cudaError_t allocate_named(array_name name, allocator by, void **to, size_t element, size_t bytes) {
    return allocate(name, by, to, element, bytes, __builtin_return_address(0));
}

cudaError_t allocate_pitched(array_name name, void **to, size_t element, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
    return allocate(name, allocator::device, to, element, *pitch * height, __builtin_return_address(0));
}

cudaError_t allocate_pitched(array_name name, cudaPitchedPtr *to, cudaExtent extent) {
    to->pitch = (extent.width + pitch_bytes - 1) / pitch_bytes * pitch_bytes;
    to->xsize = extent.width;
    to->ysize = extent.height;
    return allocate(name, allocator::device, &to->ptr, 1, to->pitch * extent.height * std::max(extent.depth, size_t(1)),
                    __builtin_return_address(0));
}

cudaError_t mapped_pointer(void **to, void *host) {
    const device_array *const found = array_of(host);
    if (found == nullptr || !found->holds(host) || found->kind != memory_kind::pinned)
        return set_last_error(cudaErrorInvalidValue);
    *to = host;
    return cudaSuccess;
}

} // namespace wf::tried

using namespace wf::tried;

cudaError_t cudaFree(void *data) {
    return release("cudaFree", data, false, __builtin_return_address(0));
}

cudaError_t cudaFreeAsync(void *data, cudaStream_t) {
    return release("cudaFreeAsync", data, false, __builtin_return_address(0));
}

cudaError_t cudaFreeHost(void *data) {
    return release("cudaFreeHost", data, true, __builtin_return_address(0));
}

cudaError_t cudaHostRegister(void *data, size_t bytes, unsigned) {
    if (data == nullptr || bytes == 0)
        return set_last_error(cudaErrorInvalidValue);
    return register_array("registered memory", data, bytes, memory_kind::pinned)
               ? cudaSuccess
               : set_last_error(cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void *data) {
    const device_array *const found = array_of(data);
    if (found == nullptr || found->data != data || array_addresses.holds(data) || !release_array(data))
        return set_last_error(cudaErrorHostMemoryNotRegistered);
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *) {
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    *free = device_bytes() - device_bytes_in_use();
    *total = device_bytes();
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address) {
    const device_array *const found = array_of(address);
    *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, const_cast<void *>(address)};
    if (found == nullptr || !found->holds(address) || found->is_released)
        return cudaSuccess;
    attributes->type = found->kind == memory_kind::managed  ? cudaMemoryTypeManaged
                       : found->kind == memory_kind::pinned ? cudaMemoryTypeHost
                                                            : cudaMemoryTypeDevice;
    attributes->devicePointer = const_cast<void *>(address);
    if (attributes->type == cudaMemoryTypeDevice)
        attributes->hostPointer = nullptr;
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) {
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) {
    return cudaSuccess;
}
