// The fold of one pack of 16 bytes, and its extreme, for which a platform may have a better way.
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

// The extreme of the packs so far, as a rank, and whether a pack has a better one than all before it. (A pack of NaN
// that are passed over may count as better than none.)
template <class Element, class = void>
class running_extreme {
  public:
    using rank = typename extreme<Element>::rank;
    explicit __device__ __forceinline__ running_extreme(const extreme<Element> &op) : pack_(op) {}
    // Of the same operator.
    __device__ __forceinline__ void become(const running_extreme &other) { best_ = other.best_; }
    __device__ __forceinline__ bool improved_by(const element_pack<Element> &from) {
        pack_.restart();
        pack_.add_pack(from);
        const rank found = pack_.found();
        const bool better = found < best_;
        best_ = better ? found : best_;
        return better;
    }
    __device__ __forceinline__ rank found() const { return best_; }

  private:
    extreme_finder<Element> pack_;
    rank best_ = extreme<Element>::identity();
};

// Whether packs have a number below the least or above the largest so far. NaN are neither.
template <class Element, class = void>
class extremes_watch {
  public:
    using rank = typename ranks<Element>::rank;
    // Those so far; of none the most and the least rank.
    __device__ __forceinline__ void expect(rank least, rank largest) {
        least_ = least;
        largest_ = largest;
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_below(const element_pack<Element> (&packs)[Packs]) const {
        bool any = false;
        for (const element_pack<Element> &pack : packs)
            for (unsigned k = 0; k < pack.size; k++)
                any |= ranks<Element>::of(pack[k], least_) < least_;
        return any;
    }
    template <unsigned Packs>
    __device__ __forceinline__ bool any_above(const element_pack<Element> (&packs)[Packs]) const {
        bool any = false;
        for (const element_pack<Element> &pack : packs)
            for (unsigned k = 0; k < pack.size; k++)
                any |= ranks<Element>::of(pack[k], largest_) > largest_;
        return any;
    }

  private:
    rank least_ = ranks<Element>::most, largest_ = ranks<Element>::least;
};

} // namespace wf

#if defined(WF_NVIDIA_DEVICE)
#include "../nvidia/nvidia_extremes.hpp"
#endif

#endif
