#include "gil.hpp"

#include <atomic>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace nb = nanobind;

namespace wavefold::python {
namespace {

std::atomic<bool> is_ending{false};
std::atomic<int> waiting{0}; // for the GIL
std::thread::id main_thread;

/* Called at the exit, before the interpreter ends threads: those that wait come through, others stay where they are. */
void end() {
    main_thread = std::this_thread::get_id();
    is_ending = true;
    while (waiting != 0) {
        PyThreadState *const state = PyEval_SaveThread();
        sched_yield();
        PyEval_RestoreThread(state);
    }
}

} // namespace

void take_gil_back(PyThreadState *state) {
    waiting++;
    if (is_ending && std::this_thread::get_id() != main_thread) {
        waiting--;
        for (;;)
            pause();
    }
    PyEval_RestoreThread(state);
    waiting--;
}

void define_end(nb::module_ &module) {
    module.def("end", &end);
    nb::module_::import_("atexit").attr("register")(module.attr("end"));
}

} // namespace wavefold::python
