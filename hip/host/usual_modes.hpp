// usual_modes: the processor's rounding and subnormals as kernels expect them, whatever the caller has set.
#ifndef WAVEFOLD_HOST_USUAL_MODES_HPP
#define WAVEFOLD_HOST_USUAL_MODES_HPP

#include <cfenv>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "NaN and infinities are results here: compile without -ffast-math and -ffinite-math-only"
#endif

namespace wf::host {

#if defined(__x86_64__)
// The modes that every program starts with, while it lives. A function that it is to matter for must not be inlined:
// compilers do not know that arithmetic depends on it.
constexpr bool has_usual_modes = true;
class usual_modes {
    static constexpr unsigned usual = 0x1f80, flags = 0x3f; // what has happened since somebody looked
    const unsigned before_ = __builtin_ia32_stmxcsr();
    const bool changes_ = (before_ & ~flags) != usual; // to set them takes longer than to fold a few elements

  public:
    usual_modes() {
        if (changes_)
            __builtin_ia32_ldmxcsr(usual);
    }
    ~usual_modes() {
        if (changes_)
            __builtin_ia32_ldmxcsr(before_);
    }
    usual_modes(const usual_modes &) = delete;
    usual_modes &operator=(const usual_modes &) = delete;
};
#else
constexpr bool has_usual_modes = false; // of subnormals not: so all sums are made in integers
class usual_modes {
    const int before_ = std::fegetround();

  public:
    usual_modes() { std::fesetround(FE_TONEAREST); }
    ~usual_modes() { std::fesetround(before_); }
    usual_modes(const usual_modes &) = delete;
    usual_modes &operator=(const usual_modes &) = delete;
};
#endif

} // namespace wf::host
#endif
