/* The types of NumPy's results: sums of integers have 64 bits, means of integers are float64. */
#ifndef WAVEFOLD_PYTHON_NUMPY_RULES_HPP
#define WAVEFOLD_PYTHON_NUMPY_RULES_HPP

#include "import.hpp"

namespace wavefold::python {

/* sum, mean, min or max, exact where that exists. */
inline wf_reduce_spec spec_by_numpy(wf_type type, wf_op op) {
    wf_reduce_spec spec = {};
    spec.type = type;
    spec.op = op;
    if (op == WF_SUM && type == WF_I32)
        spec.accumulator = WF_ACCUMULATE_I64;
    else if (op == WF_SUM && type == WF_U32)
        spec.accumulator = WF_ACCUMULATE_U64;
    return spec;
}

inline bool is_float(wf_type type) {
    return type == WF_F32 || type == WF_F64 || type == WF_F16 || type == WF_BF16;
}

/* The number of bool is counted as int64. */
inline wf_type result_by_numpy(TypeName of, wf_op op) {
    if (op == WF_MEAN)
        return is_float(of.type) ? of.type : WF_F64;
    if (op != WF_SUM || is_float(of.type))
        return of.type;
    return *wf_type_name(of.type) == 'i' || of.is_bool ? WF_I64 : WF_U64;
}

} // namespace wavefold::python

#endif
