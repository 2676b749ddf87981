#include "status.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace wavefold::python {

void require(wf_status status) {
    if (status == WF_OK)
        return;
    PyObject *kind = PyExc_RuntimeError;
    if (status == WF_INVALID_ARGUMENT)
        kind = PyExc_ValueError;
    else if (status == WF_UNSUPPORTED)
        kind = PyExc_NotImplementedError;
    else if (status == WF_OUT_OF_MEMORY)
        kind = PyExc_MemoryError;
    PyErr_SetString(kind, wf_last_error());
    throw nb::python_error();
}

} // namespace wavefold::python
