// The order of keys: a code for each, which unsigned integers compare by. For kernels and for the CPU.
#ifndef WAVEFOLD_SORT_KEY_ORDER_HPP
#define WAVEFOLD_SORT_KEY_ORDER_HPP

#include "../gpu.hpp"
#include "algebra.h"

namespace wf {

// A bijection from the bits of a key to its code: codes compare as unsigned integers in the order that wavefold.h says.
// All bits survive, those of NaN too. Floats grow with their bits where they are positive and fall where they are
// negative; what lies below -infinity then are the negative NaN's, and a subtraction wraps them round to the others.
template <class U>
struct key_order {
    U magnitude; // what is flipped in keys with the sign bit: all others of a float
    U sign;      // what is flipped in every key: the sign bit of types that have one
    U nans;      // how many negative NaN's there are
    U reverse;   // all ones if the largest comes first

    __device__ __forceinline__ U encode(U key) const { return U(U((flip(key) ^ sign) - nans) ^ reverse); }
    __device__ __forceinline__ U decode(U code) const { return flip(U(U(U(code ^ reverse) + nans) ^ sign)); }

  private:
    __device__ __forceinline__ U flip(U key) const {
        return U(key ^ (magnitude & U(U(0) - (key >> (8 * sizeof(U) - 1)))));
    }
};

// How keys of the type are coded (see key_order).
template <class U>
key_order<U> key_order_of(wf_type type, bool descending) {
    constexpr U sign = U(U(1) << (8 * sizeof(U) - 1));
    const U reverse = descending ? U(~U(0)) : U(0);
    if (wf_type_is_float(type)) {
        const unsigned mantissa_bits = type == WF_F64 ? 52 : type == WF_F32 ? 23 : type == WF_F16 ? 10 : 7;
        const U nans = U((uint64_t(1) << mantissa_bits) - 1); // mantissas other than infinity's
        return {U(~sign), sign, nans, reverse};
    }
    return {0, wf_type_is_signed(type) ? sign : U(0), 0, reverse};
}

} // namespace wf
#endif
