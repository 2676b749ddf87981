// instructions.hpp on NVIDIA.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_INSTRUCTIONS_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_INSTRUCTIONS_HPP

#include <type_traits>

namespace wf {

__device__ __forceinline__ float f16_to_f32(uint16_t bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

template <class Byte>
__device__ __forceinline__ int32_t add_bytes(uint32_t bytes, int32_t total) {
    if constexpr (std::is_signed_v<Byte>)
        return __dp4a(int(bytes), 0x01010101, total);
    else
        return int32_t(__dp4a(bytes, 0x01010101u, uint32_t(total)));
}

template <class T>
__device__ __forceinline__ void hide_origin(T &) {}

} // namespace wf

#endif
