#include "sum_state.hpp"

#include "spec.hpp"
#include "wavefold_sum.h"

#include <nanobind/stl/string.h>

#include <cstring>

namespace wavefold::python {
namespace {

struct SumState {
    wf_sum_state state;
    SumState() { wf_sum_state_init(&state); }
};

void merge(SumState &into, const SumState &other) {
    wf_sum_state sum = into.state;
    require(wf_sum_state_merge(&sum, &other.state));
    require(wf_sum_state_normalise(&sum));
    into.state = sum;
}

/* Of an array in C order, by the blocking call: the state is host memory. Other threads may add to the state meanwhile:
 * each method holds the object's lock, which is the GIL where there is one, and run() lets go of both. */
void accumulate(SumState &into, const Array &array, const std::string &op) {
    const wf_reduce_spec spec = spec_of(array.type, op, "", "exact");
    if (!array.is_contiguous())
        throw nb::value_error("the array has gaps");
    wf_context *const context = opened(array.device);
    SumState part;
    run([&] { return wf_sum_state_accumulate(context, &spec, array.data, array.count(), &part.state); });
    merge(into, part);
}

nb::bytes bytes_of(const SumState &of) {
    unsigned char bytes[WF_SUM_STATE_BYTES];
    require(wf_sum_state_write(&of.state, bytes));
    return nb::bytes(bytes, sizeof bytes);
}

SumState from_bytes(const nb::bytes &bytes) {
    SumState made;
    if (bytes.size() != WF_SUM_STATE_BYTES)
        throw nb::value_error(
            ("a state has " + std::to_string(int(WF_SUM_STATE_BYTES)) + " bytes, not " + std::to_string(bytes.size()))
                .c_str());
    require(wf_sum_state_read(&made.state, static_cast<const unsigned char *>(bytes.data())));
    return made;
}

double rounded(const SumState &of, wf_op op) {
    double value;
    require(wf_sum_state_round(&of.state, op, WF_F64, &value, sizeof value));
    return value;
}

float rounded_f32(const SumState &of, wf_op op) {
    float value;
    require(wf_sum_state_round(&of.state, op, WF_F32, &value, sizeof value));
    return value;
}

} // namespace

void define_sum_state(nb::module_ &module) {
    nb::class_<SumState>(module, "SumState")
        .def(nb::init<>())
        .def("accumulate", &accumulate, nb::arg("array"), nb::arg("op"), nb::lock_self())
        .def("merge", &merge, nb::arg("other").lock(), nb::lock_self())
        .def("to_bytes", &bytes_of, nb::lock_self())
        .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
        .def(
            "sum_f64", [](const SumState &of) { return rounded(of, WF_SUM); }, nb::lock_self())
        .def(
            "sum_f32", [](const SumState &of) { return rounded_f32(of, WF_SUM); }, nb::lock_self())
        .def(
            "mean_f64", [](const SumState &of) { return rounded(of, WF_MEAN); }, nb::lock_self())
        .def(
            "mean_f32", [](const SumState &of) { return rounded_f32(of, WF_MEAN); }, nb::lock_self())
        .def_prop_ro(
            "count", [](const SumState &of) { return of.state.count; }, nb::lock_self());
}

} // namespace wavefold::python
