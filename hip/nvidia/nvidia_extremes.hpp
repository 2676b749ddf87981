// fold_pack.hpp's extreme_finder by NVIDIA's minima of two narrow numbers at a time, and by its minimum of floats.
#ifndef WAVEFOLD_NVIDIA_NVIDIA_EXTREMES_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_EXTREMES_HPP

namespace wf {

// Of narrow integers, two in a word: from compute capability 9 on their minimum is one instruction. Turned
// as extreme's flip says, bits of signed numbers are ordered as unsigned ones, and the largest is the least.
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

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// The hardware's minimum takes -0 for less than +0, and propagates NaN or passes over it, as asked (PTX ISA, min).
// Words of one float, or of two narrow ones.
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
