// Launches of exact sums, and of descriptions of floats: the kernel that suits the request and the array.
#ifndef WAVEFOLD_REDUCE_EXACT_EXACT_LAUNCH_HPP
#define WAVEFOLD_REDUCE_EXACT_EXACT_LAUNCH_HPP

#include "../launch_choices.hpp"
#include "describe_floats.hpp"

#include "exact.hip"
#include "exact_cluster.hip"
#include "exact_long.hip"

namespace wf {

template <class Element>
typename sum_alone<Element>::request extra_request(sum_alone<Element>, const wf_reduce_request &) {
    return {};
}
template <class Element>
typename describes_floats<Element>::request extra_request(describes_floats<Element>, const wf_reduce_request &what) {
    return {static_cast<uint64_t *>(what.carry), what.first, share_of(what.whole_count)};
}

// The policies of one array; which of them is launched depends on the device.
template <class Element, bool Squares, bool Aligned, class Extra>
struct exact_policies {
    using element = Element;
    using extra = Extra;
    static constexpr bool squares = Squares, aligned = Aligned;
    template <bool InF64, unsigned Width>
    using policy = exact_policy<thread_terms<Element, Squares, InF64, Width>, Aligned, Extra>;
};

template <class Policy>
exact_request exact_request_of(const wf_reduce_request &what, uint32_t lets_next) {
    using extra = typename Policy::extra;
    using element = typename Policy::element;
    const wf_type_facts to = wf_facts_of_type(what.accumulator);
    const bool averages = what.op == WF_MEAN, is_whole = what.is_first != 0 && what.is_last != 0;
    const bool is_usual = extra::is_none && is_whole && !averages && what.exact_result == WF_EXACT_ROUNDED &&
                          (!usual_is_own<element> || what.accumulator == what.type);
    exact_request want = {};
    want.digits = uint8_t(to.digits);
    want.exponent_bits = uint8_t(to.exponent_bits);
    want.averages = averages;
    want.result = uint8_t(what.exact_result);
    want.is_first = what.is_first != 0;
    want.is_last = what.is_last != 0;
    want.ignores_nan = what.nan == WF_NAN_IGNORE; // of descriptions alone
    want.is_usual = is_usual;
    want.count = what.whole_count;
    want.words = static_cast<int64_t *>(what.sum_words);
    want.request = what.request;
    want.lets_next_start = lets_next;
    return want;
}

// The bits of an element that its term keeps.
template <class Bits>
Bits bits_of_term(wf_term term) {
    const Bits all = Bits(~Bits(0)), magnitude = Bits(all >> 1);
    switch (term) {
    case WF_TERM_ELEMENT:
        return all;
    case WF_TERM_MAGNITUDE:
    case WF_TERM_SQUARE:
        break;
    }
    return magnitude;
}

template <class Policy>
exact_arguments<Policy> exact_arguments_of(const wf_reduce_request &what, uint32_t lets_next) {
    using element = typename Policy::element;
    // Packs begin at any aligned address, so that there are fewer edges than lanes. As waves read runs of packs, arrays
    // took the same time on an H200 wherever they were.
    return {{what.head.tile_size, what.head.tiles},
            typename Policy::source({static_cast<const element *>(what.source), what.source_count}, 0),
            bits_of_term<typename Policy::bits>(wf_facts_of_op(what.op).term),
            ticket_view(static_cast<unsigned *>(what.ticket), 1),
            {what.result, static_cast<uint64_t *>(what.notice), what.notice_number},
            exact_request_of<Policy>(what, lets_next),
            word_view(static_cast<uint64_t *>(what.tile_status), what.tile_status_words),
            extra_request(typename Policy::extra(), what)};
}

template <class Policy, class Queue>
void launch_exact_kernel(const wf_reduce_request &what, Queue queue, void (*kernel)(const exact_arguments<Policy>),
                         size_t tile_bytes) {
    launch_early_on(queue, kernel, what.head.tiles, what.head.tile_size, tile_bytes,
                    exact_arguments_of<Policy>(what, lets_next_start(queue)));
}

// Bytes of tile memory.
template <class Policy>
constexpr size_t exact_tile_bytes = Policy::extra::tile_bytes(tile_memory<Policy>::bytes, Policy::extra::largest_tile);
constexpr size_t most_tile_bytes = size_t(48) << 10; // of a tile on an NVIDIA GPU by default

// Launches the kernel for a cluster tile. Returns false if the array does not suit, or there is no room for the tile.
template <class Policy, class Queue>
bool launch_exact_cluster(const wf_reduce_request &what, Queue queue) {
    constexpr unsigned blocks = cluster_blocks(Policy::width), width = Policy::width;
    constexpr size_t bytes = exact_tile_bytes<Policy>, short_bytes = short_tile<true>::bytes(width);
    const auto given = exact_arguments_of<Policy>(what, lets_next_start(queue));
    return what.is_cluster != 0 && given.source.has_at_most(WF_EXACT_SHORT_PACKS * blocks * what.head.tile_size) &&
           launch_cluster_on(queue, exact_cluster<Policy>, what.head.tile_size,
                             bytes > short_bytes ? bytes : short_bytes, given);
}

template <class Policy>
bool is_long_for_exact(const wf_reduce_request &what) {
    const uint64_t threads = uint64_t(what.head.tiles) * what.head.tile_size;
    return what.head.tiles > 1 && what.head.tile_size <= exact_long_tile &&
           what.source_count * sizeof(typename Policy::element) >=
               Policy::extra::rounds_of_long * loads_in_flight * 16 * threads;
}

// For devices that are fast in f64.
template <class Policies, unsigned Width, class Queue>
void launch_exact_in_f64(const wf_reduce_request &what, Queue queue) {
    using policy = typename Policies::template policy<true, Width>;
    using extra = typename Policies::extra;
    constexpr bool aligned = Policies::aligned, is_sum = extra::is_none;
    constexpr bool is_f64 = sizeof(typename Policies::element) == 8;
    if constexpr (aligned && extra::may_cluster && cluster_blocks(Width) != 0)
        if (launch_exact_cluster<policy, Queue>(what, queue))
            return;
    if constexpr (aligned && extra::copies_ahead && copies_ahead(Width)) {
        constexpr size_t bytes =
            loads_ahead<policy>::tile_bytes(extra::tile_bytes(tile_memory<policy>::bytes, exact_long_tile));
        static_assert(bytes <= most_tile_bytes);
        if (is_long_for_exact<policy>(what))
            return launch_exact_kernel<policy, Queue>(what, queue, exact_long<policy>, bytes);
    }
    // The fast path spills 16 scalar registers of f64 that is unaligned (nvcc 13), and of descriptions on AMD. In one
    // kernel with it, longer sums of f64 took 3 to 4 % longer on an H200: f64 has two kernels.
    constexpr bool tries_short = (aligned || !is_f64) && (is_sum || Width == 32);
    if constexpr (tries_short)
        if (!(is_sum && is_f64) || what.head.tiles == 1)
            return launch_exact_kernel<policy, Queue>(what, queue, exact_or_short<policy>, exact_tile_bytes<policy>);
    if constexpr (!tries_short || (is_sum && is_f64))
        launch_exact_kernel<policy, Queue>(what, queue, exact<policy>, exact_tile_bytes<policy>);
}

// Where the wave's width says whether the device is fast in f64, the other kernels are not compiled.
template <class Policies, unsigned Width, class Queue>
void launch_exact_by_width(const wf_reduce_request &what, Queue queue) {
    constexpr bool may_be_in_f64 = !Policies::squares && (!f64_follows_width(Width) || Width > 32);
    constexpr bool may_be_in_integers = !may_be_in_f64 || !f64_follows_width(Width);
    if constexpr (may_be_in_f64)
        if (!may_be_in_integers || what.in_f64 != 0)
            return launch_exact_in_f64<Policies, Width, Queue>(what, queue);
    if constexpr (may_be_in_integers) {
        using policy = typename Policies::template policy<false, Width>;
        static_assert(exact_tile_bytes<policy> <= most_tile_bytes);
        launch_exact_kernel<policy, Queue>(what, queue, exact<policy>, exact_tile_bytes<policy>);
    }
}

template <class Policies, class Queue>
void launch_exact_array(const wf_reduce_request &what, Queue queue) {
    if (what.head.wave_width == narrow_wave)
        launch_exact_by_width<Policies, narrow_wave, Queue>(what, queue);
    else
        launch_exact_by_width<Policies, wide_wave_of<Policies::aligned>, Queue>(what, queue);
}

template <class Element, bool Squares, class Extra, class Queue>
void launch_exact_sum(const wf_reduce_request &what, Queue queue) {
    if constexpr (may_be_unaligned<Element>)
        if (is_unaligned<Element>(what))
            return launch_exact_array<exact_policies<Element, Squares, false, Extra>, Queue>(what, queue);
    launch_exact_array<exact_policies<Element, Squares, true, Extra>, Queue>(what, queue);
}

template <class Element, bool Squares, class Queue>
void launch_exact(const wf_reduce_request &what, Queue queue) {
    launch_exact_sum<Element, Squares, sum_alone<Element>, Queue>(what, queue);
}

template <class Element, class Queue>
void launch_float_description(const wf_reduce_request &what, Queue queue) {
    wf_reduce_request sum = what;
    sum.op = WF_SUM;
    sum.accumulator = WF_F64;
    launch_exact_sum<Element, false, describes_floats<Element>, Queue>(sum, queue);
}

} // namespace wf
#endif
