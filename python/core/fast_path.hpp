/* Reductions of whole arrays of NumPy without options: the case that must cost little more than the C call. */
#ifndef WAVEFOLD_PYTHON_FAST_PATH_HPP
#define WAVEFOLD_PYTHON_FAST_PATH_HPP

#include <nanobind/nanobind.h>

namespace wavefold::python {

void define_fast_path(nanobind::module_ &module);

} // namespace wavefold::python

#endif
