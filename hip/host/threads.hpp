// Work for several CPU threads.
#ifndef WAVEFOLD_HOST_THREADS_HPP
#define WAVEFOLD_HOST_THREADS_HPP

#include "../cancellation_guard.hpp"

#include <csignal>
#include <exception>
#include <functional>
#include <pthread.h>
#include <thread>
#include <vector>

namespace wf::host {

// Threads that are started while it lives take no signal of the process: its own threads are to have them, in the way
// that the program says. Those that a thread brings upon itself it takes as ever.
class signals_elsewhere {
  public:
    signals_elsewhere() {
        sigset_t all;
        sigfillset(&all);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
            sigdelset(&all, own);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~signals_elsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    signals_elsewhere(const signals_elsewhere &) = delete;
    signals_elsewhere &operator=(const signals_elsewhere &) = delete;

  private:
    sigset_t before_;
};

// Calls work(0) on this thread, and work(1) to work(count - 1) on others; returns when all are done. Where no more
// threads can be started the rest is left out, so the calls must share the work among those that are made. work must
// not throw.
template <class Work>
void on_threads(unsigned count, const Work &work) {
    std::vector<std::thread> helpers;
    try {
        const signals_elsewhere none_for_helpers;
        for (unsigned i = 1; i < count; i++)
            helpers.emplace_back(std::cref(work), i);
    } catch (const std::exception &) { // system_error or bad_alloc
    }
    const cancellation_guard behind_all; // also what the work may call: kernels catch all that they throw
    work(0u);
    for (std::thread &helper : helpers)
        helper.join();
}

} // namespace wf::host
#endif
