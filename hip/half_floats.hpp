// Floats of 16 bits, which C++ has no types for: their bits.
#ifndef WAVEFOLD_HALF_FLOATS_HPP
#define WAVEFOLD_HALF_FLOATS_HPP

#include <cstdint>
#include <type_traits>

namespace wf {

struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};

template <class T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

} // namespace wf
#endif
