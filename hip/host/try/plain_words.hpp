// HIP's and CUDA's words for a learner's kernel on the host device.
//
// Accesses to memory are plain C++ here: the compiler tells of them (touches.cpp). What is defined in this file must
// not be told of, so it works on values, or leaves the work to plain_words.cpp.
//
// Tiles run one after the other in one thread, so a thread's own variable is a tile's: that is what __shared__ is.
#ifndef WAVEFOLD_HOST_TRY_PLAIN_WORDS_HPP
#define WAVEFOLD_HOST_TRY_PLAIN_WORDS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <source_location>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ thread_local

using std::max;
using std::min;

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
// would be outside.
enum class direction { down, up, across, to };
void shuffle(void *value, size_t bytes, direction where, unsigned by, unsigned width, const place &at);
uint64_t ballot(bool mine, const place &at);

// Updates *cell, which has so many bytes, and tells of it. before gets what was there.
using change = void(void *cell, const void *operand, const void *compared);
void update(void *cell, size_t bytes, change *by, const void *operand, const void *compared, void *before,
            const place &at);

template <unsigned (*Ask)()>
struct asked {
    operator unsigned() const { return Ask(); }
};
template <unsigned Number>
constexpr unsigned always() {
    return Number;
}
template <unsigned (*Ask)(), unsigned Others>
struct dimensions {
    asked<Ask> x;
    asked<always<Others>> y, z;
};

template <class T>
T shuffled(T value, direction where, unsigned by, unsigned width, const place &at) {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "a shuffle moves a number of up to 8 bytes");
    shuffle(&value, sizeof value, where, by, width, at);
    return value;
}

template <class T, class Fold>
__attribute__((no_sanitize("thread"))) void change_by(void *cell, const void *operand, const void *compared) {
    T *const at = static_cast<T *>(cell);
    *at = Fold()(*at, *static_cast<const T *>(operand), *static_cast<const T *>(compared));
}
template <class T, class Fold>
T updated(T *cell, T operand, T compared, Fold, const place &at) {
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

inline const wf::tried::dimensions<wf::tried::thread_number, 0> threadIdx;
inline const wf::tried::dimensions<wf::tried::tile_number, 0> blockIdx;
inline const wf::tried::dimensions<wf::tried::tile_size, 1> blockDim;
inline const wf::tried::dimensions<wf::tried::tile_count, 1> gridDim;
inline const wf::tried::asked<wf::tried::wave_width> warpSize;

#define WF_TRY_PLACE const wf::tried::place &at = wf::tried::place::current()

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
inline int __popc(unsigned word) {
    return __builtin_popcount(word);
}
inline int __popcll(unsigned long long word) {
    return __builtin_popcountll(word);
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
WF_TRY_ATOMIC_WORD(atomicExch, (void(old), more))
WF_TRY_ATOMIC_WORD(atomicInc, old >= more ? 0 : old + 1)
#undef WF_TRY_ATOMIC_WORD

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
inline float __int_as_float(int bits) {
    return wf::tried::bits_as<float>(bits);
}
inline float __uint_as_float(unsigned bits) {
    return wf::tried::bits_as<float>(bits);
}

#undef WF_TRY_PLACE
#endif
