// Launches of wf_reduce and wf_describe: each unpacks a request for its kernel, chooses the instance for the
// wave's width and the array's address, and launches it.
#ifndef WAVEFOLD_REDUCE_LAUNCH_HPP
#define WAVEFOLD_REDUCE_LAUNCH_HPP

#include "default_environment.h"
#include "describe.hpp"
#include "describe_floats.hpp"
#include "reduce/request.h"
#include "visit.hpp"

#include "reduce.hip"
// An exact sum has reduce's parts and result.
#include "exact.hip"
#include "progression/21_last_block_ordered.hip"

#include <cfenv>

namespace wf {

// The parameters of wide operators.
template <class Element, class Accumulator, wf_term Term>
void set_up(adds<Element, Accumulator, Term> &op, const wf_reduce_request &what) {
    op.averages = what.op == WF_MEAN ? 1 : 0;
}

template <class Element, class Accumulator>
void set_up(multiplies<Element, Accumulator> &, const wf_reduce_request &) {}

template <class Element>
void set_up(bits_or<Element> &op, const wf_reduce_request &what) {
    using bits = typename bits_or<Element>::bits;
    op.flip = what.op == WF_AND ? bits(~bits(0)) : bits(0);
}

template <class Element>
void set_up(bits_xor<Element> &, const wf_reduce_request &) {}

// The sign of each element in a word, where numbers with a sign are folded as such without one: with it turned round
// they are ordered alike.
template <class Element>
uint64_t turned_signs(wf_type type) {
    if (!std::is_unsigned_v<Element> || !wf_type_is_signed(type))
        return 0;
    return sizeof(Element) == 1   ? 0x80808080u
           : sizeof(Element) == 2 ? 0x80008000u
                                  : uint64_t(1) << (8 * sizeof(Element) - 1);
}

template <class Element>
void set_up(extreme<Element> &op, const wf_reduce_request &what, bool largest) {
    using rank = typename extreme<Element>::rank;
    const auto turned = rank(turned_signs<Element>(what.type));
    op.flip = largest ? rank(~turned) : turned;
    op.nan = what.nan == WF_NAN_IGNORE ? ranks<Element>::most : ranks<Element>::least;
}

template <class Element>
void set_up(extreme<Element> &op, const wf_reduce_request &what) {
    set_up(op, what, what.op == WF_MAX);
}

template <class Element>
void set_up(extremes<Element> &op, const wf_reduce_request &what) {
    set_up(op.low, what, false);
    set_up(op.high, what, true);
}

template <class Element>
void set_up(first_extreme<Element> &op, const wf_reduce_request &what) {
    set_up(op.which, what, what.op == WF_ARGMAX);
}

// 1 / count, to nearest, whatever the caller's modes. Volatile: compilers do not know that they matter.
inline double share_of(uint64_t count) {
    const std::fenv_t before = wf_enter_default_environment();
    const volatile auto whole = double(count);
    const volatile double share = 1 / whole;
    std::fesetenv(&before);
    return share;
}

template <class Element>
void set_up(describes<Element> &op, const wf_reduce_request &what) {
    set_up(op.low.which, what, false);
    set_up(op.high.which, what, true);
    op.bias = wf_type_is_signed(what.type) ? uint64_t(1) << (8 * sizeof(Element) - 1) : 0;
    op.share = share_of(what.whole_count);
}

// Whether there are kernels of such elements whose packs lie across aligned addresses, and whether an array needs one.
template <class Element>
constexpr bool may_be_unaligned = sizeof(Element) > 1 && !(loads_any_byte(narrow_wave) && loads_any_byte(wide_wave));
template <class Element>
bool is_unaligned(const wf_reduce_request &what) {
    return reinterpret_cast<uintptr_t>(what.source) % sizeof(Element) != 0 && !loads_any_byte(what.head.wave_width);
}
// Where wide waves need none, they have none.
template <bool Aligned>
constexpr unsigned wide_wave_of = Aligned || !loads_any_byte(wide_wave) ? wide_wave : narrow_wave;

template <class Op, bool Aligned, class Queue>
void launch_reduce_packs(const wf_reduce_request &what, Queue queue,
                         const reduce_result<typename Op::result> &finished) {
    using element = typename Op::element;
    using value = decltype(Op::identity());
    const packed_array<element, Aligned> source({static_cast<const element *>(what.source), what.source_count});
    const word_view tile_status_words(static_cast<uint64_t *>(what.tile_status), what.tile_status_words);
    static_assert(sizeof(found_of<Op>) <= WF_CARRY_BYTES, "the library makes room for it");
    const word_view carry_words(static_cast<uint64_t *>(what.carry), sizeof(found_of<Op>) / sizeof(uint32_t));
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const bool is_alone = what.head.tiles == 1 && what.is_first != 0 && what.is_last != 0;
    const reduce_part part = {what.first, what.whole_count, what.is_first, what.is_last};
    const launch_shape shape = {what.head.tile_size, what.head.tiles};
    const size_t cells_bytes = what.head.tile_size / what.head.wave_width * sizeof(value);
    Op op;
    set_up(op, what);
    if constexpr (Aligned && short_packs<Op> != 0) {
        const auto given = [&]() -> single_tile_arguments<Op> {
            if constexpr (needed_for_elements<Op>)
                return {source, op, finished};
            else
                return {finished, op, source};
        };
        if constexpr (cluster_blocks(narrow_wave) != 0) {
            constexpr unsigned blocks = cluster_blocks(narrow_wave);
            if (is_alone && what.is_cluster != 0 && source.is_short(blocks * what.head.tile_size, short_packs<Op>) &&
                launch_cluster_on(queue, reduce_cluster_tile<Op, narrow_wave>, what.head.tile_size,
                                  blocks * cells_bytes, given()))
                return;
        }
        if (is_alone && source.is_short(what.head.tile_size, short_packs<Op>)) {
            const auto kernel = what.head.wave_width == narrow_wave ? reduce_single_tile<Op, narrow_wave>
                                                                    : reduce_single_tile<Op, wide_wave>;
            return launch_early_on(queue, kernel, 1, what.head.tile_size, cells_bytes, given());
        }
    }
    launch_early_on(queue,
                    what.head.wave_width == narrow_wave ? reduce<Op, narrow_wave, Aligned>
                                                        : reduce<Op, wide_wave_of<Aligned>, Aligned>,
                    what.head.tiles, what.head.tile_size, cells_bytes + sizeof(unsigned),
                    reduce_arguments<Op, Aligned>{shape, is_alone, lets_next_start(queue), source, op,
                                                  tile_status_words, carry_words, part, finished, ticket});
}

// A result of whatever type, for one kernel that writes all of that size.
template <size_t Size, size_t Alignment>
struct alignas(Alignment) result_bytes {
    uint8_t bytes[Size];
};

template <class Result, class Queue>
void launch_none(const wf_reduce_request &what, Queue queue) {
    using bytes = result_bytes<sizeof(Result), alignof(Result)>;
    bytes of_none;
    memcpy(&of_none, what.of_none, sizeof of_none);
    const array_view<bytes> there(static_cast<bytes *>(what.result), 1);
    launch_on(queue, reduce_none<bytes>, 1, what.head.wave_width, 0, of_none, there);
}

template <class Op, class Queue>
void launch_values(const wf_reduce_request &what, Queue queue) {
    using element = typename Op::element;
    using result = typename Op::result;
    auto *const to = static_cast<result *>(what.result);
    if (what.whole_count == 0)
        return launch_none<result, Queue>(what, queue);
    const reduce_result<result> finished = {to, static_cast<uint64_t *>(what.notice), what.notice_number};
    if constexpr (may_be_unaligned<element>)
        if (is_unaligned<element>(what))
            return launch_reduce_packs<Op, false, Queue>(what, queue, finished);
    launch_reduce_packs<Op, true, Queue>(what, queue, finished);
}

template <class Element, bool Squares, bool InF64, unsigned Width, bool Aligned, class Beside,
          unsigned Arrays = exact_any>
constexpr auto exact_kernel_of = exact<Element, Squares, InF64, Width, Aligned, Beside, Arrays>;

// Whether there is a kernel for long arrays alone, and this array is long: at least rounds_of_long rounds a thread.
template <bool Squares, unsigned Width, bool Aligned, class Beside>
constexpr bool has_long_exact_kernel = !Squares && Aligned && Beside::copies_ahead && copies_ahead(Width);
template <class Element, bool Squares, bool Aligned, class Beside>
bool is_long_for_exact(const wf_reduce_request &what) {
    const bool has_kernel = what.head.wave_width == narrow_wave
                                ? has_long_exact_kernel<Squares, narrow_wave, Aligned, Beside>
                                : has_long_exact_kernel<Squares, wide_wave, Aligned, Beside>;
    return has_kernel && what.in_f64 != 0 && what.head.tiles > 1 && what.head.tile_size <= exact_long_tile &&
           what.source_count * sizeof(Element) >=
               Beside::rounds_of_long * loads_in_flight * 16 * what.head.tiles * what.head.tile_size;
}

// Whether there is a kernel for a cluster tile; it is wanted, and takes the array.
template <bool Squares, unsigned Width, bool Aligned, class Beside>
constexpr bool has_cluster_exact_kernel = !Squares && Aligned && Beside::may_cluster && cluster_blocks(Width) != 0;
template <bool Squares, class Beside, class Element, bool Aligned>
bool is_cluster_for_exact(const wf_reduce_request &what, const packed_array<Element, Aligned> &source) {
    return has_cluster_exact_kernel<Squares, narrow_wave, Aligned, Beside> && what.head.wave_width == narrow_wave &&
           what.in_f64 != 0 && what.is_cluster != 0 &&
           source.has_at_most(WF_EXACT_SHORT_PACKS * cluster_blocks(narrow_wave) * what.head.tile_size);
}

// Short arrays are added in f64. Of f64 they have a kernel of their own: with it in one, other sums took 3 to 4 %
// longer on an H200. Of f64 that lie across nvcc 13 spilled, in descriptions AMD's compilers, 16 scalar registers.
template <class Element, unsigned Width, bool Aligned, class Beside>
auto exact_kernel_in_f64(const wf_reduce_request &what, [[maybe_unused]] exact_arrays arrays) {
    constexpr bool is_f64 = sizeof(Element) == 8, is_sum = std::is_same_v<Beside, nothing_beside<Element>>;
    constexpr bool takes_short = (Aligned || !is_f64) && (is_sum || Width == 32),
                   apart = takes_short && is_sum && is_f64;
    constexpr auto with_short = exact_any_or_short, in_line = takes_short && !apart ? with_short : exact_any;
    if constexpr (has_long_exact_kernel<false, Width, Aligned, Beside>)
        if (arrays == exact_long_alone)
            return exact_kernel_of<Element, false, true, Width, Aligned, Beside, exact_long_alone>;
    if constexpr (has_cluster_exact_kernel<false, Width, Aligned, Beside>)
        if (arrays == exact_cluster)
            return exact_kernel_of<Element, false, true, Width, Aligned, Beside, exact_cluster>;
    if constexpr (apart)
        if (what.head.tiles == 1)
            return exact_kernel_of<Element, false, true, Width, Aligned, Beside, with_short>;
    return exact_kernel_of<Element, false, true, Width, Aligned, Beside, in_line>;
}

// Which way: GPUs that are fast in f64 add groups in it. Where the wave's width tells, the other way is not compiled.
template <class Element, bool Squares, unsigned Width, bool Aligned, class Beside>
auto exact_kernel([[maybe_unused]] const wf_reduce_request &what, [[maybe_unused]] exact_arrays arrays) {
    constexpr bool tells = f64_follows_width(Width);
    if constexpr (!Squares && tells && Width > 32) {
        return exact_kernel_in_f64<Element, Width, Aligned, Beside>(what, arrays);
    } else {
        // Here alone: a kernel that is named is compiled.
        constexpr auto in_integers = exact_kernel_of<Element, Squares, false, Width, Aligned, Beside>;
        if constexpr (!Squares && !tells)
            return what.in_f64 != 0 ? exact_kernel_in_f64<Element, Width, Aligned, Beside>(what, arrays) : in_integers;
        else
            return in_integers;
    }
}

template <class Element>
auto request_for(nothing_beside<Element>, const wf_reduce_request &) -> typename nothing_beside<Element>::request {
    return {};
}

template <class Element>
auto request_for(describes_floats<Element>, const wf_reduce_request &what) ->
    typename describes_floats<Element>::request {
    return {static_cast<uint64_t *>(what.carry), what.first, share_of(what.whole_count)};
}

// Of tile memory.
template <class Element, bool Squares, class Beside>
constexpr size_t exact_tile_bytes(unsigned wave_width, exact_arrays arrays) {
    const bool is_long = arrays == exact_long_alone;
    constexpr size_t cells = 2 + exact_columns<term_layout<Element, Squares>>::cells;
    const size_t before = Beside::largest_tile / wave_width * sizeof(exact_part) + cells * sizeof(unsigned);
    const size_t bytes = Beside::tile_bytes(before, is_long ? exact_long_tile : Beside::largest_tile);
    if constexpr (copies_ahead(narrow_wave) || copies_ahead(wide_wave))
        if (is_long)
            return next_packs<Element, loads_in_flight, exact_long_tile>::tile_bytes(bytes);
    const size_t spread_bytes = arrays == exact_cluster ? short_tile<true>::bytes(wave_width) : 0;
    return bytes > spread_bytes ? bytes : spread_bytes;
}

template <class Element, bool Squares, bool Aligned, class Beside, class Queue>
void launch_exact_packs(const wf_reduce_request &what, Queue queue) {
    using bits = typename float_layout<Element>::bits;
    // Packs begin at any aligned address, so that there are fewer edges than lanes. As waves read runs of them, arrays
    // took the same time on an H200 wherever they were.
    const packed_array<Element, Aligned> source({static_cast<const Element *>(what.source), what.source_count}, 0);
    const wf_op_facts facts = wf_facts_of_op(what.op);
    const auto keep = facts.term == WF_TERM_ELEMENT ? bits(~bits(0)) : bits(bits(~bits(0)) >> 1);
    const wf_type_facts to = wf_facts_of_type(what.accumulator);
    auto *const words = static_cast<int64_t *>(what.sum_words);
    const bool is_rounded = what.exact_result == WF_EXACT_ROUNDED;
    const bool is_usual = std::is_same_v<Beside, nothing_beside<Element>> && what.is_first != 0 && what.is_last != 0 &&
                          is_rounded && what.op != WF_MEAN && (!usual_is_own<Element> || what.accumulator == what.type);
    const bool ignores_nan = what.nan == WF_NAN_IGNORE; // for descriptions
    const exact_request want = {uint8_t(to.digits), uint8_t(to.exponent_bits),
                                what.op == WF_MEAN, uint8_t(what.exact_result),
                                what.is_first != 0, what.is_last != 0,
                                ignores_nan,        is_usual,
                                what.whole_count,   words,
                                what.request,       lets_next_start(queue)};
    const word_view tile_status_words(static_cast<uint64_t *>(what.tile_status), what.tile_status_words);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const reduce_result<void> result = {what.result, static_cast<uint64_t *>(what.notice), what.notice_number};
    const auto launch = [&](exact_arrays arrays) {
        const auto kernel = what.head.wave_width == narrow_wave
                                ? exact_kernel<Element, Squares, narrow_wave, Aligned, Beside>(what, arrays)
                                : exact_kernel<Element, Squares, wide_wave_of<Aligned>, Aligned, Beside>(what, arrays);
        const size_t tile_bytes = exact_tile_bytes<Element, Squares, Beside>(what.head.wave_width, arrays);
        const launch_shape shape = {what.head.tile_size, what.head.tiles};
        if constexpr (has_cluster_exact_kernel<Squares, narrow_wave, Aligned, Beside>)
            if (arrays == exact_cluster)
                return launch_cluster_on(queue, kernel, what.head.tile_size, tile_bytes, shape, source, keep, ticket,
                                         result, want, tile_status_words, request_for(Beside(), what));
        launch_early_on(queue, kernel, what.head.tiles, what.head.tile_size, tile_bytes, shape, source, keep, ticket,
                        result, want, tile_status_words, request_for(Beside(), what));
        return true;
    };
    static_assert(exact_tile_bytes<Element, Squares, Beside>(
                      narrow_wave, Beside::copies_ahead ? exact_long_alone : exact_any_or_short) <= size_t(48) << 10,
                  "what a tile may have on an NVIDIA GPU unasked");
    if (is_cluster_for_exact<Squares, Beside>(what, source) && launch(exact_cluster))
        return;
    launch(is_long_for_exact<Element, Squares, Aligned, Beside>(what) ? exact_long_alone : exact_any_or_short);
}

template <class Element, bool Squares, class Beside, class Queue>
void launch_with_sum(const wf_reduce_request &what, Queue queue) {
    if constexpr (may_be_unaligned<Element>)
        if (is_unaligned<Element>(what))
            return launch_exact_packs<Element, Squares, false, Beside, Queue>(what, queue);
    launch_exact_packs<Element, Squares, true, Beside, Queue>(what, queue);
}

template <class Element, bool Squares, class Queue>
void launch_exact(const wf_reduce_request &what, Queue queue) {
    launch_with_sum<Element, Squares, nothing_beside<Element>, Queue>(what, queue);
}

// Of floats as an exact sum, with the rest beside it.
template <class Element, class Queue>
void launch_description(const wf_reduce_request &what, Queue queue) {
    if constexpr (!is_float<Element>) {
        using bits = std::make_unsigned_t<Element>;
        static_assert(sizeof(typename describes<bits>::value) <= WF_DESCRIBE_VALUE_BYTES);
        launch_values<describes<bits>, Queue>(what, queue);
    } else if (what.whole_count == 0) {
        launch_none<wf_description, Queue>(what, queue);
    } else {
        wf_reduce_request sum = what;
        sum.op = WF_SUM;
        sum.accumulator = WF_F64;
        launch_with_sum<Element, false, describes_floats<Element>, Queue>(sum, queue);
    }
}

// ---- Which of them a request needs ----------------------------------------------------------------------------------

template <class Queue>
using reduce_launcher = void (*)(const wf_reduce_request &, Queue);

// The 4-byte and the 8-byte accumulator of the element's kind.
template <class Element>
using narrow_accumulator =
    std::conditional_t<is_float<Element>, float, std::conditional_t<std::is_unsigned_v<Element>, uint32_t, int32_t>>;
template <class Element>
using wide_accumulator =
    std::conditional_t<is_float<Element>, double, std::conditional_t<std::is_unsigned_v<Element>, uint64_t, int64_t>>;

template <class Element, template <class, class> class Op, class Queue>
reduce_launcher<Queue> accumulating_launcher(const wf_reduce_request &what) {
    const bool is_wide = what.accumulator == WF_I64 || what.accumulator == WF_U64 || what.accumulator == WF_F64;
    if constexpr (sizeof(Element) <= 4) {
        if (!is_wide)
            return &launch_values<Op<Element, narrow_accumulator<Element>>, Queue>;
    }
    return &launch_values<Op<Element, wide_accumulator<Element>>, Queue>;
}

// What has no sign is its magnitude.
template <class Element>
constexpr wf_term term_for(wf_term term) {
    return std::is_unsigned_v<Element> && term == WF_TERM_MAGNITUDE ? WF_TERM_ELEMENT : term;
}

#define WF_TERM_SUM(ENUM, expression)                                                                                  \
    template <class Element, class Accumulator>                                                                        \
    using sum_of_##ENUM = adds<Element, Accumulator, term_for<Element>(WF_TERM_##ENUM)>;
WF_TERM_MAP(WF_TERM_SUM)
#undef WF_TERM_SUM

template <class Element, class Queue>
reduce_launcher<Queue> sum_launcher(const wf_reduce_request &what) {
    if constexpr (!is_float<Element>) {
        if (what.accumulator == WF_F64) // a mean
            return &launch_values<adds<Element, double>, Queue>;
    }
    switch (wf_facts_of_op(what.op).term) {
#define WF_TERM_CASE(ENUM, expression)                                                                                 \
    case WF_TERM_##ENUM:                                                                                               \
        return accumulating_launcher<Element, sum_of_##ENUM, Queue>(what);
        WF_TERM_MAP(WF_TERM_CASE)
#undef WF_TERM_CASE
    }
    return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> bitwise_launcher(const wf_reduce_request &what) {
    if constexpr (std::is_integral_v<Element>) {
        using bits = std::make_unsigned_t<Element>;
        return what.op == WF_XOR ? &launch_values<bits_xor<bits>, Queue> : &launch_values<bits_or<bits>, Queue>;
    } else {
        return nullptr;
    }
}

// Numbers with a sign by the kernels of those without one, for fewer kernels: see turned_signs.
template <class Element, class Queue>
reduce_launcher<Queue> extreme_launcher(const wf_reduce_request &what) {
    if constexpr (std::is_integral_v<Element> && std::is_signed_v<Element>) {
        return extreme_launcher<std::make_unsigned_t<Element>, Queue>(what);
    } else {
        const wf_op_facts facts = wf_facts_of_op(what.op);
        return facts.has_index     ? &launch_values<first_extreme<Element>, Queue>
               : facts.values == 2 ? &launch_values<extremes<Element>, Queue>
                                   : &launch_values<extreme<Element>, Queue>;
    }
}

template <class Element, class Queue>
reduce_launcher<Queue> wide_launcher(const wf_reduce_request &what) {
    switch (wf_facts_of_op(what.op).op_class) {
    case WF_CLASS_SUM:
        return sum_launcher<Element, Queue>(what);
    case WF_CLASS_PRODUCT:
        return accumulating_launcher<Element, multiplies, Queue>(what);
    case WF_CLASS_EXTREME:
        return extreme_launcher<Element, Queue>(what);
    case WF_CLASS_BITWISE:
        return bitwise_launcher<Element, Queue>(what);
    case WF_CLASS_ORDERED: // another kernel's
        return nullptr;
    }
    return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> exact_launcher(const wf_reduce_request &what) {
    if constexpr (is_float<Element>) {
        if (wf_facts_of_op(what.op).term != WF_TERM_SQUARE)
            return &launch_exact<Element, false, Queue>;
        if constexpr (sizeof(Element) < 8)
            return &launch_exact<Element, true, Queue>;
    }
    return nullptr; // sums of integers are exact as they are
}

// Operators that do not commute, by the kernel of the rung last_block_ordered.
template <class T, class Op, class Queue>
void launch_ordered(const wf_reduce_request &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> partials(static_cast<T *>(what.partials), what.head.tiles);
    const array_view<T> result(static_cast<T *>(what.result), 1);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    const auto kernel = what.head.wave_width == narrow_wave ? last_block_ordered<T, Op, narrow_wave, 1>
                                                            : last_block_ordered<T, Op, wide_wave, 1>;
    const size_t cells = what.head.tile_size + what.head.wave_width / 2;
    launch_on(queue, kernel, what.head.tiles, what.head.tile_size, cells * sizeof(T), source, partials, result, ticket);
}

template <class Element, class Queue>
reduce_launcher<Queue> ordered_launcher(const wf_reduce_request &what) {
    if constexpr (is_core_type<Element>)
        return visit_element_op<Element, reduce_launcher<Queue>>(
            what.op, [](auto element, auto combine) -> reduce_launcher<Queue> {
                using type = typename decltype(element)::type;
                if constexpr (std::is_same_v<type, Element>)
                    return nullptr; // it commutes
                else
                    return &launch_ordered<type, typename decltype(combine)::type, Queue>;
            });
    else
        return nullptr;
}

template <class Element, class Queue>
reduce_launcher<Queue> reduce_launcher_of(const wf_reduce_request &what) {
    switch (what.kind) {
    case WF_REDUCE_VALUES:
        return wide_launcher<Element, Queue>(what);
    case WF_REDUCE_EXACT:
        return exact_launcher<Element, Queue>(what);
    case WF_REDUCE_DESCRIBE:
        return &launch_description<Element, Queue>;
    case WF_REDUCE_ORDERED:
        return ordered_launcher<Element, Queue>(what);
    }
    return nullptr;
}

// Null for what the table of reductions does not have.
template <class Queue>
reduce_launcher<Queue> find_launcher(const wf_reduce_request &what) {
    return visit_type<reduce_launcher<Queue>>(what.type, [&](auto tag) -> reduce_launcher<Queue> {
        using type = typename decltype(tag)::type;
        if constexpr (is_built_type<type>)
            return reduce_launcher_of<type, Queue>(what);
        else
            return nullptr;
    });
}

} // namespace wf
#endif
