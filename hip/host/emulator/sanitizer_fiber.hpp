// fiber, in builds with sanitizers: Boost's, and the calls that tell them which stack runs.
//
// A fiber calls depart before it switches to another stack, and arrive when it is switched to, also by the exception
// with which Boost unwinds a destroyed fiber. Boost's own frames below the fiber's function make no such calls: they
// are left by a jump, and hold nothing.
#ifndef WAVEFOLD_HOST_EMULATOR_SANITIZER_FIBER_HPP
#define WAVEFOLD_HOST_EMULATOR_SANITIZER_FIBER_HPP

#include <cstddef>
#include <memory>
#include <pthread.h>

#if defined(WF_TELLS_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if defined(WF_TELLS_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace wf::host {

constexpr unsigned stack_growth = 4; // red zones, and variables that share nothing

// A stack as sanitizers know it: a fiber's, or the one that a thread began with.
struct told_stack {
    const void *bottom = nullptr;
    size_t size = 0;
    void *fake = nullptr;    // of AddressSanitizer, while another stack runs
    void *context = nullptr; // of ThreadSanitizer
};

// The stack that runs on this thread, and the one that ran before. Not inlined: a fiber may continue on another thread,
// where a cached address of a thread-local variable would be wrong.
struct told_switches {
    told_stack own; // the thread's
    told_stack *now = nullptr, *before = nullptr;
};
__attribute__((noinline)) inline told_switches &switches_here() {
    static thread_local told_switches here;
    if (here.now == nullptr) {
        pthread_attr_t attributes;
        void *bottom = nullptr;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &bottom, &here.own.size);
            pthread_attr_destroy(&attributes);
        }
        here.own.bottom = bottom;
#if defined(WF_TELLS_THREAD_SANITIZER)
        here.own.context = __tsan_get_current_fiber();
#endif
        here.now = &here.own;
    }
    return here;
}

// ends: nobody comes back to the stack that runs.
inline void depart(told_stack &to, bool ends) {
    told_switches &here = switches_here();
    here.before = here.now;
#if defined(WF_TELLS_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(ends ? nullptr : &here.now->fake, to.bottom, to.size);
#endif
#if defined(WF_TELLS_THREAD_SANITIZER)
    __tsan_switch_to_fiber(to.context, 0);
#endif
    static_cast<void>(ends);
    here.now = &to;
}

inline void arrive([[maybe_unused]] told_stack &at) {
#if defined(WF_TELLS_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(at.fake, nullptr, nullptr);
#endif
}

struct arrival {
    told_stack &at;
    ~arrival() { arrive(at); }
};

// Around all that a fiber does: it ends by going back to who destroys it.
struct whole_life {
    explicit whole_life(told_stack &own) { arrive(own); }
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
    fiber(std::allocator_arg_t, Allocator allocator, Function function) : stack_(new told_stack) {
        told_stack *const own = stack_;
        boost::context::stack_context stack = allocator.allocate();
        own->bottom = static_cast<char *>(stack.sp) - stack.size;
        own->size = stack.size;
#if defined(WF_TELLS_ADDRESS_SANITIZER)
        __lsan_ignore_object(own); // who forgets a fiber without unwinding it forgets this
        __asan_unpoison_memory_region(own->bottom, own->size);
#endif
        // Boost enters the new stack, and leaves it again: what it leaves there is the new one's.
        told_stack *const here = switches_here().now;
#if defined(WF_TELLS_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(&here->fake, here->bottom, here->size); // for what arrive() tells of it
#endif
#if defined(WF_TELLS_THREAD_SANITIZER)
        own->context = __tsan_create_fiber(0);
        __tsan_switch_to_fiber(own->context, 0);
#endif
        wrapped_ = boost::context::fiber(
            std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), allocator,
            [own, function](boost::context::fiber &&back) mutable -> boost::context::fiber {
                const whole_life alive(*own);
                return function(fiber(std::move(back), switches_here().before)).release();
            });
#if defined(WF_TELLS_THREAD_SANITIZER)
        __tsan_switch_to_fiber(here->context, 0);
#endif
        arrive(*here);
    }

    fiber resume() && {
        told_stack *const from = switches_here().now;
        boost::context::fiber left = jump(*from, *std::exchange(stack_, nullptr));
        return fiber(std::move(left), switches_here().before);
    }

    explicit operator bool() const noexcept {
        return static_cast<bool>(wrapped_);
    }

  private:
    fiber(boost::context::fiber &&wrapped, told_stack *stack) noexcept : wrapped_(std::move(wrapped)), stack_(stack) {}

    boost::context::fiber release() && {
        return std::move(wrapped_);
    }

    boost::context::fiber jump(told_stack &from, told_stack &to) {
        depart(to, false);
        const arrival back{from};
        return std::move(wrapped_).resume();
    }

    // Unwinds it, as Boost does.
    void destroy() noexcept {
        if (!wrapped_)
            return;
        told_stack *const gone = std::exchange(stack_, nullptr), *const from = switches_here().now;
        depart(*gone, false);
        {
            const arrival back{*from};
            wrapped_ = boost::context::fiber();
        }
#if defined(WF_TELLS_THREAD_SANITIZER)
        __tsan_destroy_fiber(gone->context);
#endif
        delete gone;
    }

    boost::context::fiber wrapped_;
    told_stack *stack_ = nullptr;
};

} // namespace wf::host
#endif
