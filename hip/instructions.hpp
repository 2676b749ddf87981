// What a platform has an instruction for, or a word to its compiler, and others spell out. A platform's file offers:
//
//   f16_to_f32(bits)              the float of 16 bits of f16; exact
//   add_bytes<Byte>(bytes, total) the sum of a word's four bytes and of total
//   hide_origin(value)            hides from the compiler how a number came about, where that makes better code
#ifndef WAVEFOLD_INSTRUCTIONS_HPP
#define WAVEFOLD_INSTRUCTIONS_HPP

#include "gpu.hpp"

#define WF_HALF_FUNCTION static __device__ __forceinline__
#include "half.h"

#include <cstring>

namespace wf {

// add_bytes() for platforms without such an instruction.
template <class Byte>
__device__ __forceinline__ int32_t add_each_byte(uint32_t bytes, int32_t total) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        total += int32_t(Byte(bytes >> shift));
    return total;
}

} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_instructions.hpp"
#elif defined(WF_AMD_DEVICE)
#include "amd/amd_instructions.hpp"
#elif defined(WF_NVIDIA_DEVICE)
#include "nvidia/nvidia_instructions.hpp"
#endif

#endif
