// Vectors of numbers as wide as the registers of the instructions that the file is compiled for, by the vector
// extension that gcc and clang share; a loop over lanes of a fixed number is what both turn into one instruction.
//
// Everything that kernels are made of is in an anonymous namespace, and none of the standard library's functions is
// called: the linker would merge what bears one name, and the plain kernels might get code of wider instructions.
#ifndef WAVEFOLD_HOST_NATIVE_SIMD_HPP
#define WAVEFOLD_HOST_NATIVE_SIMD_HPP

#include "half.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace wf::host::native {
namespace {

#if defined(__AVX512F__)
constexpr size_t register_bytes = 64;
#elif defined(__AVX2__)
constexpr size_t register_bytes = 32;
#else
constexpr size_t register_bytes = 16; // SSE2, NEON
#endif

// Types that C++ lacks: 16 bits of float.
struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};

template <class T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

template <class T, size_t N>
struct lanes_of {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, size_t N>
using lanes = typename lanes_of<T, N>::type;

template <class T>
constexpr size_t lane_count = register_bytes / sizeof(T);

// Any bytes as a number, or as a vector; the address may be any.
template <class T>
inline T load(const char *at) {
    T value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}
template <class To, class From>
inline To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To same;
    __builtin_memcpy(&same, &value, sizeof same);
    return same;
}

// A vector in a register, for what is used more than once: gcc reads it from memory each time, where it can.
template <class A>
inline A in_register(A vector) {
#if defined(__x86_64__)
    __asm__("" : "+v"(vector));
#endif
    return vector;
}

// A vector of one number, also where its type has 1 or 2 bytes.
template <class T, size_t N>
inline lanes<T, N> all_of(T value) {
    lanes<T, N> all = {};
    for (size_t i = 0; i < N; i++)
        all[i] = value;
    return all;
}

// Loads N elements and makes them numbers of another type that holds them all, or wraps integers to it.
template <class To, class Element, size_t N>
inline lanes<To, N> lift(const char *at) {
    const auto convert = [](const auto *from) {
        To to[N];
        for (size_t i = 0; i < N; i++)
            to[i] = static_cast<To>(from[i]);
        return load<lanes<To, N>>(reinterpret_cast<const char *>(to));
    };
    if constexpr (std::is_same_v<Element, To> ||
                  (std::is_integral_v<Element> && std::is_integral_v<To> && sizeof(Element) == sizeof(To))) {
        return load<lanes<To, N>>(at);
    } else if constexpr (std::is_same_v<Element, bf16>) {
        uint16_t from[N];
        float to[N];
        __builtin_memcpy(from, at, sizeof from);
        for (size_t i = 0; i < N; i++)
            to[i] = wf_bf16_value(from[i]);
        return lift<To, float, N>(reinterpret_cast<const char *>(to));
    } else if constexpr (std::is_same_v<Element, f16>) {
        lanes<float, N> to;
#ifdef __F16C__
        if constexpr (N == 4)
            to = bits_as<lanes<float, N>>(_mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(at))));
        else if constexpr (N == 8)
            to = bits_as<lanes<float, N>>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(at))));
#ifdef __AVX512F__
        else
            to = bits_as<lanes<float, N>>( // by maskz: gcc 12 warns of what the plain one passes
                _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(at))));
#endif
#else
        uint16_t from[N];
        float of[N];
        __builtin_memcpy(from, at, sizeof from);
        for (size_t i = 0; i < N; i++)
            of[i] = wf_f16_value(from[i]);
        to = load<lanes<float, N>>(reinterpret_cast<const char *>(of));
#endif
        return lift<To, float, N>(reinterpret_cast<const char *>(&to));
    } else if constexpr (std::is_same_v<To, double> && std::is_same_v<Element, uint32_t>) {
        // There is an instruction for signed numbers alone; both steps are exact.
        uint32_t from[N];
        int32_t shifted[N];
        __builtin_memcpy(from, at, sizeof from);
        for (size_t i = 0; i < N; i++)
            shifted[i] = static_cast<int32_t>(from[i] ^ 0x80000000u);
        return convert(shifted) + 2147483648.0;
    } else if constexpr (std::is_same_v<To, double> && std::is_integral_v<Element> && sizeof(Element) < 4) {
        Element from[N];
        int32_t wide[N]; // compilers do not find this step themselves
        __builtin_memcpy(from, at, sizeof from);
        for (size_t i = 0; i < N; i++)
            wide[i] = from[i];
        return convert(wide);
    } else {
        Element from[N];
        __builtin_memcpy(from, at, sizeof from);
        return convert(from);
    }
}

// One element, likewise.
template <class To, class Element>
inline To lift_one(const char *at) {
    if constexpr (std::is_same_v<Element, bf16>) {
        return static_cast<To>(wf_bf16_value(load<uint16_t>(at)));
    } else if constexpr (std::is_same_v<Element, f16>) {
        char four[8] = {};
        __builtin_memcpy(four, at, 2);
        return static_cast<To>(lift<float, f16, 4>(four)[0]);
    } else {
        return static_cast<To>(load<Element>(at));
    }
}

// Of a number, or of each in a vector. Integers are unsigned, also if they stand for signed ones.
template <bool Signed, class A>
inline A magnitude_of(A x) {
    if constexpr (std::is_integral_v<A>) {
        return Signed && x >> (8 * sizeof x - 1) != 0 ? -x : x;
    } else if constexpr (std::is_floating_point_v<A>) {
        return x < 0 ? -x : x;
    } else {
        using number = std::decay_t<decltype(x[0])>;
        if constexpr (std::is_floating_point_v<number>) { // without the sign
            using word = std::conditional_t<sizeof(number) == 8, uint64_t, uint32_t>;
            return bits_as<A>(bits_as<lanes<word, sizeof(A) / sizeof(word)>>(x) & (~word(0) >> 1));
        } else if constexpr (Signed) {
            return (x >> (8 * sizeof(number) - 1)) != A{} ? -x : x;
        } else {
            return x;
        }
    }
}

// Folds the lanes of a vector into one number, halving it.
template <class T, size_t N, class Join>
inline T fold_lanes(const lanes<T, N> &all, const Join &join) {
    if constexpr (N == 2) {
        return join(T(all[0]), T(all[1]));
    } else {
        lanes<T, N / 2> half[2];
        static_assert(sizeof half == sizeof all, "halves make a whole");
        __builtin_memcpy(half, &all, sizeof all);
        return fold_lanes<T, N / 2>(join(half[0], half[1]), join);
    }
}

// Whether NaN were among vectors of floats. Two are looked at by one instruction, which vectors as such cannot say.
template <class T>
class nan_watch {
    using vector = lanes<T, lane_count<T>>;
#if defined(__AVX512F__)
    __mmask16 seen_ = 0;

  public:
    void look(vector a, vector b) {
        if constexpr (sizeof(T) == 4)
            seen_ = _kor_mask16(seen_, _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q));
        else
            seen_ = _kor_mask16(seen_, _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q));
    }
    bool any() const {
        return seen_ != 0;
    }
#else
    using word = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    lanes<word, lane_count<T>> seen_ = {};

  public:
    void look(vector a, vector b) {
#if defined(__AVX2__)
        if constexpr (sizeof(T) == 4)
            seen_ |= bits_as<decltype(seen_)>(_mm256_cmp_ps(a, b, _CMP_UNORD_Q));
        else
            seen_ |= bits_as<decltype(seen_)>(_mm256_cmp_pd(a, b, _CMP_UNORD_Q));
#elif defined(__x86_64__)
        if constexpr (sizeof(T) == 4)
            seen_ |= bits_as<decltype(seen_)>(_mm_cmpunord_ps(a, b));
        else
            seen_ |= bits_as<decltype(seen_)>(_mm_cmpunord_pd(a, b));
#else
        seen_ |= (a != a) | (b != b);
#endif
    }
    bool any() const {
        return fold_lanes<uint64_t, lane_count<uint64_t>>(bits_as<lanes<uint64_t, lane_count<uint64_t>>>(seen_),
                                                          [](auto a, auto b) { return a | b; }) != 0;
    }
#endif
};

} // namespace
} // namespace wf::host::native
#endif
