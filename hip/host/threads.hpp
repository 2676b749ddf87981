// Work for several CPU threads.
#ifndef WAVEFOLD_HOST_THREADS_HPP
#define WAVEFOLD_HOST_THREADS_HPP

#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace wf::host {

// Calls work(0) on this thread, and work(1) to work(count - 1) on others; returns when all are done. Where no more
// threads can be started the rest is left out, so the calls must share the work among those that are made. work must
// not throw.
template <class Work>
void on_threads(unsigned count, const Work &work) {
    std::vector<std::thread> helpers;
    try {
        for (unsigned i = 1; i < count; i++)
            helpers.emplace_back(std::cref(work), i);
    } catch (const std::exception &) { // system_error or bad_alloc
    }
    work(0u);
    for (std::thread &helper : helpers)
        helper.join();
}

} // namespace wf::host
#endif
