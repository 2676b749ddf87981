// What launches of reductions compute on the host, and how they choose between aligned and unaligned kernels.
#ifndef WAVEFOLD_REDUCE_LAUNCH_CHOICES_HPP
#define WAVEFOLD_REDUCE_LAUNCH_CHOICES_HPP

#include "../wave.hpp"

#include "default_environment.h"
#include "reduce/request.h"

#include <cfenv>

namespace wf {

// 1 / count, rounded to nearest in any floating-point environment. Volatile: compilers ignore the environment.
inline double share_of(uint64_t count) {
    const std::fenv_t before = wf_enter_default_environment();
    const volatile auto whole = double(count);
    const volatile double share = 1 / whole;
    std::fesetenv(&before);
    return share;
}

// Whether there are kernels for unaligned elements of this type, and whether an array needs one.
template <class Element>
constexpr bool may_be_unaligned = sizeof(Element) > 1 && !(loads_any_byte(narrow_wave) && loads_any_byte(wide_wave));
template <class Element>
bool is_unaligned(const wf_reduce_request &what) {
    return reinterpret_cast<uintptr_t>(what.source) % sizeof(Element) != 0 && !loads_any_byte(what.head.wave_width);
}
// Wide waves that load any byte have no such kernels.
template <bool Aligned>
constexpr unsigned wide_wave_of = Aligned || !loads_any_byte(wide_wave) ? wide_wave : narrow_wave;

} // namespace wf
#endif
