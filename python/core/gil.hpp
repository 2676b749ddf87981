/* The GIL, let go of during a call of the library. */
#ifndef WAVEFOLD_PYTHON_GIL_HPP
#define WAVEFOLD_PYTHON_GIL_HPP

#include <nanobind/nanobind.h>

namespace wavefold::python {

/* Takes the GIL back. Of a daemon thread that is in a call while the interpreter ends it never returns: Python before
 * 3.14 would end the thread there, through C++ that cannot be unwound. */
void take_gil_back(PyThreadState *state);

template <class Call>
auto without_gil(const Call &call) {
    PyThreadState *const state = PyEval_SaveThread();
    const auto result = call(); // the library throws nothing
    take_gil_back(state);
    return result;
}

void define_end(nanobind::module_ &module);

} // namespace wavefold::python

#endif
