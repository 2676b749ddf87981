// Copies, and memory that is set. Each checks where its pointers lie, and how much is there.
#include "copies.hpp"
#include "../memory/host_access.hpp"
#include "../memory/host_findings.hpp"
#include "../modes/recognition.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wf::tried {

namespace {

enum class side { host, device, both };

side side_of(const void *address) {
    const device_array *const found = array_of(address);
    if (found == nullptr)
        return side::host;
    return found->kind == memory_kind::device ? side::device : side::both;
}

const char *name_of(cudaMemcpyKind kind) {
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                        "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
    return kind <= cudaMemcpyDefault ? names[kind] : "an invalid kind";
}

std::pair<side, side> sides_of(cudaMemcpyKind kind) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return {to_device ? side::device : side::host, from_device ? side::device : side::host};
}

bool is_against(side wanted, side found) {
    return found != side::both && found != wanted;
}

std::string describe(const char *role, const void *address) {
    const device_array *const found = array_of(address);
    const std::string where = side_of(address) == side::host ? "memory of the host" : "memory of the device";
    return std::string(role) + (found != nullptr ? " '" + found->name + "' is " : " is ") + where;
}

// Returns false after a finding.
bool has_right_kind(const transfer &copy) {
    if (copy.kind == cudaMemcpyDefault)
        return true;
    const side to = side_of(copy.to), from = side_of(copy.from);
    const auto [wanted_to, wanted_from] = sides_of(copy.kind);
    if (copy.kind < cudaMemcpyDefault && !is_against(wanted_to, to) && !is_against(wanted_from, from))
        return true;
    const bool is_exchanged = wanted_to != wanted_from && !is_against(wanted_to, from) && !is_against(wanted_from, to);
    const cudaMemcpyKind right = to == side::device
                                     ? from == side::host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice
                                 : from == side::device ? cudaMemcpyDeviceToHost
                                                        : cudaMemcpyHostToHost;
    report_of_host(
        std::string(copy.call) + " has the kind " + name_of(copy.kind) + ", but " +
            (is_against(wanted_to, to) || copy.kind > cudaMemcpyDefault ? describe("its destination", copy.to)
                                                                        : describe("its source", copy.from)) +
            ": use " + name_of(right) + (is_exchanged ? ", or exchange the pointers: the destination comes first" : ""),
        copy.returns_to);
    return false;
}

} // namespace

bool is_range(const char *call, const char *role, const void *address, size_t bytes, const void *returns_to) {
    if (address == nullptr) {
        report_of_host(std::string(call) + ": its " + role + " is a null pointer", returns_to);
        return false;
    }
    const device_array *const found = array_of(address);
    if (found == nullptr)
        return true;
    if (found->is_released) {
        report_of_host(std::string(call) + ": its " + role + " '" + found->name + "' was freed" +
                           place_of_host(found->released_at),
                       returns_to);
        return false;
    }
    const ptrdiff_t first = found->offset(address);
    if (first >= 0 && size_t(first) <= found->bytes && bytes <= found->bytes - size_t(first))
        return true;
    report_of_host(std::string(call) + ": " + std::to_string(bytes) + " bytes " +
                       (first != 0 ? "from byte " + std::to_string(first) + " on " : "") + "are beyond its " + role +
                       " '" + found->name + "', which has " + std::to_string(found->bytes) + " bytes",
                   returns_to);
    return false;
}

namespace {

// A word that was not written is none in the copy, either.
void mark_copied(const void *to, const void *from, size_t bytes) {
    mark_written(to, bytes);
    device_array *const target = array_of(to), *const source = array_of(from);
    if (source != nullptr && !source->reads.empty())
        source->note_read(from, bytes);
    if (array_of(from) != nullptr && array_of(from)->written_end != 0) // a kernel's result
        target->written_end = std::max(target->written_end, size_t(target->offset(to)) + bytes);
    if (array_of(from) == nullptr || array_of(to) == nullptr || first_unwritten(from, bytes) == nullptr)
        return;
    constexpr size_t word = 4;
    for (size_t at = 0; at + word <= bytes; at += word)
        if (first_unwritten(static_cast<const char *>(from) + at, word) != nullptr)
            mark_unwritten(static_cast<const char *>(to) + at, word);
}

void note_unwritten(const transfer &copy) {
    const device_array *const from = array_of(copy.from);
    if (from == nullptr || array_of(copy.to) != nullptr)
        return;
    const void *const first = first_unwritten(copy.from, copy.bytes);
    if (first != nullptr)
        note_of_host("element " + std::to_string(from->offset(first) / ptrdiff_t(from->element)) + " of '" +
                         from->name + "' is copied to the host, but was never written",
                     copy.returns_to);
}

} // namespace

cudaError_t run_copy(const transfer &copy) {
    if (copy.bytes == 0)
        return cudaSuccess;
    if (!is_range(copy.call, "destination", copy.to, copy.bytes, copy.returns_to) ||
        !is_range(copy.call, "source", copy.from, copy.bytes, copy.returns_to))
        return set_last_error(cudaErrorInvalidValue);
    if (!has_right_kind(copy))
        return set_last_error(cudaErrorInvalidMemcpyDirection);
    note_unwritten(copy);
    if (array_of(copy.to) == nullptr)
        note_fetched(copy.from, copy.bytes);
    {
        const open_memory open_to(copy.to, copy.bytes), open_from(copy.from, copy.bytes);
        std::memmove(copy.to, copy.from, copy.bytes);
    }
    if (array_of(copy.to) != nullptr)
        mark_copied(copy.to, copy.from, copy.bytes);
    if (array_of(copy.from) == nullptr)
        note_filled(copy.to, copy.bytes);
    return cudaSuccess;
}

namespace {

cudaError_t copy_rows(transfer row, size_t to_pitch, size_t from_pitch, size_t height) {
    if (row.bytes > to_pitch || row.bytes > from_pitch) {
        report_of_host(std::string(row.call) + ": a row has " + std::to_string(row.bytes) +
                           " bytes, more than the pitch",
                       row.returns_to);
        return set_last_error(cudaErrorInvalidPitchValue);
    }
    for (size_t y = 0; y < height; y++) {
        const cudaError_t error = run_copy(row);
        if (error != cudaSuccess)
            return error;
        row.to = static_cast<char *>(row.to) + to_pitch;
        row.from = static_cast<const char *>(row.from) + from_pitch;
    }
    return cudaSuccess;
}

cudaError_t set_rows(const char *call, void *to, size_t pitch, int byte, size_t width, size_t height,
                     const void *returns_to) {
    for (size_t y = 0; y < height && width != 0; y++) {
        char *const row = static_cast<char *>(to) + y * pitch;
        if (!is_range(call, "destination", row, width, returns_to))
            return set_last_error(cudaErrorInvalidValue);
        if (side_of(row) == side::host) {
            report_of_host(std::string(call) + " sets memory of the device, but gets memory of the host: use memset()",
                           returns_to);
            return set_last_error(cudaErrorInvalidValue);
        }
        const open_memory open(row, width);
        std::memset(row, byte, width);
        mark_written(row, width);
    }
    const device_array *const array = array_of(to);
    if (byte == 1 && array != nullptr && array->element > 1)
        note_of_host(std::string(call) + " sets each byte of '" + array->name + "' to 1: an element becomes 0x" +
                         std::string("0101010101010101").substr(0, 2 * std::min(array->element, size_t(8))) + ", not 1",
                     returns_to);
    return cudaSuccess;
}

} // namespace

} // namespace wf::tried

using namespace wf::tried;

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    wait_for_kernels();
    return run_copy({"cudaMemcpy", to, from, bytes, kind, __builtin_return_address(0)});
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
    return run_copy({"cudaMemcpyAsync", to, from, bytes, kind, __builtin_return_address(0)});
}

cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
    return run_copy({"cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice, __builtin_return_address(0)});
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t) {
    return run_copy({"cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, __builtin_return_address(0)});
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    wait_for_kernels();
    return copy_rows({"cudaMemcpy2D", to, from, width, kind, __builtin_return_address(0)}, to_pitch, from_pitch,
                     height);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t) {
    return copy_rows({"cudaMemcpy2DAsync", to, from, width, kind, __builtin_return_address(0)}, to_pitch, from_pitch,
                     height);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy) {
    if (copy->srcArray != nullptr || copy->dstArray != nullptr)
        return set_last_error(cudaErrorNotSupported);
    const auto first = [](const cudaPitchedPtr &array, const cudaPos &at, size_t z) {
        return static_cast<char *>(array.ptr) + ((at.z + z) * array.ysize + at.y) * array.pitch + at.x;
    };
    for (size_t z = 0; z < copy->extent.depth; z++) {
        const transfer plane = {"cudaMemcpy3D",
                                first(copy->dstPtr, copy->dstPos, z),
                                first(copy->srcPtr, copy->srcPos, z),
                                copy->extent.width,
                                copy->kind,
                                __builtin_return_address(0)};
        const cudaError_t error = copy_rows(plane, copy->dstPtr.pitch, copy->srcPtr.pitch, copy->extent.height);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes) {
    return set_rows("cudaMemset", to, 0, byte, bytes, 1, __builtin_return_address(0));
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t) {
    return set_rows("cudaMemsetAsync", to, 0, byte, bytes, 1, __builtin_return_address(0));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height) {
    return set_rows("cudaMemset2D", to, pitch, byte, width, height, __builtin_return_address(0));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int byte, size_t width, size_t height, cudaStream_t) {
    return set_rows("cudaMemset2DAsync", to, pitch, byte, width, height, __builtin_return_address(0));
}
