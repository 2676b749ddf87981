// The fold of one pack of 16 bytes, and where it takes fewer instructions than its elements one by one, in another way:
// bytes are added four at a time in 32 bits, and NVIDIA's extremes are minima of two narrow numbers at a time.
#ifndef WAVEFOLD_REDUCE_FOLD_PACK_HPP
#define WAVEFOLD_REDUCE_FOLD_PACK_HPP

#include "packed_array.hpp"
#include "reduce_operators.hpp"

namespace wf {

template <class T>
constexpr bool is_narrow = std::is_integral_v<T> && sizeof(T) <= 2;

// ---- Folds of one pack ----------------------------------------------------------------------------------------------

// As a tree, so that no step waits for more than its own operands. (A step is a call: loops of which one counts for the
// other are unrolled too late for the values to become registers.)
template <unsigned Apart, class Op, class Value>
__device__ __forceinline__ void fold_halves(const Op &op, Value *values) {
#pragma unroll
    for (unsigned k = 0; k < Apart; k++)
        values[k] = op(values[k], values[k + Apart]);
    if constexpr (Apart > 1)
        fold_halves<Apart / 2>(op, values);
}

// lift(k) makes what is folded of element k.
template <unsigned Count, class Op, class Lift>
__device__ __forceinline__ auto fold_tree(const Op &op, const Lift &lift) {
    decltype(lift(0u)) values[Count];
#pragma unroll
    for (unsigned k = 0; k < Count; k++)
        values[k] = lift(k);
    if constexpr (Count > 1)
        fold_halves<Count / 2>(op, values);
    return values[0];
}

template <class Op, class Element>
__device__ __forceinline__ auto fold_pack(const Op &op, const element_pack<Element> &from) {
    return fold_tree<element_pack<Element>::size>(op, [&](unsigned k) { return op.lift(from[k], k); });
}

// The sum of four bytes and of what there is. (NVIDIA's one instruction; the others' compilers add byte by byte.)
template <class Byte>
__device__ __forceinline__ int32_t add_bytes(uint32_t bytes, int32_t total) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_signed_v<Byte>)
        return __dp4a(int(bytes), 0x01010101, total);
    else
        return int32_t(__dp4a(bytes, 0x01010101u, uint32_t(total)));
#else
    for (unsigned shift = 0; shift < 32; shift += 8)
        total += int32_t(Byte(bytes >> shift));
    return total;
#endif
}

// ---- Extremes of packs ----------------------------------------------------------------------------------------------

// The extreme of the packs taken since the last call of restart(), as a rank; of none, one that changes nothing.
template <class Element, class = void>
class extreme_finder {
  public:
    using rank = typename extreme<Element>::rank;
    explicit __device__ __forceinline__ extreme_finder(const extreme<Element> &op) : op_(op) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from) {
        best_ = op_(best_, fold_pack(op_, from));
    }
    __device__ __forceinline__ rank found() const { return best_; }
    __device__ __forceinline__ void restart() { best_ = extreme<Element>::identity(); }

  private:
    const extreme<Element> &op_;
    rank best_ = extreme<Element>::identity();
};

#if defined(__CUDA_ARCH__)
// Of narrow integers, two in a word: from compute capability 9 on their minimum is one instruction. All bits flipped, it
// finds the largest.
template <class Element>
class extreme_finder<Element, std::enable_if_t<is_narrow<Element>>> {
  public:
    explicit __device__ __forceinline__ extreme_finder(const extreme<Element> &op) : op_(op) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from) {
        constexpr uint32_t upper = 0xff00ff00u;
        const uint32_t flip = uint32_t(op_.flip);
#pragma unroll
        for (const uint32_t word : from.words) {
            if constexpr (sizeof(Element) == 2) {
                least_ = least(least_, word ^ flip);
            } else { // every other byte is the upper one of a halfword
                least_ = least(least_, (word & upper) ^ flip);
                least_ = least(least_, (word << 8 & upper) ^ flip);
            }
        }
    }
    __device__ __forceinline__ auto found() const {
        const uint32_t both = least(least_, least_ >> 16) ^ uint32_t(op_.flip);
        return op_.lift(Element(sizeof(Element) == 2 ? both : both >> 8), 0);
    }
    __device__ __forceinline__ void restart() {
        least_ = nothing;
    }

  private:
    static __device__ __forceinline__ uint32_t least(uint32_t a, uint32_t b) {
        return std::is_signed_v<Element> ? __vmins2(a, b) : __vminu2(a, b);
    }
    static constexpr uint32_t nothing = std::is_signed_v<Element> ? 0x7fff7fffu : 0xffffffffu;
    const extreme<Element> &op_;
    uint32_t least_ = nothing;
};
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// The hardware's minimum takes -0 for less than +0, and propagates NaN or passes over it, as asked (PTX ISA, min). Words
// of one float, or of two narrow ones.
template <class Element, bool Propagate>
__device__ __forceinline__ uint32_t least_floats(uint32_t a, uint32_t b) {
    uint32_t least;
    if constexpr (std::is_same_v<Element, f16>) {
        if constexpr (Propagate)
            asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
        else
            asm("min.f16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    } else if constexpr (std::is_same_v<Element, bf16>) {
        if constexpr (Propagate)
            asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
        else
            asm("min.bf16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    } else {
        float of_floats;
        if constexpr (Propagate)
            asm("min.NaN.f32 %0, %1, %2;" : "=f"(of_floats) : "f"(bits_as<float>(a)), "f"(bits_as<float>(b)));
        else
            asm("min.f32 %0, %1, %2;" : "=f"(of_floats) : "f"(bits_as<float>(a)), "f"(bits_as<float>(b)));
        least = bits_as<uint32_t>(of_floats);
    }
    return least;
}

// With their signs turned round, the least is the largest.
template <class Element>
class extreme_finder<Element, std::enable_if_t<is_float<Element> && sizeof(Element) <= 4>> {
  public:
    explicit __device__ __forceinline__ extreme_finder(const extreme<Element> &op) : op_(op), least_(nothing()) {}
    __device__ __forceinline__ void add_pack(const element_pack<Element> &from) {
        least_ = propagates() ? with<true>(from) : with<false>(from);
    }
    __device__ __forceinline__ auto found() const {
        uint32_t least = least_;
        if constexpr (sizeof(Element) == 2)
            least = propagates() ? least_floats<Element, true>(least, least >> 16)
                                 : least_floats<Element, false>(least, least >> 16);
        least ^= signs();
        Element one;
        memcpy(&one, &least, sizeof one);
        return op_.lift(one, 0);
    }
    __device__ __forceinline__ void restart() { least_ = nothing(); }

  private:
    template <bool Propagate>
    __device__ __forceinline__ uint32_t with(const element_pack<Element> &from) const {
        const auto least = [](uint32_t a, uint32_t b) { return least_floats<Element, Propagate>(a, b); };
        return least(least_, least(least(from.words[0] ^ signs(), from.words[1] ^ signs()),
                                   least(from.words[2] ^ signs(), from.words[3] ^ signs())));
    }
    __device__ __forceinline__ bool propagates() const { return op_.nan == ranks<Element>::least; }
    __device__ __forceinline__ uint32_t signs() const {
        return uint32_t(op_.flip) & (sizeof(Element) == 2 ? 0x80008000u : 0x80000000u);
    }
    // What changes nothing: infinity, or a NaN if those are passed over.
    __device__ __forceinline__ uint32_t nothing() const {
        constexpr uint32_t infinity = sizeof(Element) == 4           ? 0x7f800000u
                                      : std::is_same_v<Element, f16> ? 0x7c007c00u
                                                                     : 0x7f807f80u;
        return propagates() ? infinity : 0x7fff7fffu;
    }
    const extreme<Element> &op_;
    uint32_t least_;
};
#endif

} // namespace wf
#endif
