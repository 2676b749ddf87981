#include "import.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace wavefold::python {

TypeName type_named(const std::string &name) {
    if (name == "bool")
        return {WF_U8, true};
    for (int type = 0; type < WF_TYPE_COUNT; type++)
        if (name == wf_type_name(static_cast<wf_type>(type)))
            return {static_cast<wf_type>(type), false};
    throw nb::type_error(("unknown type '" + name + "'").c_str());
}

TypeOfFormat type_of_format(const char *format, size_t bytes) {
    const TypeOfFormat none = {{WF_U8, false}, false};
    if (format == nullptr) // bytes
        return {{WF_U8, false}, true};
    if (*format == '@' || *format == '=' || *format == '<' || *format == '|') // Linux on x86-64 and arm64 is '<'
        format++;
    if (*format == '\0' || format[1] != '\0')
        return none;
    const auto integer = [bytes](bool is_signed) -> TypeOfFormat {
        switch (bytes) {
        case 1:
            return {{is_signed ? WF_I8 : WF_U8, false}, true};
        case 2:
            return {{is_signed ? WF_I16 : WF_U16, false}, true};
        case 4:
            return {{is_signed ? WF_I32 : WF_U32, false}, true};
        default:
            return {{is_signed ? WF_I64 : WF_U64, false}, bytes == 8};
        }
    };
    switch (*format) {
    case '?':
        return {{WF_U8, true}, true};
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
        return integer(true);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
        return integer(false);
    case 'e':
        return {{WF_F16, false}, true};
    case 'f':
        return {{WF_F32, false}, true};
    case 'd':
        return {{WF_F64, false}, true};
    default:
        return none;
    }
}

bool find_type(dlpack::DataType of, TypeName &found) {
    if (of.lanes != 1)
        return false;
    for (int i = 0; i < WF_TYPE_COUNT; i++) {
        const auto candidate = static_cast<wf_type>(i);
        const char *const name = wf_type_name(candidate);
        const uint8_t code = candidate == WF_BF16 ? dlpack::bfloat
                             : *name == 'f'       ? dlpack::floating
                             : *name == 'i'       ? dlpack::signed_integer
                                                  : dlpack::unsigned_integer;
        if (of.code == code && of.bits == 8 * wf_type_size(candidate)) {
            found = {candidate, false};
            return true;
        }
    }
    found = {WF_U8, true};
    return of.code == dlpack::boolean && of.bits == 8;
}

bool find_device(dlpack::Device of, Device &found) {
    switch (of.type) {
    case dlpack::cpu:
    case dlpack::cuda_host:
    case dlpack::rocm_host:
        found = {};
        return true;
    case dlpack::cuda:
    case dlpack::cuda_managed:
        found = {Backend::nvidia, of.ordinal};
        return true;
    case dlpack::rocm:
        found = {Backend::amd, of.ordinal};
        return true;
    default:
        return false;
    }
}

namespace {

/* Releases with the GIL, from whichever thread drops the last reference; not after the interpreter's end. */
template <class Held, void (*release)(Held *)>
std::shared_ptr<const void> held(Held *what) {
    return std::shared_ptr<const void>(what, [](Held *dropped) {
        if (!nb::is_alive())
            return;
        nb::gil_scoped_acquire locked;
        release(dropped);
    });
}

void drop_buffer(Py_buffer *view) {
    PyBuffer_Release(view);
    delete view;
}

void drop_object(PyObject *object) {
    Py_DECREF(object);
}

/* Strides in elements. Throws if they are no multiples of an element. */
void put_strides(Array &array, const Py_ssize_t *bytes, size_t dimensions) {
    const auto element = static_cast<Py_ssize_t>(array.element_bytes());
    for (size_t d = 0; d < dimensions; d++) {
        if (bytes[d] % element != 0 && array.shape[d] > 1)
            throw nb::buffer_error("strides that are no multiples of an element: copy the array");
        array.strides.push_back(bytes[d] / element);
    }
}

void put_c_order(Array &array) {
    array.strides.assign(array.shape.size(), 1);
    for (size_t d = array.shape.size(); d-- > 1;)
        array.strides[d - 1] = array.strides[d] * array.shape[d];
}

Array from_buffer(nb::handle object) {
    auto *view = new Py_buffer;
    if (PyObject_GetBuffer(object.ptr(), view, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
        delete view;
        throw nb::python_error();
    }
    Array array;
    array.owner = held<Py_buffer, drop_buffer>(view);
    const TypeOfFormat type = type_of_format(view->format, static_cast<size_t>(view->itemsize));
    if (!type.found) {
        const std::string sentence = std::string("elements of format '") + view->format +
                                     "': wavefold takes bool, integers of 8 to 64 bits, float16, bfloat16, float32 and "
                                     "float64";
        throw nb::type_error(sentence.c_str());
    }
    array.data = static_cast<char *>(view->buf);
    array.type = type.type.type;
    array.is_bool = type.type.is_bool;
    array.is_writable = view->readonly == 0;
    array.shape.assign(view->shape, view->shape + view->ndim);
    if (view->strides != nullptr)
        put_strides(array, view->strides, static_cast<size_t>(view->ndim));
    else // of ctypes
        put_c_order(array);
    return array;
}

/* An address that the caller knows. Strides in bytes; none: C order. */
Array from_address(uintptr_t address, const std::string &type, std::vector<int64_t> shape,
                   std::vector<Py_ssize_t> strides, bool is_writable, int backend, int ordinal, nb::object owner) {
    Array array;
    const TypeName named = type_named(type);
    array.data = reinterpret_cast<char *>(address);
    array.type = named.type;
    array.is_bool = named.is_bool;
    array.is_writable = is_writable;
    array.device = {static_cast<Backend>(backend), ordinal};
    array.shape = std::move(shape);
    array.owner = held_object(owner);
    if (strides.size() == array.shape.size())
        put_strides(array, strides.data(), strides.size());
    else
        put_c_order(array);
    return array;
}

template <class Managed>
void drop_managed(Managed *managed) {
    if (managed->deleter != nullptr)
        managed->deleter(managed);
}

/* Takes what a capsule of __dlpack__ holds. */
Array from_dlpack(nb::handle capsule) {
    PyObject *const object = capsule.ptr();
    if (PyCapsule_IsValid(object, "dltensor_versioned")) {
        auto *managed = static_cast<dlpack::ManagedVersioned *>(PyCapsule_GetPointer(object, "dltensor_versioned"));
        if (managed->major != 1)
            throw nb::buffer_error("a DLPack capsule of a version other than 0 and 1");
        Array array = of_tensor(managed->tensor, (managed->flags & dlpack::read_only) == 0);
        PyCapsule_SetName(object, "used_dltensor_versioned");
        array.owner = held<dlpack::ManagedVersioned, drop_managed>(managed);
        return array;
    }
    if (!PyCapsule_IsValid(object, "dltensor"))
        throw nb::buffer_error("no DLPack capsule, or one that was used before");
    auto *managed = static_cast<dlpack::Managed *>(PyCapsule_GetPointer(object, "dltensor"));
    Array array = of_tensor(managed->tensor, true);
    PyCapsule_SetName(object, "used_dltensor");
    array.owner = held<dlpack::Managed, drop_managed>(managed);
    return array;
}

} // namespace

Array of_tensor(const dlpack::Tensor &tensor, bool is_writable) {
    Array array;
    TypeName type;
    if (!find_type(tensor.type, type))
        throw nb::type_error("elements of a type that wavefold does not have: it takes bool, integers of 8 to 64 bits, "
                             "float16, bfloat16, float32 and float64");
    if (!find_device(tensor.device, array.device))
        throw nb::buffer_error("an array on a device that wavefold does not have: it takes memory of the CPU, of CUDA "
                               "and of ROCm");
    array.data = static_cast<char *>(tensor.data) + tensor.byte_offset;
    array.type = type.type;
    array.is_bool = type.is_bool;
    array.is_writable = is_writable;
    array.shape.assign(tensor.shape, tensor.shape + tensor.dimensions);
    if (tensor.strides != nullptr)
        array.strides.assign(tensor.strides, tensor.strides + tensor.dimensions);
    else
        put_c_order(array);
    return array;
}

std::shared_ptr<const void> held_object(nb::handle object) {
    return held<PyObject, drop_object>(nb::borrow(object).release().ptr());
}

void define_import(nb::module_ &module) {
    module.def("from_buffer", &from_buffer, nb::arg("object").none());
    module.def("from_dlpack", &from_dlpack, nb::arg("capsule"));
    module.def("from_address", &from_address, nb::arg("address"), nb::arg("type"), nb::arg("shape"), nb::arg("strides"),
               nb::arg("is_writable"), nb::arg("backend"), nb::arg("ordinal"), nb::arg("owner"));
}

} // namespace wavefold::python
