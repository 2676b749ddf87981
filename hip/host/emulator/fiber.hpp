// A stack of its own that a thread goes on with, as Boost.Context switches it. In builds with AddressSanitizer or
// ThreadSanitizer it tells them of each switch: they remember frames and order by the stack that runs.
#ifndef WAVEFOLD_HOST_EMULATOR_FIBER_HPP
#define WAVEFOLD_HOST_EMULATOR_FIBER_HPP

#include <boost/context/fiber.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WF_TELLS_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define WF_TELLS_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WF_TELLS_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define WF_TELLS_THREAD_SANITIZER
#endif

#if defined(WF_TELLS_ADDRESS_SANITIZER) || defined(WF_TELLS_THREAD_SANITIZER)
#include "sanitizer_fiber.hpp"
#else
namespace wf::host {
using boost::context::fiber;
constexpr unsigned stack_growth = 1; // how many times as large frames may be
} // namespace wf::host
#endif

#endif
