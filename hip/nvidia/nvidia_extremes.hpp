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
        for (unsigned k = 0; k < 4; k++) { // over the words by their addresses it was not unrolled for descriptions
            const uint32_t word = from.words[k];
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

template <class Element>
__device__ __forceinline__ uint32_t largest_floats(uint32_t a, uint32_t b) {
    uint32_t largest;
    if constexpr (std::is_same_v<Element, f16>) {
        asm("max.f16x2 %0, %1, %2;" : "=r"(largest) : "r"(a), "r"(b));
    } else if constexpr (std::is_same_v<Element, bf16>) {
        asm("max.bf16x2 %0, %1, %2;" : "=r"(largest) : "r"(a), "r"(b));
    } else {
        float of_floats;
        asm("max.f32 %0, %1, %2;" : "=f"(of_floats) : "f"(bits_as<float>(a)), "f"(bits_as<float>(b)));
        largest = bits_as<uint32_t>(of_floats);
    }
    return largest;
}

// The extremes of all packs are found first, and compared by their ranks.
template <class Element>
class extremes_watch<Element, std::enable_if_t<is_float<Element> && sizeof(Element) <= 4>> {
  public:
    using rank = typename ranks<Element>::rank;
    __device__ __forceinline__ void expect(rank least, rank largest) {
        least_ = least;
        largest_ = largest;
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_below(const element_pack<Element> (&packs)[Packs]) const {
        const auto least = extreme_of(packs, [](uint32_t a, uint32_t b) { return least_floats<Element, false>(a, b); });
        return ranks<Element>::of(least, least_) < least_;
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_above(const element_pack<Element> (&packs)[Packs]) const {
        const auto largest = extreme_of(packs, [](uint32_t a, uint32_t b) { return largest_floats<Element>(a, b); });
        return ranks<Element>::of(largest, largest_) > largest_;
    }

  private:
    template <unsigned Packs, class Choice>
    static __device__ __forceinline__ Element extreme_of(const element_pack<Element> (&packs)[Packs],
                                                         const Choice &choice) {
        uint32_t word = fold_tree<4 * Packs>(choice, [&](unsigned k) { return packs[k / 4].words[k % 4]; });
        if constexpr (sizeof(Element) == 2)
            word = choice(word, word >> 16);
        Element extreme;
        memcpy(&extreme, &word, sizeof extreme);
        return extreme;
    }
    rank least_ = ranks<Element>::most, largest_ = ranks<Element>::least;
};

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
        constexpr uint32_t one = float_format<Element>::infinity,
                           infinity = sizeof(Element) == 4 ? one : one << 16 | one;
        return propagates() ? infinity : 0x7fff7fffu;
    }
    const extreme<Element> &op_;
    uint32_t least_;
};
#endif

// The hardware's minimum that passes over NaN; it takes -0 for less than +0.
__device__ __forceinline__ float least_number(float a, float b) {
    float least;
    asm("min.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    return least;
}

__device__ __forceinline__ double least_number(double a, double b) {
    double least;
    asm("min.f64 %0, %1, %2;" : "=d"(least) : "d"(a), "d"(b));
    return least;
}

// The least of what packs have, with signs turned round if the largest is asked for; NaN are passed over, and told.
template <class Float>
class least_of_packs {
  public:
    using bits = std::conditional_t<sizeof(Float) == 8, uint64_t, uint32_t>;
    __device__ __forceinline__ least_of_packs(const extreme<Float> &op, Float start)
        : sign_(bits(op.flip) & bits(1) << (8 * sizeof(bits) - 1)), least_(start) {}
    // Whether the pack has a NaN.
    __device__ __forceinline__ bool add_pack(const element_pack<Float> &from) {
        const auto least = [](Float a, Float b) { return least_number(a, b); };
        bool has_nan = false;
        const Float of_pack = fold_tree<element_pack<Float>::size>(least, [&](unsigned k) {
            const auto element = bits_as<Float>(bits(bits_as<bits>(from[k]) ^ sign_));
            has_nan |= element != element;
            return element;
        });
        least_ = least(least_, of_pack);
        return has_nan;
    }
    __device__ __forceinline__ bits turned() const { return bits_as<bits>(least_); }
    __device__ __forceinline__ Float element() const { return bits_as<Float>(bits(turned() ^ sign_)); }

  private:
    bits sign_;
    Float least_;
};

// f64 has no minimum that propagates NaN.
template <>
class extreme_finder<double> {
  public:
    explicit __device__ __forceinline__ extreme_finder(const extreme<double> &op)
        : op_(op), packs_(op, bits_as<double>(propagates() ? infinity : not_a_number)) {}
    __device__ __forceinline__ void add_pack(const element_pack<double> &from) {
        const bool has_nan = packs_.add_pack(from);
        has_nan_ |= has_nan;
    }
    __device__ __forceinline__ auto found() const {
        return has_nan_ && propagates() ? op_.nan : op_.lift(packs_.element(), 0);
    }

  private:
    // What changes nothing.
    static constexpr uint64_t infinity = float_format<double>::infinity, not_a_number = ~float_format<double>::sign;
    __device__ __forceinline__ bool propagates() const { return op_.nan == ranks<double>::least; }
    const extreme<double> &op_;
    least_of_packs<double> packs_;
    bool has_nan_ = false;
};

// One comparison for an element and an extreme, where a minimum takes eight instructions.
template <>
class extremes_watch<double> {
  public:
    using rank = typename ranks<double>::rank;
    __device__ __forceinline__ void expect(rank least, rank largest) {
        const double infinity = std::numeric_limits<double>::infinity();
        least_ = least == ranks<double>::most ? infinity : ranks<double>::back(least); // of NaN: nothing is below
        largest_ = largest == ranks<double>::least ? -infinity : ranks<double>::back(largest);
        // Zeros are equal, and -0 ranks below +0: so any number with a sign is below +0, and no number needs to be less
        // than 0 to be below. Any zero counts for above -0, which costs time alone.
        is_plus_zero_ = bits_as<uint64_t>(least_) == 0;
        if (largest_ == 0 && bits_as<uint64_t>(largest_) != 0)
            largest_ = -std::numeric_limits<double>::denorm_min();
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_below(const element_pack<double> (&packs)[Packs]) const {
        bool any = false;
        uint32_t signs = 0;
#pragma unroll
        for (const element_pack<double> &pack : packs) {
#pragma unroll
            for (unsigned k = 0; k < pack.size; k++) {
                any |= pack[k] < least_;
                signs |= uint32_t(pack.words[k] >> 32);
            }
        }
        return any || (is_plus_zero_ && signs >> 31 != 0);
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_above(const element_pack<double> (&packs)[Packs]) const {
        bool any = false;
#pragma unroll
        for (const element_pack<double> &pack : packs)
#pragma unroll
            for (unsigned k = 0; k < pack.size; k++)
                any |= pack[k] > largest_;
        return any;
    }

  private:
    double least_ = std::numeric_limits<double>::infinity(), largest_ = -std::numeric_limits<double>::infinity();
    bool is_plus_zero_ = false;
};

// A pack is better if the least changes by it, or if it has the first NaN of those that propagate.
template <class Float>
class running_extreme<Float, std::enable_if_t<std::is_floating_point_v<Float>>> {
  public:
    explicit __device__ __forceinline__ running_extreme(const extreme<Float> &op)
        : op_(op), packs_(op, std::numeric_limits<Float>::quiet_NaN()) {}
    __device__ __forceinline__ void become(const running_extreme &other) {
        packs_ = other.packs_;
        is_nan_ = other.is_nan_;
    }
    __device__ __forceinline__ bool improved_by(const element_pack<Float> &from) {
        const auto before = packs_.turned();
        const bool has_nan = packs_.add_pack(from) & (op_.nan == ranks<Float>::least);
        const bool better = (!is_nan_) & (has_nan | (packs_.turned() != before)); // no branches
        is_nan_ |= has_nan;
        return better;
    }
    __device__ __forceinline__ auto found() const { return is_nan_ ? op_.nan : op_.lift(packs_.element(), 0); }

  private:
    const extreme<Float> &op_;
    least_of_packs<Float> packs_;
    bool is_nan_ = false;
};

} // namespace wf

#endif
