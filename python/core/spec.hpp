/* Specs of reductions from the names of operators, accumulators and accuracies. */
#ifndef WAVEFOLD_PYTHON_SPEC_HPP
#define WAVEFOLD_PYTHON_SPEC_HPP

#include "array.hpp"

#include <string_view>

namespace wavefold::python {

/* accumulator: a type's name, or "" for the default. accuracy: "exact" (where an exact sum exists) or "fast". */
wf_reduce_spec spec_of(wf_type type, std::string_view op, std::string_view accumulator, std::string_view accuracy);

/* Throws ValueError unless both are on one device. */
void require_one_device(const Array &a, const Array &b);

/* Runs a call without the GIL, and throws its status. */
template <class Call>
void run(const Call &call);

} // namespace wavefold::python

#include "gil.hpp"
#include "status.hpp"

namespace wavefold::python {

template <class Call>
void run(const Call &call) {
    require(without_gil(call));
}

} // namespace wavefold::python

#endif
