// exact_policy: what an exact sum's kernel is compiled for; exact_arguments: what it gets.
#ifndef WAVEFOLD_REDUCE_EXACT_EXACT_POLICY_HPP
#define WAVEFOLD_REDUCE_EXACT_EXACT_POLICY_HPP

#include "../../atomic.hpp"
#include "../packed_array.hpp"
#include "../reduce_result.hpp"
#include "exact_request.hpp"
#include "wave_window_sample.hpp"

namespace wf {

// Terms: thread_terms of the element, for one wave width; Aligned: as packed_array; Extra: the reduction over the same
// loads, as extra_accumulator.hpp says.
template <class Terms, bool Aligned, class Extra>
struct exact_policy {
    using terms = Terms;
    using element = typename Terms::element_type;
    using bits = typename Terms::bits;
    using source = packed_array<element, Aligned>;
    using window = window_sample<Terms, source>;
    using extra = Extra;
    template <bool IsLong>
    using accumulator = typename Extra::template accumulator<source, Terms::width, IsLong>;
    static constexpr unsigned width = Terms::width;
    // From a copy nvcc loads each argument once. Sums of unaligned f64 in integers have no registers for that on sm_90.
    static constexpr bool copies_arguments = Terms::in_f64 || Aligned || sizeof(element) < 8 || !Extra::is_none;
};

// Threads of a tile of the kernel for long arrays, at most: tile memory holds a group of packs for each thread.
constexpr unsigned exact_long_tile = 256;

// In the order in which a kernel needs them; but the result's place, which is needed last, shares a line with the
// ticket.
template <class Policy>
struct exact_arguments {
    launch_shape shape;
    typename Policy::source source;
    typename Policy::bits keep; // the bits of an element that count
    ticket_view ticket;         // 0 between launches
    reduce_result<void> to;
    exact_request want;          // its words are zeros between sums
    word_view tile_status_words; // zeros between launches
    typename Policy::extra::request extra;
};

template <class Policy>
using local_arguments =
    std::conditional_t<Policy::copies_arguments, const exact_arguments<Policy>, const exact_arguments<Policy> &>;

template <class Policy>
__device__ __forceinline__ typename Policy::bits kept_bits(const exact_arguments<Policy> &given) {
    return Policy::extra::keeps_all_bits ? typename Policy::bits(~0ull) : given.keep;
}

} // namespace wf
#endif
