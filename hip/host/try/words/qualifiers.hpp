// The qualifiers of HIP and CUDA. Tiles run one after the other in one thread, so a thread's own variable is a tile's:
// that is what __shared__ is.
#ifndef WAVEFOLD_HOST_TRY_WORDS_QUALIFIERS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_QUALIFIERS_HPP

// What a wave's lanes leave each other is volatile in many kernels. For GPUs these are C++17, where += of that is not
// deprecated.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdeprecated-volatile"
#else
#pragma GCC diagnostic ignored "-Wvolatile"
#endif

#define __global__
// gcc marks the variables of the device for program_variables.cpp; clang allows no attribute of a lambda there.
#if defined(__clang__)
#define __device__
#else
#define __device__ __attribute__((visibility("protected")))
#pragma GCC diagnostic ignored "-Wattributes"
__attribute__((used)) __device__ inline char wf_try_marks_variables = 0;
#endif
#define __constant__ __device__
#define __managed__ __device__
#define __host__
#define __grid_constant__
#define __forceinline__ __attribute__((unused)) // also behind "inline"
#define __inline_hint__ inline
#define __device_builtin__
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __nv_pure__
#define __align__(bytes) __attribute__((aligned(bytes)))
// AMD's compiler aligns arrays of tile memory to 16 bytes, for accesses of several numbers; gcc those of a thread to an
// element.
#define __shared__ thread_local __attribute__((aligned(16)))
// The C++ library's headers have it within __attribute__((...)), which may be empty.
#define __noinline__

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(0)
#endif

#endif
