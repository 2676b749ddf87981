// instructions.hpp on AMD.
#ifndef WAVEFOLD_AMD_AMD_INSTRUCTIONS_HPP
#define WAVEFOLD_AMD_AMD_INSTRUCTIONS_HPP

namespace wf {

__device__ __forceinline__ float f16_to_f32(uint16_t bits) {
    _Float16 value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return static_cast<float>(value);
}

// AMD's compilers add byte by byte.
template <class Byte>
__device__ __forceinline__ int32_t add_bytes(uint32_t bytes, int32_t total) {
    return add_each_byte<Byte>(bytes, total);
}

// Else the compilers reorder a long chain of integer sums such that all of its operands are unpacked before the first
// two are added, each in a register.
template <class T>
__device__ __forceinline__ void hide_origin(T &value) {
#if defined(__HIP_DEVICE_COMPILE__)
    asm("" : "+v"(value));
#else
    (void)value;
#endif
}

} // namespace wf

#endif
