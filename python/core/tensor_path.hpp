/* Reductions of whole arrays without options by DLPack's exchange API, which torch has (seen with 2.11 and 2.15): in,
 * out and the current stream without a call of Python. */
#ifndef WAVEFOLD_PYTHON_TENSOR_PATH_HPP
#define WAVEFOLD_PYTHON_TENSOR_PATH_HPP

#include "wavefold.h"

#include <nanobind/nanobind.h>

namespace wavefold::python {

/* sum, mean, min or max of a tensor in C order, or None: take the general case. */
nanobind::object reduce_tensor(nanobind::handle object, wf_op op);

/* The same, into host memory, and waits: in one launch, without a copy of torch's. false: take the general case. */
bool reduce_tensor_here(nanobind::handle object, wf_op op, void *result, wf_type &result_type);

void define_tensor_path(nanobind::module_ &module);

} // namespace wavefold::python

#endif
