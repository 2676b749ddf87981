#include "fast_path.hpp"

#include "import.hpp"
#include "numpy_rules.hpp"
#include "spec.hpp"
#include "tensor_path.hpp"

#include <nanobind/stl/string.h>

#include <array>
#include <atomic>
#include <cstring>

namespace wavefold::python {
namespace {

enum { BYTES_WORTH_A_SWITCH = 1 << 15 }; // of the GIL: reducing fewer takes less than a microsecond

/* NumPy's types, once the program has imported NumPy: of arrays, and of numbers of each type and of bool. */
std::atomic<PyObject *> array_type; // set last: a thread that sees it sees the others
std::array<PyObject *, WF_TYPE_COUNT> number_types;
PyObject *bool_type;

void know_numpy(nb::handle of_arrays, const nb::dict &of_numbers) {
    for (const auto [name, type] : of_numbers) {
        const TypeName named = type_named(nb::cast<std::string>(name));
        PyObject *const known = nb::borrow(type).release().ptr();
        if (named.is_bool)
            bool_type = known;
        else
            number_types[named.type] = known;
    }
    array_type.store(nb::borrow(of_arrays).release().ptr(), std::memory_order_release);
}

/* A number of NumPy's from a Python number, whose reference is taken. */
nb::object number(PyObject *type, PyObject *value) {
    const nb::object given = nb::steal(value);
    PyObject *const arguments[] = {given.ptr()};
    return nb::steal(PyObject_Vectorcall(type, arguments, 1, nullptr));
}

template <class Number>
Number read(const void *bytes) {
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/* A Python number; None for types that Python lacks. */
nb::object plain_number(wf_type type, const void *bytes) {
    switch (type) {
    case WF_F32:
        return nb::steal(PyFloat_FromDouble(static_cast<double>(read<float>(bytes))));
    case WF_F64:
        return nb::steal(PyFloat_FromDouble(read<double>(bytes)));
    case WF_I8:
        return nb::steal(PyLong_FromLong(read<int8_t>(bytes)));
    case WF_I16:
        return nb::steal(PyLong_FromLong(read<int16_t>(bytes)));
    case WF_I32:
        return nb::steal(PyLong_FromLong(read<int32_t>(bytes)));
    case WF_I64:
        return nb::steal(PyLong_FromLongLong(read<int64_t>(bytes)));
    case WF_U8:
        return nb::steal(PyLong_FromLong(read<uint8_t>(bytes)));
    case WF_U16:
        return nb::steal(PyLong_FromLong(read<uint16_t>(bytes)));
    case WF_U32:
        return nb::steal(PyLong_FromUnsignedLong(read<uint32_t>(bytes)));
    case WF_U64:
        return nb::steal(PyLong_FromUnsignedLongLong(read<uint64_t>(bytes)));
    default:
        return nb::none();
    }
}

nb::object number_of(wf_type type, const void *bytes) {
    return number(number_types[type], plain_number(type, bytes).release().ptr());
}

struct Buffer {
    Py_buffer view;
    bool held = false;
    bool take(nb::handle object) {
        held = PyObject_GetBuffer(object.ptr(), &view, PyBUF_FORMAT | PyBUF_STRIDES) == 0;
        if (!held)
            PyErr_Clear(); // the general case reports it
        return held;
    }
    ~Buffer() {
        if (held)
            PyBuffer_Release(&view);
    }
};

/* The sum, mean, min or max of all elements of an array in C order, or None: take the general case. */
nb::object reduce_all(nb::handle object, int op_number) {
    const auto op = static_cast<wf_op>(op_number);
    if (reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) != array_type.load(std::memory_order_acquire))
        return reduce_tensor(object, op);
    Buffer buffer;
    if (!buffer.take(object))
        return nb::none();
    const Py_buffer &view = buffer.view;
    const TypeOfFormat found = type_of_format(view.format, static_cast<size_t>(view.itemsize));
    const wf_type type = found.type.type;
    if (!found.found || type == WF_F16 || (found.type.is_bool && op != WF_SUM) || view.len == 0 ||
        PyBuffer_IsContiguous(&view, 'C') == 0)
        return nb::none();
    const wf_reduce_spec spec = spec_by_numpy(type, op);
    wf_context *const context = opened({});
    const auto count = static_cast<size_t>(view.len / view.itemsize);
    char result[8];
    const wf_type result_type = result_by_numpy(found.type, op);
    const auto reduce = [&] { return wf_reduce(context, &spec, view.buf, count, result, wf_type_size(result_type)); };
    if (view.len < BYTES_WORTH_A_SWITCH)
        require(reduce());
    else
        run(reduce);
    return number_of(result_type, result);
}

/* The same as a Python number: of a tensor on a GPU the call waits. */
nb::object reduce_item(nb::handle object, int op_number) {
    char result[8];
    wf_type type;
    if (reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) != array_type)
        return reduce_tensor_here(object, static_cast<wf_op>(op_number), result, type) ? plain_number(type, result)
                                                                                       : nb::none();
    const nb::object found = reduce_all(object, op_number);
    return found.is_none() ? found : found.attr("item")();
}

} // namespace

void define_fast_path(nb::module_ &module) {
    module.def("know_numpy", &know_numpy, nb::arg("of_arrays"), nb::arg("of_numbers"));
    define_tensor_path(module);
    module.def("reduce_all", &reduce_all, nb::arg("object").none(), nb::arg("op"));
    module.def("reduce_item", &reduce_item, nb::arg("object").none(), nb::arg("op"));
    for (const wf_op op : {WF_SUM, WF_MEAN, WF_MIN, WF_MAX})
        module.attr(op == WF_SUM    ? "SUM"
                    : op == WF_MEAN ? "MEAN"
                    : op == WF_MIN  ? "MIN"
                                    : "MAX") = static_cast<int>(op);
}

} // namespace wavefold::python
