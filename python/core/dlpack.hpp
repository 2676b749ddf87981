/* DLPack's structures (https://dmlc.github.io/dlpack): version 0, and version 1 with its flags. */
#ifndef WAVEFOLD_PYTHON_DLPACK_HPP
#define WAVEFOLD_PYTHON_DLPACK_HPP

#include <cstdint>

namespace wavefold::python::dlpack {

enum DeviceType : int32_t { cpu = 1, cuda = 2, cuda_host = 3, rocm = 10, rocm_host = 11, cuda_managed = 13 };
enum TypeCode : uint8_t { signed_integer = 0, unsigned_integer = 1, floating = 2, bfloat = 4, boolean = 6 };
enum Flags : uint64_t { read_only = 1 };

struct Device {
    int32_t type;
    int32_t ordinal;
};

struct DataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};

struct Tensor {
    void *data;
    Device device;
    int32_t dimensions;
    DataType type;
    int64_t *shape;
    int64_t *strides; // in elements; NULL: C order
    uint64_t byte_offset;
};

struct Managed {
    Tensor tensor;
    void *owner;
    void (*deleter)(Managed *);
};

struct ManagedVersioned {
    uint32_t major, minor;
    void *owner;
    void (*deleter)(ManagedVersioned *);
    uint64_t flags;
    Tensor tensor;
};

/* What a library's type of arrays has as __dlpack_c_exchange_api__, a capsule of this name (DLPack 1.3). */
struct ExchangeApi {
    struct Header {
        uint32_t major, minor;
        Header *older;
    } header;
    int (*allocate)(Tensor *prototype, ManagedVersioned **made, void *error,
                    void (*set_error)(void *error, const char *kind, const char *message));
    int (*managed_of_object)(void *object, ManagedVersioned **made);
    int (*object_of_managed)(ManagedVersioned *taken, void **object);
    int (*tensor_of_object)(void *object, Tensor *seen);
    int (*current_stream)(int32_t device_type, int32_t ordinal, void **stream);
};

} // namespace wavefold::python::dlpack

#endif
