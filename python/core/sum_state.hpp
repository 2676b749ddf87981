/* The class SumState: an exact sum before it is rounded. */
#ifndef WAVEFOLD_PYTHON_SUM_STATE_HPP
#define WAVEFOLD_PYTHON_SUM_STATE_HPP

#include <nanobind/nanobind.h>

namespace wavefold::python {

void define_sum_state(nanobind::module_ &module);

} // namespace wavefold::python

#endif
