// exact_request: what an exact sum's kernel makes of the sum; and how a rounded sum is stored.
#ifndef WAVEFOLD_REDUCE_EXACT_EXACT_REQUEST_HPP
#define WAVEFOLD_REDUCE_EXACT_EXACT_REQUEST_HPP

#include "exact_value.hpp"

#include <cstdint>

namespace wf {

// The plan of an exact sum, as a kernel's argument.
struct exact_request {
    uint8_t digits, exponent_bits; // of the result's type
    uint8_t averages, result;      // wf_exact_result
    uint8_t is_first, is_last;     // of the launches that the sum takes
    uint8_t ignores_nan;           // NaN do not count as elements
    uint8_t is_usual;              // one launch takes all elements and rounds their sum, to usual_format()
    uint64_t count;                // elements of all launches
    int64_t *words;           // WF_SUM_WORDS: the sum, then nans, positive_infinities, negative_infinities and others
    uint32_t request;         // for the check of a message
    uint32_t lets_next_start; // launches of many tiles let the next kernel start early
};

// Usual sums are rounded to the elements' type where that saves instructions, otherwise to any type.
template <class Element>
constexpr bool usual_is_own = sizeof(Element) > 2;

template <class Element>
__device__ __forceinline__ wf_float_format usual_format(const exact_request &want) {
    using format = float_format<Element>;
    const wf_float_format own = {format::digits, format::exponent_bits}, any = {want.digits, want.exponent_bits};
    return usual_is_own<Element> ? own : any;
}

// Stores a float of 8, 4 or 2 bytes: float_format admits no other size.
__device__ __forceinline__ void store_sum(void *result, wf_float_format format, uint64_t bits) {
    const int bytes = (format.digits + format.exponent_bits) / 8;
    if (bytes == 8)
        array_view<uint64_t>(static_cast<uint64_t *>(result), 1)[0] = bits;
    else if (bytes == 4)
        array_view<uint32_t>(static_cast<uint32_t *>(result), 1)[0] = uint32_t(bits);
    else
        array_view<uint16_t>(static_cast<uint16_t *>(result), 1)[0] = uint16_t(bits);
}

} // namespace wf
#endif
