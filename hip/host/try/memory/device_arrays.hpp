// Device memory of a user's program: any number of arrays, found by address. Each has room on both sides, so that an
// access beyond its end does no harm and is reported by the array's name.
//
// Memory of cudaMalloc lies in one region of addresses. The host may access it only while an open_memory exists;
// otherwise a host access stops the trial (host_access.hpp).
#ifndef WAVEFOLD_HOST_TRY_DEVICE_ARRAYS_HPP
#define WAVEFOLD_HOST_TRY_DEVICE_ARRAYS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wf::host {
class watched;
}

namespace wf::tried {

enum class memory_kind {
    device,   // cudaMalloc: the host must not access it
    managed,  // cudaMallocManaged, __managed__
    pinned,   // cudaMallocHost, cudaHostAlloc, cudaHostRegister: host memory that kernels may access
    variable, // __device__
    constant, // __constant__: kernels must not write it
};

struct device_array {
    std::string name; // "" if unknown
    unsigned char *data = nullptr;
    size_t bytes = 0;
    size_t element = 1; // bytes of one: of the pointer's type, or of the first access if that type is unknown
    memory_kind kind = memory_kind::device;
    bool is_input = false; // a kernel that writes it is reported
    bool is_released = false;
    const void *allocated_at = nullptr, *released_at = nullptr; // return addresses in the program (source_lines.hpp)
    size_t written_end = 0;                                     // after the last byte that a kernel wrote
    uint32_t read_in = 0, written_in = 0; // by kernels: the last epochs of launches (host_access.hpp)
    std::vector<bool> reads = {};         // which elements were read, if that is of use; else empty

    size_t count() const { return bytes / element; }
    bool holds(const void *address) const {
        const auto *const at = static_cast<const unsigned char *>(address);
        return data <= at && at < data + bytes;
    }
    void note_read(const void *from, size_t size) {
        for (size_t i = size_t(offset(from)) / element; i < reads.size() && i * element < size_t(offset(from)) + size;
             i++)
            reads[i] = true;
    }
    // In bytes from the first element.
    ptrdiff_t offset(const void *address) const { return static_cast<const unsigned char *>(address) - data; }
};

// The device whose shadow and counts the arrays use from now on. There must be no arrays of another one. Without a
// call, a device of its own is made on first use.
void use_device(host::watched &device);
host::watched &device_in_use();

// Aligned to 256 bytes, and unwritten; its bytes are 0xff, so that a float of it is NaN, and 0 if it is managed.
// nullptr if there is no memory.
void *allocate_array(const char *name, size_t bytes, memory_kind kind = memory_kind::device, size_t element = 1,
                     const void *allocated_at = nullptr);
// Returns false if no array begins there, or it was released before.
bool release_array(void *data, const void *released_at = nullptr);
// The array at this address or, beyond its ends, the nearest one with the address in its room; also a released one.
// nullptr: the address is of no array.
device_array *array_of(const void *address);
// All arrays that were not released, by address.
std::vector<const device_array *> live_arrays();

// Memory of the host, or of a variable, that kernels may access from now on. Returns false if an array begins there.
// release_array() ends it, and leaves the memory.
bool register_array(const char *name, void *data, size_t bytes, memory_kind kind, size_t element = 1);

// Marks bytes as written by the host, or as never written.
void mark_written(const void *address, size_t bytes);
void mark_unwritten(const void *address, size_t bytes);
// The first word of device memory there that was never written, or nullptr.
const void *first_unwritten(const void *address, size_t bytes);

// The addresses of arrays, except registered ones.
struct address_range {
    uintptr_t first = 0;
    size_t bytes = 0;
    bool holds(const void *address) const { return reinterpret_cast<uintptr_t>(address) - first < bytes; }
};
extern address_range array_addresses;
// Whether the address is among those that the host must not access.
bool is_device_memory(const void *address);

// Bytes of device memory: all, and those in use.
size_t device_bytes();
size_t device_bytes_in_use();
// Bytes of addresses that the regions occupy, for the limit of the process.
size_t reserved_bytes();

// While it exists, host code may access device memory: a launch, a copy, a check of a result. May be nested; inside one
// for all memory, one for a part does nothing.
class open_memory {
  public:
    open_memory();
    open_memory(const void *first, size_t bytes); // costs less where arrays are many
    ~open_memory();
    open_memory(const open_memory &) = delete;
    open_memory &operator=(const open_memory &) = delete;

  private:
    bool is_of_all_ = false;
    const void *part_ = nullptr;
    size_t bytes_ = 0; // of the part that it opened
};

} // namespace wf::tried
#endif
