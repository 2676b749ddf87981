// RAII guard: rounding and subnormals as kernels expect them, whatever the caller has set.
#ifndef WAVEFOLD_HOST_DEFAULT_FLOAT_ENVIRONMENT_HPP
#define WAVEFOLD_HOST_DEFAULT_FLOAT_ENVIRONMENT_HPP

#include <cfenv>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "NaN and infinities are results here: compile without -ffast-math and -ffinite-math-only"
#endif

namespace wf::host {

#if defined(__x86_64__)
// While it exists, the thread has the modes that every program starts with. Arithmetic must not be inlined next to it:
// compilers do not know that arithmetic depends on these modes.
constexpr bool has_float_environment = true;
class default_float_environment {
    static constexpr unsigned defaults = 0x1f80, exceptions = 0x3f; // bits of MXCSR
    const unsigned before_ = __builtin_ia32_stmxcsr();
    const bool changes_ = (before_ & ~exceptions) != defaults; // setting takes longer than reducing a few elements

  public:
    default_float_environment() {
        if (changes_)
            __builtin_ia32_ldmxcsr(defaults);
    }
    ~default_float_environment() {
        if (changes_)
            __builtin_ia32_ldmxcsr(before_);
    }
    default_float_environment(const default_float_environment &) = delete;
    default_float_environment &operator=(const default_float_environment &) = delete;
};
#else
constexpr bool has_float_environment = false; // the handling of subnormals cannot be set: all sums are of integers
class default_float_environment {
    const int before_ = std::fegetround();

  public:
    default_float_environment() { std::fesetround(FE_TONEAREST); }
    ~default_float_environment() { std::fesetround(before_); }
    default_float_environment(const default_float_environment &) = delete;
    default_float_environment &operator=(const default_float_environment &) = delete;
};
#endif

} // namespace wf::host
#endif
