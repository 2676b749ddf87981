// fiber in builds with sanitizers: Boost's, with calls that notify the sanitizer which stack runs.
//
// A fiber calls depart() before a switch to another stack, and arrive() after a switch to its own, also when Boost
// unwinds a destroyed fiber by an exception. Boost's own frames below the fiber's function make no such calls: a jump
// leaves them, and they hold nothing.
#ifndef WAVEFOLD_HOST_EMULATOR_SANITIZER_FIBER_HPP
#define WAVEFOLD_HOST_EMULATOR_SANITIZER_FIBER_HPP

#include <cstddef>
#include <memory>
#include <pthread.h>

#if defined(WF_ADDRESS_SANITIZER_FIBERS)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if defined(WF_THREAD_SANITIZER_FIBERS)
#include <sanitizer/tsan_interface.h>
#endif

namespace wf::host {

constexpr unsigned stack_growth = 4; // red zones, and no shared slots, enlarge frames

// A stack as sanitizers know it: that of a fiber, or a thread's first one.
struct sanitizer_stack {
    const void *bottom = nullptr;
    size_t size = 0;
    void *fake = nullptr;    // AddressSanitizer's, while another stack runs
    void *context = nullptr; // ThreadSanitizer's
};

// The stack that runs on this thread, and the previous one. Not inlined: a fiber may continue on another thread, where
// a cached address of a thread-local variable would be wrong.
struct stack_switches {
    sanitizer_stack own; // the thread's
    sanitizer_stack *now = nullptr, *before = nullptr;
};
__attribute__((noinline)) inline stack_switches &switches_here() {
    static thread_local stack_switches here;
    if (here.now == nullptr) {
        pthread_attr_t attributes;
        void *bottom = nullptr;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &bottom, &here.own.size);
            pthread_attr_destroy(&attributes);
        }
        here.own.bottom = bottom;
#if defined(WF_THREAD_SANITIZER_FIBERS)
        here.own.context = __tsan_get_current_fiber();
#endif
        here.now = &here.own;
    }
    return here;
}

// ends: no switch returns to the stack that runs.
inline void depart(sanitizer_stack &to, bool ends) {
    stack_switches &here = switches_here();
    here.before = here.now;
#if defined(WF_ADDRESS_SANITIZER_FIBERS)
    __sanitizer_start_switch_fiber(ends ? nullptr : &here.now->fake, to.bottom, to.size);
#endif
#if defined(WF_THREAD_SANITIZER_FIBERS)
    __tsan_switch_to_fiber(to.context, 0);
#endif
    static_cast<void>(ends);
    here.now = &to;
}

inline void arrive([[maybe_unused]] sanitizer_stack &at) {
#if defined(WF_ADDRESS_SANITIZER_FIBERS)
    __sanitizer_finish_switch_fiber(at.fake, nullptr, nullptr);
#endif
}

struct arrival {
    sanitizer_stack &at;
    ~arrival() { arrive(at); }
};

// Lives as long as the fiber's function. At the end the thread returns to the stack that destroys the fiber.
struct whole_life {
    explicit whole_life(sanitizer_stack &own) { arrive(own); }
    ~whole_life() { depart(*switches_here().before, true); }
    whole_life(const whole_life &) = delete;
};

class fiber {
  public:
    fiber() = default;
    fiber(fiber &&other) noexcept : wrapped_(std::move(other.wrapped_)), stack_(std::exchange(other.stack_, nullptr)) {}
    fiber &operator=(fiber &&other) noexcept {
        if (this != &other) {
            destroy();
            wrapped_ = std::move(other.wrapped_);
            stack_ = std::exchange(other.stack_, nullptr);
        }
        return *this;
    }
    ~fiber() { destroy(); }

    template <class Allocator, class Function>
    fiber(std::allocator_arg_t, Allocator allocator, Function function) : stack_(new sanitizer_stack) {
        sanitizer_stack *const own = stack_;
        boost::context::stack_context stack = allocator.allocate();
        own->bottom = static_cast<char *>(stack.sp) - stack.size;
        own->size = stack.size;
#if defined(WF_ADDRESS_SANITIZER_FIBERS)
        __lsan_ignore_object(own); // lost with a fiber that is lost without unwinding
        __asan_unpoison_memory_region(own->bottom, own->size);
#endif
        // Boost enters the new stack, and leaves it again: its frames there belong to the new stack.
        sanitizer_stack *const here = switches_here().now;
#if defined(WF_ADDRESS_SANITIZER_FIBERS)
        __sanitizer_start_switch_fiber(&here->fake, here->bottom, here->size); // pairs with arrive()
#endif
#if defined(WF_THREAD_SANITIZER_FIBERS)
        own->context = __tsan_create_fiber(0);
        __tsan_switch_to_fiber(own->context, 0);
#endif
        wrapped_ = boost::context::fiber(
            std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), allocator,
            [own, function](boost::context::fiber &&back) mutable -> boost::context::fiber {
                const whole_life alive(*own);
                return function(fiber(std::move(back), switches_here().before)).release();
            });
#if defined(WF_THREAD_SANITIZER_FIBERS)
        __tsan_switch_to_fiber(here->context, 0);
#endif
        arrive(*here);
    }

    fiber resume() && {
        sanitizer_stack *const from = switches_here().now;
        boost::context::fiber left = jump(*from, *std::exchange(stack_, nullptr));
        return fiber(std::move(left), switches_here().before);
    }

    explicit operator bool() const noexcept {
        return static_cast<bool>(wrapped_);
    }

  private:
    fiber(boost::context::fiber &&wrapped, sanitizer_stack *stack) noexcept
        : wrapped_(std::move(wrapped)), stack_(stack) {}

    boost::context::fiber release() && {
        return std::move(wrapped_);
    }

    boost::context::fiber jump(sanitizer_stack &from, sanitizer_stack &to) {
        depart(to, false);
        const arrival back{from};
        return std::move(wrapped_).resume();
    }

    // Unwinds the fiber, as Boost does.
    void destroy() noexcept {
        if (!wrapped_)
            return;
        sanitizer_stack *const gone = std::exchange(stack_, nullptr), *const from = switches_here().now;
        depart(*gone, false);
        {
            const arrival back{*from};
            wrapped_ = boost::context::fiber();
        }
#if defined(WF_THREAD_SANITIZER_FIBERS)
        __tsan_destroy_fiber(gone->context);
#endif
        delete gone;
    }

    boost::context::fiber wrapped_;
    sanitizer_stack *stack_ = nullptr;
};

} // namespace wf::host
#endif
