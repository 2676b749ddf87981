/* The part of XLA's foreign function interface that a handler needs: version 0 of its C API, whose structures only grow
 * at their ends (https://openxla.org/xla/custom_call). So the build needs neither JAX nor XLA. */
#ifndef WAVEFOLD_PYTHON_XLA_FFI_HPP
#define WAVEFOLD_PYTHON_XLA_FFI_HPP

#include <cstddef>
#include <cstdint>

namespace wavefold::python::xla {

enum : int { major_version = 0 };
enum ExtensionType : int32_t { metadata = 1 };
enum ErrorCode : int32_t { invalid_argument = 3, resource_exhausted = 8, unimplemented = 12, internal = 13 };
enum AttributeType : int32_t { scalar = 3, string = 4 };
enum Stage : int32_t { execute = 3 };
enum ElementType : int32_t { signed_64 = 5 };

struct Error;
struct Context;

struct Extension {
    size_t struct_size;
    int32_t type;
    Extension *next;
};

struct Version {
    size_t struct_size;
    Extension *extension;
    int32_t major, minor;
};

struct CreateError {
    size_t struct_size;
    Extension *extension;
    const char *message;
    int32_t code;
};

struct GetStream {
    size_t struct_size;
    Extension *extension;
    Context *context;
    void *stream; // the answer
};

struct GetOrdinal {
    size_t struct_size;
    Extension *extension;
    Context *context;
    int32_t ordinal; // the answer
};

struct Api {
    size_t struct_size;
    Extension *extension;
    Version version;
    const void *internal;
    Error *(*create_error)(CreateError *);
    void *unused[3];
    Error *(*get_stream)(GetStream *);
    void *also_unused[12];
    Error *(*get_ordinal)(GetOrdinal *); // since version 0.1
};

struct Buffer {
    size_t struct_size;
    Extension *extension;
    int32_t type;
    void *data;
    int64_t dimensions;
    int64_t *shape; // in C order, unless the caller names another layout
};

struct Buffers {
    size_t struct_size;
    Extension *extension;
    int64_t count;
    int32_t *types;
    Buffer **buffers;
};

struct Text {
    const char *begin;
    size_t length;
};

struct Scalar {
    int32_t type;
    void *value;
};

struct Attributes {
    size_t struct_size;
    Extension *extension;
    int64_t count;
    int32_t *types;
    Text **names;
    void **values;
};

struct CallFrame {
    size_t struct_size;
    Extension *extension;
    const Api *api;
    Context *context;
    int32_t stage;
    Buffers arguments, results;
    Attributes attributes;
};

struct Metadata {
    size_t struct_size;
    Version version;
    uint32_t traits;
};

struct MetadataExtension {
    Extension base;
    Metadata *metadata;
};

} // namespace wavefold::python::xla

#endif
