// HIP's and CUDA's words for a learner's kernel on the host device.
//
// Accesses to memory are plain C++ here: the compiler tells of them (touches.cpp). What is defined in this file must
// not be told of, so it works on values, or leaves the work to plain_words.cpp.
//
// Tiles run one after the other in one thread, so a thread's own variable is a tile's: that is what __shared__ is.
#ifndef WAVEFOLD_HOST_TRY_PLAIN_WORDS_HPP
#define WAVEFOLD_HOST_TRY_PLAIN_WORDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "vectors.hpp"

// What a wave's lanes leave each other is volatile in many kernels. For GPUs these are C++17, where += of that is
// not deprecated.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdeprecated-volatile"
#else
#pragma GCC diagnostic ignored "-Wvolatile"
#endif

#define __global__
#define __device__
#define __constant__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// AMD's compiler aligns arrays of tile memory to 16 bytes, for accesses of several numbers; gcc those of a thread to an
// element.
#define __shared__ thread_local __attribute__((aligned(16)))

namespace wf::tried {

using place = std::source_location;

unsigned thread_number();
unsigned tile_number();
unsigned tile_size();
unsigned tile_count();
unsigned wave_width();

void tile_barrier(const place &at);
void wave_barrier(const place &at);
void fence();
// The lane of the group of width lanes whose value comes: counted from the group's first one; this lane's own if it
// would be outside. Across, it may be a lane of an earlier group, too, as on GPUs.
enum class direction { down, up, across, to };
void shuffle(void *value, size_t bytes, direction where, unsigned by, unsigned width, const place &at);
uint64_t ballot(bool mine, const place &at);

// Updates *cell, which has so many bytes, and tells of it. before gets what was there.
using change = void(void *cell, const void *operand, const void *compared);
void update(void *cell, size_t bytes, change *by, const void *operand, const void *compared, void *before,
            const place &at);

// Replaces what is in the cell; that may be what nobody wrote.
void exchange(void *cell, size_t bytes, const void *operand, void *before, const place &at);

void *set_bytes(void *to, int byte, size_t bytes, const place &at);
void *copy_bytes(void *to, const void *from, size_t bytes, const place &at); // they may overlap

struct dimensions {
    unsigned x, y, z;
};

template <class T>
WF_TRY_UNTOLD T shuffled(T value, direction where, unsigned by, unsigned width, const place &at) {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "a shuffle moves a number of up to 8 bytes");
    shuffle(&value, sizeof value, where, by, width, at);
    return value;
}

template <class T, class Fold>
WF_TRY_UNTOLD void change_by(void *cell, const void *operand, const void *compared) {
    T *const at = static_cast<T *>(cell);
    *at = Fold()(*at, *static_cast<const T *>(operand), *static_cast<const T *>(compared));
}
template <class T, class Fold>
WF_TRY_UNTOLD T updated(T *cell, T operand, T compared, Fold, const place &at) {
    T before;
    update(cell, sizeof(T), change_by<T, Fold>, &operand, &compared, &before, at);
    return before;
}

// The bits of a number as another type.
template <class To, class From>
To bits_as(From from) {
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

} // namespace wf::tried

// Numbers, as on GPUs: auto, printf() and templates take them.
#define threadIdx (wf::tried::dimensions{wf::tried::thread_number(), 0, 0})
#define blockIdx (wf::tried::dimensions{wf::tried::tile_number(), 0, 0})
#define blockDim (wf::tried::dimensions{wf::tried::tile_size(), 1, 1})
#define gridDim (wf::tried::dimensions{wf::tried::tile_count(), 1, 1})
#define warpSize (int(wf::tried::wave_width()))

// HIP's names of its first years, as its headers still have them.
#define hipThreadIdx_x (threadIdx.x)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockDim_x (blockDim.x)
#define hipGridDim_x (gridDim.x)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

// Of two types, as GPUs have them; by value, so that what is compared is read in the kernel's own line.
template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using both = std::common_type_t<A, B>;
    return both(b) < both(a) ? both(b) : both(a);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using both = std::common_type_t<A, B>;
    return both(a) < both(b) ? both(b) : both(a);
}

// A hint of which cache may keep it.
#define __ldg(...) (*(__VA_ARGS__))

#define WF_TRY_PLACE const wf::tried::place &at = wf::tried::place::current()

// In place of the C library's, of which gcc tells nothing.
template <class T>
void *memset(T *to, int byte, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::set_bytes(to, byte, bytes, at);
}
template <class T, class From>
void *memcpy(T *to, const From *from, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::copy_bytes(to, from, bytes, at);
}
template <class T, class From>
void *memmove(T *to, const From *from, size_t bytes, WF_TRY_PLACE) {
    return wf::tried::copy_bytes(to, from, bytes, at);
}

inline void __syncthreads(WF_TRY_PLACE) {
    wf::tried::tile_barrier(at);
}
inline void __syncwarp(uint64_t = ~uint64_t(0), WF_TRY_PLACE) {
    wf::tried::wave_barrier(at);
}
inline void __threadfence() {
    wf::tried::fence();
}
inline void __threadfence_block() {}

// All lanes of the wave take part: a mask is not looked at.
#define WF_TRY_SHUFFLE(name, where)                                                                                    \
    template <class T>                                                                                                 \
    T name(T value, unsigned by, unsigned width = wf::tried::wave_width(), WF_TRY_PLACE) {                             \
        return wf::tried::shuffled(value, wf::tried::direction::where, by, width, at);                                 \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    T name##_sync(uint64_t, T value, unsigned by, unsigned width = wf::tried::wave_width(), WF_TRY_PLACE) {            \
        return wf::tried::shuffled(value, wf::tried::direction::where, by, width, at);                                 \
    }
WF_TRY_SHUFFLE(__shfl_down, down)
WF_TRY_SHUFFLE(__shfl_up, up)
WF_TRY_SHUFFLE(__shfl_xor, across)
WF_TRY_SHUFFLE(__shfl, to)
#undef WF_TRY_SHUFFLE

inline uint64_t __ballot(bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(mine, at);
}
inline uint64_t __ballot_sync(uint64_t, bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(mine, at);
}
inline bool __any(bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(mine, at) != 0;
}
inline bool __any_sync(uint64_t, bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(mine, at) != 0;
}
// Of a wave that the tile does not fill, too.
inline bool __all(bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(!mine, at) == 0;
}
inline bool __all_sync(uint64_t, bool mine, WF_TRY_PLACE) {
    return wf::tried::ballot(!mine, at) == 0;
}
inline uint64_t __activemask(WF_TRY_PLACE) {
    return wf::tried::ballot(true, at);
}
inline int __popc(unsigned word) {
    return __builtin_popcount(word);
}
inline int __popcll(unsigned long long word) {
    return __builtin_popcountll(word);
}
inline int __ffs(unsigned word) {
    return __builtin_ffs(int(word));
}
inline int __ffsll(unsigned long long word) {
    return __builtin_ffsll((long long)word);
}

// The operand converts to the cell's type, as a call with an int for a float does.
#define WF_TRY_ATOMIC_WORD(name, result)                                                                               \
    template <class T>                                                                                                 \
    T name(T *cell, std::common_type_t<T> operand, WF_TRY_PLACE) {                                                     \
        return wf::tried::updated(                                                                                     \
            cell, operand, operand, [](T old, T more, T) { return T(result); }, at);                                   \
    }
WF_TRY_ATOMIC_WORD(atomicAdd, old + more)
WF_TRY_ATOMIC_WORD(atomicSub, old - more)
WF_TRY_ATOMIC_WORD(atomicMin, more < old ? more : old)
WF_TRY_ATOMIC_WORD(atomicMax, more > old ? more : old)
WF_TRY_ATOMIC_WORD(atomicInc, old >= more ? 0 : old + 1)
#undef WF_TRY_ATOMIC_WORD

template <class T>
WF_TRY_UNTOLD T atomicExch(T *cell, std::common_type_t<T> operand, WF_TRY_PLACE) {
    T before;
    wf::tried::exchange(cell, sizeof(T), &operand, &before, at);
    return before;
}

template <class T>
T atomicCAS(T *cell, std::common_type_t<T> compared, std::common_type_t<T> wanted, WF_TRY_PLACE) {
    static_assert(std::is_integral_v<T>, "atomicCAS takes whole numbers: see __float_as_uint");
    return wf::tried::updated(
        cell, wanted, compared, [](T old, T more, T expected) { return old == expected ? more : old; }, at);
}

inline int __float_as_int(float number) {
    return wf::tried::bits_as<int>(number);
}
inline unsigned __float_as_uint(float number) {
    return wf::tried::bits_as<unsigned>(number);
}
inline long long __double_as_longlong(double number) {
    return wf::tried::bits_as<long long>(number);
}
inline double __longlong_as_double(long long bits) {
    return wf::tried::bits_as<double>(bits);
}
inline float __int_as_float(int bits) {
    return wf::tried::bits_as<float>(bits);
}
inline float __uint_as_float(unsigned bits) {
    return wf::tried::bits_as<float>(bits);
}

#undef WF_TRY_PLACE
#undef WF_TRY_UNTOLD
#endif
