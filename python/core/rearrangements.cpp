/* wf_scan_axes, sorts of rows, wf_top_k and wf_scatter_reduce on arrays. */
#include "calls.hpp"
#include "spec.hpp"
#include "wavefold_by_key.h"
#include "wavefold_scan.h"
#include "wavefold_sort.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

namespace wavefold::python {
namespace {

void *stream_of(uintptr_t stream) {
    return reinterpret_cast<void *>(stream);
}

/* out: of the array's shape, in C order, or the array itself. */
void scan(const Array &array, const std::string &op, const std::string &accumulator, uint32_t axis, bool as_elements,
          const Array &out, uintptr_t stream) {
    wf_scan_spec spec = {};
    spec.reduce = spec_of(array.type, op, accumulator, "fast");
    spec.as_elements = as_elements;
    wf_reduction_info info;
    require(wf_scan_get_info(&spec, &info));
    require_one_device(array, out);
    if (out.shape != array.shape || !out.is_writable || out.element_bytes() != info.result_bytes)
        throw nb::value_error("the result has another size");
    if (array.count() == 0)
        return;
    wf_axes axes = axes_of(array, UINT32_C(1) << axis);
    axes.has_result_strides = 1;
    for (size_t d = 0; d < out.strides.size(); d++)
        axes.result_strides[d] = out.strides[d];
    wf_context *const context = opened(array.device);
    run([&] { return wf_scan_axes_async(context, &spec, &axes, array.data, out.data, stream_of(stream)); });
}

size_t rows_of(const Array &array) {
    return array.shape.empty() || array.shape.back() == 0 ? 0 : array.count() / static_cast<size_t>(array.shape.back());
}

size_t length_of(const Array &array) {
    return static_cast<size_t>(array.shape.back());
}

void require_rows(const Array &array) {
    if (!array.is_contiguous() || array.shape.empty())
        throw nb::value_error("rows have gaps");
}

/* Sorts each row of an array in C order in place. */
void sort(const Array &keys, bool descending, uintptr_t stream) {
    require_rows(keys);
    wf_sort_spec spec = {};
    spec.type = keys.type;
    spec.descending = descending;
    wf_context *const context = opened(keys.device);
    run([&] {
        return wf_sort_rows_async(context, &spec, keys.data, nullptr, rows_of(keys), length_of(keys),
                                  stream_of(stream));
    });
}

/* Writes the positions of each row's keys in sorted order, as numbers of 8 bytes. */
void argsort(const Array &keys, const Array &positions, bool descending, uintptr_t stream) {
    require_rows(keys);
    require_rows(positions);
    require_one_device(keys, positions);
    if (positions.shape != keys.shape || positions.element_bytes() != sizeof(uint64_t))
        throw nb::value_error("the result has another size");
    wf_sort_spec spec = {};
    spec.type = keys.type;
    spec.descending = descending;
    spec.value_bytes = sizeof(uint64_t);
    wf_context *const context = opened(keys.device);
    run([&] {
        return wf_argsort_rows_async(context, &spec, keys.data, positions.data, rows_of(keys), length_of(keys),
                                     stream_of(stream));
    });
}

/* Writes the first k elements of each row in descending or ascending order, where k is the length of a row of values,
 * and their positions, as numbers of 8 bytes. */
void top_k(const Array &array, bool largest, const Array &values, const Array &positions, uintptr_t stream) {
    for (const Array *each : {&array, &values, &positions})
        require_rows(*each);
    require_one_device(array, values);
    require_one_device(array, positions);
    if (values.shape != positions.shape || values.type != array.type || positions.element_bytes() != sizeof(uint64_t) ||
        rows_of(values) != rows_of(array) * (values.shape.back() != 0))
        throw nb::value_error("the results have another size");
    wf_top_k_spec spec = {};
    spec.type = array.type;
    spec.smallest = !largest;
    spec.k = length_of(values);
    spec.position_bytes = sizeof(uint64_t);
    wf_context *const context = opened(array.device);
    run([&] {
        return wf_top_k_async(context, &spec, array.data, rows_of(array), length_of(array), values.data, positions.data,
                              stream_of(stream));
    });
}

/* out: a result for each bin. values: None counts the elements of each bin, as numbers of 8 bytes. */
void scatter(const Array &indices, const std::optional<Array> &values, const std::string &op,
             const std::string &accumulator, const std::string &accuracy, bool onto, bool checks, const Array &out,
             uintptr_t stream) {
    wf_scatter scatter = {};
    scatter.bins = out.count();
    scatter.index_type = indices.type;
    scatter.flags = (onto ? uint32_t{WF_SCATTER_ONTO} : 0) | (checks ? uint32_t{WF_CHECK_INDICES} : 0);
    wf_reduce_spec spec = {};
    require_one_device(indices, out);
    if (values.has_value()) {
        spec = spec_of(values->type, op, accumulator, accuracy);
        require_one_device(*values, out);
        if (values->count() != indices.count() || !values->is_contiguous())
            throw nb::value_error("values and indices differ in length, or have gaps");
    }
    if (!indices.is_contiguous() || !out.is_contiguous() || !out.is_writable)
        throw nb::value_error("arrays with gaps, or a result that is read-only");
    wf_context *const context = opened(out.device);
    run([&] {
        const wf_reduce_spec *const with = values.has_value() ? &spec : nullptr;
        const void *const source = values.has_value() ? values->data : nullptr;
        const size_t bytes = out.count() * out.element_bytes();
        if (out.device.is_host())
            return wf_scatter_reduce(context, with, &scatter, indices.data, source, indices.count(), out.data, bytes);
        return wf_scatter_reduce_async(context, with, &scatter, indices.data, source, indices.count(), out.data, bytes,
                                       stream_of(stream));
    });
}

} // namespace

void define_rearrangements(nb::module_ &module) {
    module.def("scan", &scan, nb::arg("array"), nb::arg("op"), nb::arg("accumulator"), nb::arg("axis"),
               nb::arg("as_elements"), nb::arg("out"), nb::arg("stream"));
    module.def("sort", &sort, nb::arg("keys"), nb::arg("descending"), nb::arg("stream"));
    module.def("argsort", &argsort, nb::arg("keys"), nb::arg("positions"), nb::arg("descending"), nb::arg("stream"));
    module.def("top_k", &top_k, nb::arg("array"), nb::arg("largest"), nb::arg("values"), nb::arg("positions"),
               nb::arg("stream"));
    module.def("scatter", &scatter, nb::arg("indices"), nb::arg("values").none(), nb::arg("op"), nb::arg("accumulator"),
               nb::arg("accuracy"), nb::arg("onto"), nb::arg("checks"), nb::arg("out"), nb::arg("stream"));
}

} // namespace wavefold::python
