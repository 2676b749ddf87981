// For backends' host code: cancellation.h of the library, for a scope.
#ifndef WAVEFOLD_CANCELLED_LATER_HPP
#define WAVEFOLD_CANCELLED_LATER_HPP

#include <pthread.h>

namespace wf {

// A thread that is cancelled while it lives goes on, and ends at the next call of the system's that looks for that. To
// wait for helpers is such a call, and a thread that ended there would leave them with a stack that is gone; to read a
// file is one, too, and what the caller of that has allocated would be lost. So may be what a vendor's runtime calls.
class cancelled_later {
  public:
    cancelled_later() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~cancelled_later() { pthread_setcancelstate(before_, nullptr); }
    cancelled_later(const cancelled_later &) = delete;
    cancelled_later &operator=(const cancelled_later &) = delete;

  private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace wf

#endif
