// fiber: code with a stack of its own, between which a thread switches by Boost.Context. In builds with
// AddressSanitizer or ThreadSanitizer each switch notifies them: they keep frames and order by the stack that runs.
#ifndef WAVEFOLD_HOST_EMULATOR_FIBER_HPP
#define WAVEFOLD_HOST_EMULATOR_FIBER_HPP

#include <boost/context/fiber.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WF_ADDRESS_SANITIZER_FIBERS
#endif
#if __has_feature(thread_sanitizer)
#define WF_THREAD_SANITIZER_FIBERS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WF_ADDRESS_SANITIZER_FIBERS
#endif
#if defined(__SANITIZE_THREAD__)
#define WF_THREAD_SANITIZER_FIBERS
#endif

#if defined(WF_ADDRESS_SANITIZER_FIBERS) || defined(WF_THREAD_SANITIZER_FIBERS)
#include "sanitizer_fiber.hpp"
#else
namespace wf::host {
using boost::context::fiber;
constexpr unsigned stack_growth = 1; // frames have their usual size
} // namespace wf::host
#endif

#endif
