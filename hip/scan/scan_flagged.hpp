// Scans of segments: an operator that starts anew where a flag is set, so that any scan is one of segments (Blelloch
// 1990, "Prefix sums and their applications").
#ifndef WAVEFOLD_SCAN_SCAN_FLAGGED_HPP
#define WAVEFOLD_SCAN_SCAN_FLAGGED_HPP

#include "scan_operators.hpp"

namespace wf {

// Flags: tells by flags(i) whether a segment begins at element i. Backwards, a segment's scan begins where the next
// segment follows.
template <class Op, class Flags>
struct scan_flagged {
    struct value {
        typename Op::value so_far;
        uint32_t is_fresh; // nothing before counts
    };
    using element = typename Op::element;
    using wide = typename Op::wide;
    using narrow = typename Op::narrow;
    Op op;
    Flags flags;
    scan_initial initial; // of each segment
    uint64_t last;
    uint32_t reverse;

    static __device__ __forceinline__ value identity() { return {Op::identity(), 0}; }
    __device__ __forceinline__ bool begins(uint64_t place) const {
        return place == 0 || (place <= last && flags(reverse != 0 ? last + 1 - place : place));
    }
    __device__ __forceinline__ value load(const element &x, uint64_t place) const {
        const auto loaded = op.load(x, place);
        const bool is_first = begins(place);
        return {is_first ? op(initial_value(op, initial), loaded) : loaded, is_first ? 1u : 0u};
    }
    __device__ __forceinline__ value operator()(const value &a, const value &b) const {
        return {b.is_fresh != 0 ? b.so_far : op(a.so_far, b.so_far), a.is_fresh | b.is_fresh};
    }
    // What is before an element, in an exclusive scan.
    __device__ __forceinline__ value before(const value &all, uint64_t place) const {
        return {begins(place) ? initial_value(op, initial) : all.so_far, 0};
    }
    __device__ __forceinline__ wide as_wide(const value &x) const { return op.as_wide(x.so_far); }
    __device__ __forceinline__ narrow as_narrow(const value &x) const { return op.as_narrow(x.so_far); }
};

// Other operators take what is before an element as it is.
template <class Op, class Value>
__device__ __forceinline__ const Value &value_before(const Op &, const Value &all, uint64_t) {
    return all;
}
template <class Op, class Flags>
__device__ __forceinline__ typename scan_flagged<Op, Flags>::value
value_before(const scan_flagged<Op, Flags> &op, const typename scan_flagged<Op, Flags>::value &all, uint64_t place) {
    return op.before(all, place);
}

template <class Op, class Flags>
__device__ __forceinline__ typename scan_flagged<Op, Flags>::value initial_value(const scan_flagged<Op, Flags> &op,
                                                                                 const scan_initial &) {
    return op.identity(); // each segment has its own
}

} // namespace wf
#endif
