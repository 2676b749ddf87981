/* An array of any library, as the C API takes it: an address, a type, a shape, strides in elements, a device. */
#ifndef WAVEFOLD_PYTHON_ARRAY_HPP
#define WAVEFOLD_PYTHON_ARRAY_HPP

#include "contexts.hpp"
#include "wavefold_axes.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wavefold::python {

namespace nb = nanobind;

struct Array {
    char *data = nullptr;
    wf_type type = WF_F32;
    bool is_bool = false; // elements are bytes of 0 or 1, and type is WF_U8
    bool is_writable = false;
    Device device;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;      // in elements
    std::shared_ptr<const void> owner; // what keeps the memory alive

    size_t element_bytes() const { return wf_type_size(type); }
    size_t count() const;
    bool is_contiguous() const;
};

/* The wf_axes of an array's shape, of which the dimensions in `reduced` are reduced. At most WF_MOST_DIMENSIONS. */
wf_axes axes_of(const Array &array, uint32_t reduced);

void define_arrays(nb::module_ &module);

} // namespace wavefold::python

#endif
