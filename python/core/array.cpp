#include "array.hpp"

#include "import.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace wavefold::python {

size_t Array::count() const {
    size_t elements = 1;
    for (const int64_t length : shape)
        elements *= static_cast<size_t>(length);
    return elements;
}

bool Array::is_contiguous() const {
    if (count() == 0) // whatever its strides: CuPy's are not those of C order
        return true;
    int64_t expected = 1;
    for (size_t d = shape.size(); d-- > 0;) {
        if (shape[d] != 1 && strides[d] != expected)
            return false;
        expected *= shape[d];
    }
    return true;
}

wf_axes axes_of(const Array &array, uint32_t reduced) {
    if (array.shape.size() > WF_MOST_DIMENSIONS)
        throw nb::value_error("an array of more than 8 dimensions that do not merge: copy it");
    wf_axes axes = {};
    axes.dimensions = static_cast<uint32_t>(array.shape.size());
    axes.reduced = reduced;
    axes.has_strides = !array.is_contiguous();
    for (size_t d = 0; d < array.shape.size(); d++) {
        axes.counts[d] = static_cast<uint64_t>(array.shape[d]);
        axes.strides[d] = array.strides[d];
    }
    if (axes.dimensions == 0) { // a number: one element
        axes.dimensions = axes.counts[0] = 1;
        axes.strides[0] = 1;
    }
    return axes;
}

namespace {

/* The same memory with another shape: offset and strides in elements. */
Array with_shape(const Array &array, std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset) {
    Array seen = array;
    seen.data += offset * static_cast<int64_t>(array.element_bytes());
    seen.shape = std::move(shape);
    seen.strides = std::move(strides);
    return seen;
}

Array as_type(const Array &array, const std::string &name) {
    Array seen = array;
    const TypeName type = type_named(name);
    if (wf_type_size(type.type) != array.element_bytes())
        throw nb::value_error("elements of another size");
    seen.type = type.type;
    seen.is_bool = type.is_bool;
    return seen;
}

} // namespace

void define_arrays(nb::module_ &module) {
    nb::class_<Array>(module, "Array", "An array of any library: an address, a type, a shape, strides, a device.")
        .def_prop_ro("data", [](const Array &a) { return reinterpret_cast<uintptr_t>(a.data); })
        .def_prop_ro("type", [](const Array &a) { return a.is_bool ? "bool" : wf_type_name(a.type); })
        .def_prop_ro("shape", [](const Array &a) { return nb::tuple(nb::cast(a.shape)); })
        .def_prop_ro("strides", [](const Array &a) { return nb::tuple(nb::cast(a.strides)); })
        .def_prop_ro("is_writable", [](const Array &a) { return a.is_writable; })
        .def_prop_ro("is_contiguous", &Array::is_contiguous)
        .def_prop_ro("is_aligned",
                     [](const Array &a) { return reinterpret_cast<uintptr_t>(a.data) % a.element_bytes() == 0; })
        .def_prop_ro("backend", [](const Array &a) { return static_cast<int>(a.device.backend); })
        .def_prop_ro("ordinal", [](const Array &a) { return a.device.ordinal; })
        .def("with_shape", &with_shape, nb::arg("shape"), nb::arg("strides"), nb::arg("offset") = 0)
        .def("as_type", &as_type, nb::arg("type"));
    define_import(module);
}

} // namespace wavefold::python
