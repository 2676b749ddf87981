// What a thread makes of its share of an array: elements come in packs of 16 bytes, and one at a time.
//
// A pack is folded first, and where that needs fewer instructions than its elements one by one, in another way: narrow
// integers are added in 32 bits, extremes of floats are found by the hardware's minimum.
#ifndef WAVEFOLD_SHARE_HPP
#define WAVEFOLD_SHARE_HPP

#include "gather.hpp"
#include "wide_ops.hpp"

namespace wf {

// ---- Folds of one pack ----------------------------------------------------------------------------------------------

// As a tree, so that no step waits for more than its own operands. lift(k) makes what is folded of element k.
template <unsigned Count, class Op, class Lift>
__device__ __forceinline__ auto fold_tree(const Op &op, const Lift &lift) {
    decltype(lift(0u)) values[Count];
#pragma unroll
    for (unsigned k = 0; k < Count; k++)
        values[k] = lift(k);
#pragma unroll
    for (unsigned apart = Count / 2; apart > 0; apart /= 2)
#pragma unroll
        for (unsigned k = 0; k < apart; k++)
            values[k] = op(values[k], values[k + apart]);
    return values[0];
}

template <class Op, class Element, unsigned Count>
__device__ __forceinline__ auto fold_pack(const Op &op, const pack<Element, Count> &from) {
    return fold_tree<Count>(op, [&](unsigned k) { return op.lift(from.element[k], k); });
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

#if defined(__CUDA_ARCH__)
// The least of narrow integers, two in a word: from compute capability 9 on that is one instruction. flip: all ones makes
// it the largest.
template <class Element>
__device__ __forceinline__ Element narrow_extreme(const pack<Element, 16 / sizeof(Element)> &from, uint32_t flip) {
    uint32_t words[4];
    memcpy(words, &from, sizeof words);
    const auto of_two = [](uint32_t a, uint32_t b) {
        return std::is_signed_v<Element> ? __vmins2(a, b) : __vminu2(a, b);
    };
    const auto of_words = [&](const auto &part) {
        return of_two(of_two(part(words[0]), part(words[1])), of_two(part(words[2]), part(words[3])));
    };
    if constexpr (sizeof(Element) == 2) {
        const uint32_t both = of_words([=](uint32_t word) { return word ^ flip; });
        return Element(of_two(both, both >> 16) ^ flip);
    } else { // every other byte is the upper one of a halfword
        constexpr uint32_t upper = 0xff00ff00u;
        const uint32_t both = of_two(of_words([=](uint32_t word) { return (word & upper) ^ flip; }),
                                     of_words([=](uint32_t word) { return (word << 8 & upper) ^ flip; }));
        return Element((of_two(both, both >> 16) ^ flip) >> 8);
    }
}

template <class Element, std::enable_if_t<std::is_integral_v<Element> && sizeof(Element) <= 2, int> = 0>
__device__ __forceinline__ auto fold_pack(const extreme<Element> &op, const pack<Element, 16 / sizeof(Element)> &from) {
    return op.lift(narrow_extreme(from, uint32_t(op.flip)), 0);
}
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// The hardware's minimum takes -0 for less than +0, and propagates NaN or passes over it, as asked (PTX ISA, min). Words
// of one float, or of two narrow ones.
template <class Element, bool Propagate>
__device__ __forceinline__ uint32_t least_of_two(uint32_t a, uint32_t b) {
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

// negate: the signs' bits make the largest of it.
template <bool Propagate, class Element>
__device__ __forceinline__ Element hardware_extreme(const pack<Element, 16 / sizeof(Element)> &from, uint32_t negate) {
    uint32_t words[4];
    memcpy(words, &from, sizeof words);
    const auto of_two = [](uint32_t a, uint32_t b) { return least_of_two<Element, Propagate>(a, b); };
    uint32_t least = of_two(of_two(words[0] ^ negate, words[1] ^ negate), of_two(words[2] ^ negate, words[3] ^ negate));
    if constexpr (sizeof(Element) == 2)
        least = of_two(least, least >> 16);
    least ^= negate;
    Element found;
    memcpy(&found, &least, sizeof found);
    return found;
}

template <class Element, std::enable_if_t<is_float<Element> && sizeof(Element) <= 4, int> = 0>
__device__ __forceinline__ auto fold_pack(const extreme<Element> &op, const pack<Element, 16 / sizeof(Element)> &from) {
    const uint32_t negate = uint32_t(op.flip) & (sizeof(Element) == 2 ? 0x80008000u : 0x80000000u);
    Element found = hardware_extreme<true>(from, negate);
    if (op.nan == ranks<Element>::most && is_nan(found)) // one to be passed over
        found = hardware_extreme<false>(from, negate);
    return op.lift(found, 0);
}
#endif

template <class Element, unsigned Count>
__device__ __forceinline__ auto fold_pack(const extremes<Element> &op, const pack<Element, Count> &from) {
    return typename extremes<Element>::pair{fold_pack(op.low, from), fold_pack(op.high, from)};
}

// ---- What is gathered: take(pack, its number), settle() after every few packs, take_one(element, index) ---------------

template <class Op, class = void>
class share {
  public:
    using element = typename Op::element;
    explicit __device__ __forceinline__ share(const Op &op) : op_(op) {}
    __device__ __forceinline__ void take(const typename packed_array<element>::elements &from, unsigned) {
        total_ = op_(total_, fold_pack(op_, from));
    }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(element from, size_t i) { total_ = op_(total_, op_.lift(from, i)); }
    __device__ __forceinline__ auto total(const packed_array<element> &, unsigned) const { return total_; }

  private:
    const Op &op_;
    decltype(Op::identity()) total_ = Op::identity();
};

template <class T>
constexpr bool is_narrow = std::is_integral_v<T> && sizeof(T) <= 2;

// Sums of narrow integers: a few packs fit 32 bits.
template <class Element, class Accumulator>
class share<adds<Element, Accumulator>, std::enable_if_t<is_narrow<Element>>> {
  public:
    explicit __device__ __forceinline__ share(const adds<Element, Accumulator> &) {}
    __device__ __forceinline__ void take(const typename packed_array<Element>::elements &from, unsigned) {
        if constexpr (sizeof(Element) == 1) {
            uint32_t words[4];
            memcpy(words, &from, sizeof words);
#pragma unroll
            for (const uint32_t word : words)
                few_ = add_bytes<Element>(word, few_);
        } else {
            few_ += fold_tree<8>(sum<int32_t>(), [&](unsigned k) { return int32_t(from.element[k]); });
        }
    }
    __device__ __forceinline__ void settle() {
        total_ = add(total_, Accumulator(few_));
        few_ = 0;
    }
    __device__ __forceinline__ void take_one(Element from, size_t) {
        total_ = add(total_, Accumulator(from));
    }
    __device__ __forceinline__ Accumulator total(const packed_array<Element> &, unsigned) const {
        return total_;
    }

  private:
    static_assert(gather_in_flight <= 64, "so many packs between two calls of settle() fit 32 bits");
    int32_t few_ = 0;
    Accumulator total_ = 0;
};

// Where the extreme stands first. Of packs, only the extreme is found and compared; the index within the best pack is
// looked for once, at the end. Packs come with ascending numbers, so a later one must be better to count.
template <class Element>
class place_finder {
  public:
    using elements = typename packed_array<Element>::elements;
    using place = typename first_extreme<Element>::place;
    explicit __device__ __forceinline__ place_finder(const first_extreme<Element> &op) : op_(op) {}

    __device__ __forceinline__ void take(const elements &from, unsigned p) {
        const rank best = fold_pack(op_.which, from);
        if (best < best_) {
            best_ = best;
            pack_ = p;
        }
    }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(Element from, size_t i) { one_ = op_(one_, op_.lift(from, i)); }
    // first_pack: of this thread. It is the best one if none was better than nothing.
    __device__ __forceinline__ place total(const packed_array<Element> &source, unsigned first_pack) const {
        const unsigned best = pack_ != none ? pack_ : first_pack;
        place found = one_;
        if (best < source.packs()) {
            const size_t first = source.index_of(best);
#pragma unroll 1
            for (unsigned k = 0; k < packed_array<Element>::loads; k++)
                found = op_(found, op_.lift(source.read(first + k), first + k));
        }
        return found;
    }

  private:
    using rank = typename first_extreme<Element>::rank;
    static constexpr unsigned none = ~0u;
    const first_extreme<Element> &op_;
    rank best_ = extreme<Element>::identity();
    unsigned pack_ = none;
    place one_ = first_extreme<Element>::identity();
};

template <class Element>
class share<first_extreme<Element>> : public place_finder<Element> {
  public:
    using place_finder<Element>::place_finder;
};

} // namespace wf
#endif
