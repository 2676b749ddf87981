/* wf_reduce, wf_reduce_axes, wf_reduce_axes_with, wf_describe, wf_dot and wf_nrm2 on arrays. */
#include "calls.hpp"
#include "spec.hpp"
#include "wavefold_pairs.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

namespace wavefold::python {
namespace {

/* 16 for argmin and argmax, ... Throws NotImplementedError if there is no such reduction. */
wf_reduction_info info_of(const wf_reduce_spec &spec) {
    wf_reduction_info info;
    require(wf_reduction_get_info(&spec, &info));
    return info;
}

bool reduces_all(const Array &array, uint32_t reduced) {
    return array.is_contiguous() && reduced == (UINT32_C(1) << array.shape.size()) - 1;
}

size_t kept_count(const Array &array, uint32_t reduced) {
    size_t count = 1;
    for (size_t d = 0; d < array.shape.size(); d++)
        if ((reduced >> d & 1) == 0)
            count *= static_cast<size_t>(array.shape[d]);
    return count;
}

void *stream_of(uintptr_t stream) {
    return reinterpret_cast<void *>(stream);
}

/* Refuses a result of fewer bytes than the call writes: a mistake of a module, not of the caller's. */
void require_room(const Array &out, size_t bytes) {
    if (!out.is_writable || !out.is_contiguous() || out.count() * out.element_bytes() != bytes)
        throw nb::value_error("the result has another size");
}

wf_second second_of(const Array &array, const Array &second, bool is_mask) {
    if (second.shape != array.shape)
        throw nb::value_error("the second array has another shape");
    require_one_device(array, second);
    wf_second made = {};
    made.kind = is_mask ? WF_MASK : WF_WEIGHTS;
    made.has_strides = 1;
    made.data = second.data;
    for (size_t d = 0; d < second.strides.size(); d++)
        made.strides[d] = second.strides[d];
    return made;
}

/* out: an array in C order with the bytes of all results. second: None, a mask or weights. */
void reduce(const Array &array, const std::string &op, const std::string &accumulator, const std::string &accuracy,
            uint32_t reduced, const std::optional<Array> &second, bool is_mask, const Array &out, uintptr_t stream) {
    const wf_reduce_spec spec = spec_of(array.type, op, accumulator, accuracy);
    const size_t bytes = kept_count(array, reduced) * info_of(spec).result_bytes;
    require_one_device(array, out);
    require_room(out, bytes);
    wf_context *const context = opened(array.device);
    if (!second.has_value() && reduces_all(array, reduced)) {
        run([&] {
            return wf_reduce_async(context, &spec, array.data, array.count(), out.data, bytes, stream_of(stream));
        });
        return;
    }
    const wf_axes axes = axes_of(array, reduced);
    if (!second.has_value()) {
        run([&] {
            return wf_reduce_axes_async(context, &spec, &axes, array.data, out.data, bytes, stream_of(stream));
        });
        return;
    }
    const wf_second other = second_of(array, *second, is_mask);
    run([&] {
        return wf_reduce_axes_with_async(context, &spec, &axes, array.data, &other, out.data, bytes, stream_of(stream));
    });
}

nb::tuple result_info(const std::string &type, const std::string &op, const std::string &accumulator,
                      const std::string &accuracy) {
    Array of;
    for (int i = 0; i < WF_TYPE_COUNT; i++)
        if (type == wf_type_name(static_cast<wf_type>(i)))
            of.type = static_cast<wf_type>(i);
    const wf_reduction_info info = info_of(spec_of(of.type, op, accumulator, accuracy));
    return nb::make_tuple(wf_type_name(info.result_type), info.result_bytes, info.has_index != 0);
}

void describe(const Array &array, uint32_t reduced, const Array &out, uintptr_t stream) {
    wf_describe_spec spec = {};
    spec.type = array.type;
    const size_t bytes = kept_count(array, reduced) * sizeof(wf_description);
    require_one_device(array, out);
    require_room(out, bytes);
    wf_context *const context = opened(array.device);
    auto *results = reinterpret_cast<wf_description *>(out.data);
    if (reduces_all(array, reduced)) {
        run([&] { return wf_describe_async(context, &spec, array.data, array.count(), results, stream_of(stream)); });
        return;
    }
    const wf_axes axes = axes_of(array, reduced);
    run([&] { return wf_describe_axes_async(context, &spec, &axes, array.data, results, bytes, stream_of(stream)); });
}

void dot(const Array &x, const Array &y, const std::string &accumulator, const std::string &accuracy, const Array &out,
         uintptr_t stream) {
    const wf_reduce_spec spec = spec_of(x.type, "sum", accumulator, accuracy);
    const size_t bytes = info_of(spec).result_bytes;
    require_one_device(x, y);
    require_one_device(x, out);
    require_room(out, bytes);
    if (x.type != y.type || x.count() != y.count() || !x.is_contiguous() || !y.is_contiguous())
        throw nb::value_error("the arrays differ in type or length, or have gaps");
    wf_context *const context = opened(x.device);
    run([&] { return wf_dot_async(context, &spec, x.data, y.data, x.count(), out.data, bytes, stream_of(stream)); });
}

void norm(const Array &x, const Array &out, uintptr_t stream) {
    const size_t bytes = x.element_bytes();
    require_one_device(x, out);
    require_room(out, bytes);
    if (!x.is_contiguous())
        throw nb::value_error("the array has gaps");
    wf_context *const context = opened(x.device);
    run([&] { return wf_nrm2_async(context, x.type, x.data, x.count(), out.data, bytes, stream_of(stream)); });
}

} // namespace

void define_reductions(nb::module_ &module) {
    module.def("reduce", &reduce, nb::arg("array"), nb::arg("op"), nb::arg("accumulator"), nb::arg("accuracy"),
               nb::arg("reduced"), nb::arg("second").none(), nb::arg("is_mask"), nb::arg("out"), nb::arg("stream"));
    module.def("result_info", &result_info, nb::arg("type"), nb::arg("op"), nb::arg("accumulator"),
               nb::arg("accuracy"));
    module.def("describe", &describe, nb::arg("array"), nb::arg("reduced"), nb::arg("out"), nb::arg("stream"));
    module.def("dot", &dot, nb::arg("x"), nb::arg("y"), nb::arg("accumulator"), nb::arg("accuracy"), nb::arg("out"),
               nb::arg("stream"));
    module.def("norm", &norm, nb::arg("x"), nb::arg("out"), nb::arg("stream"));
}

} // namespace wavefold::python
