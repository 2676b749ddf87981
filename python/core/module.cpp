/* The extension wavefold._core: the C API on arrays of any library. The modules around it are Python. */
#include "array.hpp"
#include "calls.hpp"
#include "fast_path.hpp"
#include "gil.hpp"
#include "sum_state.hpp"

#include "wavefold.h"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false); // of daemon threads that are in a call at the interpreter's exit
    module.attr("version") = wf_version();
    wavefold::python::define_arrays(module);
    wavefold::python::define_reductions(module);
    wavefold::python::define_rearrangements(module);
    wavefold::python::define_sum_state(module);
    wavefold::python::define_fast_path(module);
    wavefold::python::define_xla_calls(module);
    wavefold::python::define_end(module);
}
