// For backends' host code: cancellation.h of the library, for a scope.
#ifndef WAVEFOLD_CANCELLATION_GUARD_HPP
#define WAVEFOLD_CANCELLATION_GUARD_HPP

#include <pthread.h>

namespace wf {

// RAII guard: pthread cancellation is disabled while it exists. A thread cancelled while it waits for helpers would
// leave them with a stack that is gone; one cancelled while it reads a file would lose what its caller allocated.
class cancellation_guard {
  public:
    cancellation_guard() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~cancellation_guard() { pthread_setcancelstate(before_, nullptr); }
    cancellation_guard(const cancellation_guard &) = delete;
    cancellation_guard &operator=(const cancellation_guard &) = delete;

  private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace wf

#endif
