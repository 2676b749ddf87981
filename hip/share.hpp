// What a thread makes of its share of an array: elements come in packs of 16 bytes, and one at a time.
//
// A pack is folded first, and where that needs fewer instructions than its elements one by one, in another way: narrow
// integers are added in 32 bits, and NVIDIA's extremes are found by minima of two narrow numbers at a time.
#ifndef WAVEFOLD_SHARE_HPP
#define WAVEFOLD_SHARE_HPP

#include "gather.hpp"
#include "wide_ops.hpp"

namespace wf {

template <class T>
constexpr bool is_narrow = std::is_integral_v<T> && sizeof(T) <= 2;

// Threads of a tile, at the most, where a value leaves registers for so many.
template <class Op>
constexpr unsigned largest_tile_of = largest_tile;

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
__device__ __forceinline__ auto fold_pack(const Op &op, const pack_of<Element> &from) {
    return fold_tree<pack_of<Element>::size>(op, [&](unsigned k) { return op.lift(from[k], k); });
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
    __device__ __forceinline__ void take(const pack_of<Element> &from) { best_ = op_(best_, fold_pack(op_, from)); }
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
    __device__ __forceinline__ void take(const pack_of<Element> &from) {
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
    __device__ __forceinline__ void take(const pack_of<Element> &from) {
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
    __device__ __forceinline__ uint32_t with(const pack_of<Element> &from) const {
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

// ---- What is gathered: take(pack, its number), settle() after every few packs, take_one(element, index) ---------------

template <class Op, class = void>
class share {
  public:
    using element = typename Op::element;
    explicit __device__ __forceinline__ share(const Op &op) : op_(op) {}
    __device__ __forceinline__ void take(const pack_of<element> &from, unsigned) {
        total_ = op_(total_, fold_pack(op_, from));
        if constexpr (is_narrow<element>)
            hide_origin(total_);
    }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(element from, size_t i) { total_ = op_(total_, op_.lift(from, i)); }
    template <class Packed>
    __device__ __forceinline__ auto total(const Packed &, unsigned) const {
        return total_;
    }

  private:
    const Op &op_;
    decltype(Op::identity()) total_ = Op::identity();
};

// Sums of narrow integers: a few packs fit 32 bits.
template <class Element, class Accumulator>
class share<adds<Element, Accumulator>, std::enable_if_t<is_narrow<Element>>> {
  public:
    explicit __device__ __forceinline__ share(const adds<Element, Accumulator> &) {}
    __device__ __forceinline__ void take(const pack_of<Element> &from, unsigned) {
        if constexpr (sizeof(Element) == 1) {
#pragma unroll
            for (const uint32_t word : from.words)
                few_ = add_bytes<Element>(word, few_);
        } else {
            few_ += fold_tree<8>(sum<int32_t>(), [&](unsigned k) { return int32_t(from[k]); });
        }
        hide_origin(few_);
    }
    __device__ __forceinline__ void settle() {
        total_ = add(total_, Accumulator(few_));
        few_ = 0;
    }
    __device__ __forceinline__ void take_one(Element from, size_t) {
        total_ = add(total_, Accumulator(from));
    }
    template <class Packed>
    __device__ __forceinline__ Accumulator total(const Packed &, unsigned) const {
        return total_;
    }

  private:
    static_assert(gather_in_flight <= 64, "so many packs between two calls of settle() fit 32 bits");
    int32_t few_ = 0;
    Accumulator total_ = 0;
};

template <class Element>
class share<extreme<Element>> {
  public:
    explicit __device__ __forceinline__ share(const extreme<Element> &op) : op_(op), packs_(op) {}
    __device__ __forceinline__ void take(const pack_of<Element> &from, unsigned) { packs_.take(from); }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(Element from, size_t i) { one_ = op_(one_, op_.lift(from, i)); }
    template <class Packed>
    __device__ __forceinline__ auto total(const Packed &, unsigned) const {
        return op_(one_, packs_.found());
    }

  private:
    const extreme<Element> &op_;
    extreme_finder<Element> packs_;
    typename extreme<Element>::rank one_ = extreme<Element>::identity();
};

template <class Element>
class share<extremes<Element>> {
  public:
    explicit __device__ __forceinline__ share(const extremes<Element> &op) : low_(op.low), high_(op.high) {}
    __device__ __forceinline__ void take(const pack_of<Element> &from, unsigned p) {
        low_.take(from, p);
        high_.take(from, p);
    }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(Element from, size_t i) {
        low_.take_one(from, i);
        high_.take_one(from, i);
    }
    template <class Packed>
    __device__ __forceinline__ auto total(const Packed &source, unsigned first) const {
        return typename extremes<Element>::pair{low_.total(source, first), high_.total(source, first)};
    }

  private:
    share<extreme<Element>> low_, high_;
};

// The extreme, and of the first pack that has it the first index: packs come with ascending numbers, so a later one must
// be better to count. Where in the pack it stands is looked for once, by resolved().
template <class Element>
class place_finder {
  public:
    using place = typename first_extreme<Element>::place;
    explicit __device__ __forceinline__ place_finder(const first_extreme<Element> &op) : op_(op), pack_(op.which) {}

    __device__ __forceinline__ void take(const pack_of<Element> &from, unsigned p) {
        pack_.take(from);
        const rank found = pack_.found();
        if (found < best_) {
            best_ = found;
            best_pack_ = p;
        }
        pack_.restart();
    }
    __device__ __forceinline__ void settle() {}
    __device__ __forceinline__ void take_one(Element from, size_t i) { one_ = op_(one_, op_.lift(from, i)); }
    // first: the thread's first pack. It is the best if none was better than nothing, unless that is what is passed over.
    template <class Packed>
    __device__ __forceinline__ place total(const Packed &source, unsigned first) const {
        const unsigned p = best_pack_ != none ? best_pack_ : is_float<Element> ? none : first;
        return p < source.packs() ? op_(one_, place{uint64_t(best_), source.index_of(p)}) : one_;
    }

  private:
    using rank = typename first_extreme<Element>::rank;
    static constexpr unsigned none = ~0u;
    const first_extreme<Element> &op_;
    extreme_finder<Element> pack_;
    unsigned best_pack_ = none;
    rank best_ = extreme<Element>::identity();
    place one_ = first_extreme<Element>::identity();
};

// What a part of an array came to, in the indices of the whole array, of which it starts at element first; places of packs
// become those of elements.
template <class Op, class Value, class Packed>
__device__ __forceinline__ Value resolved(const Op &, const Value &value, const Packed &, uint64_t) {
    return value;
}

template <class Element, class Packed>
__device__ __forceinline__ auto resolved(const first_extreme<Element> &op, typename first_extreme<Element>::place value,
                                         const Packed &source, uint64_t first) {
    if (value.index == first_extreme<Element>::nowhere)
        return value;
    size_t i = value.index;
#pragma unroll 1
    for (unsigned k = 1; k < Packed::loads && op.lift(source.read(i), i).rank_bits != value.rank_bits; k++)
        i++;
    value.index = first + i;
    return value;
}

template <class Element>
class share<first_extreme<Element>> : public place_finder<Element> {
  public:
    using place_finder<Element>::place_finder;
};

} // namespace wf
#endif
