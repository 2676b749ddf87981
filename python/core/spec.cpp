#include "spec.hpp"

#include <string>

namespace wavefold::python {
namespace {

wf_accumulator accumulator_named(std::string_view name) {
    static const std::pair<const char *, wf_accumulator> named[] = {
        {"", WF_ACCUMULATE_DEFAULT}, {"i32", WF_ACCUMULATE_I32}, {"i64", WF_ACCUMULATE_I64}, {"u32", WF_ACCUMULATE_U32},
        {"u64", WF_ACCUMULATE_U64},  {"f32", WF_ACCUMULATE_F32}, {"f64", WF_ACCUMULATE_F64},
    };
    for (const auto &[candidate, accumulator] : named)
        if (name == candidate)
            return accumulator;
    throw nb::value_error(("no accumulator '" + std::string(name) + "'").c_str());
}

} // namespace

wf_reduce_spec spec_of(wf_type type, std::string_view op, std::string_view accumulator, std::string_view accuracy) {
    wf_reduce_spec spec = {};
    spec.type = type;
    spec.accumulator = accumulator_named(accumulator);
    if (accuracy == "fast")
        spec.accuracy = WF_ACCURACY_FAST;
    else if (accuracy != "exact")
        throw nb::value_error(("accuracy '" + std::string(accuracy) + "': it is \"exact\" or \"fast\"").c_str());
    for (int i = 0; i < WF_OP_COUNT; i++)
        if (op == wf_op_name(static_cast<wf_op>(i))) {
            spec.op = static_cast<wf_op>(i);
            return spec;
        }
    throw nb::value_error(("no operator '" + std::string(op) + "'").c_str());
}

void require_one_device(const Array &a, const Array &b) {
    if (!(a.device == b.device))
        throw nb::value_error("arrays on different devices: move them to one");
}

} // namespace wavefold::python
