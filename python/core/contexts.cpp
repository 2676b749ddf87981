#include "contexts.hpp"

#include "gil.hpp"
#include "status.hpp"
#include "wavefold_host_memory.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace wavefold::python {
namespace {

std::atomic<unsigned> forks{0};
const int watches_forks = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });

std::atomic<Context *> host{nullptr};

std::string id_of(Device device) {
    static const char *const names[] = {"host", "nvidia", "amd"};
    const std::string name = names[static_cast<int>(device.backend)];
    return device.is_host() ? name : name + ":" + std::to_string(device.ordinal);
}

std::unique_ptr<Context> open(Device device) {
    auto made = std::make_unique<Context>();
    made->forks = forks.load(std::memory_order_relaxed);
    require(wf_context_create(&made->opened, id_of(device).c_str()));
    if (device.is_host())
        require(wf_context_take_host_memory(made->opened));
    return made;
}

Context &find_or_open(Device device) {
    // Neither is ever destroyed: at the interpreter's exit work may still be queued.
    static std::mutex &lock = *new std::mutex;
    static auto &contexts = *new std::map<std::pair<int, int>, std::unique_ptr<Context>>;
    std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
    if (!guard.owns_lock()) // a thread that opens a device may wait for the GIL
        without_gil([&] {
            guard.lock();
            return true;
        });
    std::unique_ptr<Context> &found = contexts[{static_cast<int>(device.backend), device.ordinal}];
    if (found == nullptr)
        found = open(device);
    if (device.is_host())
        host.store(found.get(), std::memory_order_release);
    return *found;
}

} // namespace

Context &context_of(Device device) {
    if (device.is_host())
        if (Context *found = host.load(std::memory_order_acquire))
            return *found;
    Context &found = find_or_open(device);
    if (!device.is_host() && found.forks != forks.load(std::memory_order_relaxed)) {
        PyErr_Format(PyExc_RuntimeError,
                     "%s was opened before this process was forked, and GPUs do not survive a fork: start workers by "
                     "multiprocessing's \"spawn\" or \"forkserver\"",
                     id_of(device).c_str());
        throw nb::python_error();
    }
    return found;
}

} // namespace wavefold::python
