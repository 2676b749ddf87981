/* Statuses of the library as Python's exceptions, with the library's sentence. */
#ifndef WAVEFOLD_PYTHON_STATUS_HPP
#define WAVEFOLD_PYTHON_STATUS_HPP

#include "wavefold.h"

namespace wavefold::python {

/* Throws unless status is WF_OK: ValueError, NotImplementedError, MemoryError or RuntimeError. Needs the GIL. */
void require(wf_status status);

} // namespace wavefold::python

#endif
