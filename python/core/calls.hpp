/* The calls of the C API on arrays, for the Python modules that check and shape arguments. */
#ifndef WAVEFOLD_PYTHON_CALLS_HPP
#define WAVEFOLD_PYTHON_CALLS_HPP

#include <nanobind/nanobind.h>

namespace wavefold::python {

void define_reductions(nanobind::module_ &module);
void define_rearrangements(nanobind::module_ &module);
void define_xla_calls(nanobind::module_ &module);

} // namespace wavefold::python

#endif
