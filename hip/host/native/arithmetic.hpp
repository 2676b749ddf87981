// Folds that take each element for itself: sum, product, mean, and of bits.
#ifndef WAVEFOLD_HOST_NATIVE_ARITHMETIC_HPP
#define WAVEFOLD_HOST_NATIVE_ARITHMETIC_HPP

#include "native.hpp"
#include "simd.hpp"

namespace wf::host::native {
namespace {

// Operators, on numbers and on vectors. Integers are unsigned, so that they wrap.
struct add {
    static constexpr unsigned identity = 0;
    template <class A>
    A operator()(A a, A b) const {
        return a + b;
    }
};
struct multiply {
    static constexpr unsigned identity = 1;
    template <class A>
    A operator()(A a, A b) const {
        return A(a * b);
    }
};
struct bit_and {
    static constexpr uint64_t identity = ~uint64_t(0);
    template <class A>
    A operator()(A a, A b) const {
        return A(a & b);
    }
};
struct bit_or {
    static constexpr unsigned identity = 0;
    template <class A>
    A operator()(A a, A b) const {
        return A(a | b);
    }
};
struct bit_xor {
    static constexpr unsigned identity = 0;
    template <class A>
    A operator()(A a, A b) const {
        return A(a ^ b);
    }
};

// What is added of each element, or of a vector of them (algebra.h). Signed integers are in unsigned disguise.
template <wf_term Term, class Element, class A>
inline A term_of(A x) {
    const A magnitude = magnitude_of<std::is_signed_v<Element>>(x);
    static_cast<void>(magnitude);
#define WF_TERM_IF(ENUM, expression)                                                                                   \
    if constexpr (Term == WF_TERM_##ENUM)                                                                              \
        return expression;
    WF_TERM_MAP(WF_TERM_IF)
#undef WF_TERM_IF
}

// Longer arrays are asked for ahead of the loads. Measured (EPYC, two cores): 8 KiB ahead makes sums from memory 4 to
// 12 % faster, 4 KiB half of that, 16 KiB no more. In the cache shorter ones would take 5 % longer, these up to 4 %.
constexpr uint64_t far_bytes = 128 << 10;
constexpr size_t bytes_ahead = 8192;

template <class Element>
bool is_far(const job &what) {
    return what.count >= far_bytes / sizeof(Element);
}

// May ask for what is not there: a prefetch does not fault.
template <bool Far>
inline void ask_ahead(const char *at) {
    if constexpr (Far)
        __builtin_prefetch(at + bytes_ahead);
}

// How many vectors are folded side by side: an addition of floats takes 4 cycles, and 2 start in each.
constexpr size_t side_by_side = 8;

// Folds the whole vectors among count elements at in, each element made a Block first, and leaves in *done how many
// elements that were.
template <class Element, class Block, class Op, wf_term Term, bool Far, size_t... I>
inline lanes<Block, lane_count<Block>> fold_vectors(const char *in, size_t count, size_t *done,
                                                    std::index_sequence<I...>) {
    constexpr size_t width = lane_count<Block>;
    constexpr size_t step = width * sizeof(Element);
    const Op op;
    const auto identity = all_of<Block, width>(static_cast<Block>(Op::identity));
    lanes<Block, width> so_far[sizeof...(I)] = {(static_cast<void>(I), identity)...};
    const char *const begin = in;
    for (; count >= sizeof...(I) * width; count -= sizeof...(I) * width, in += sizeof...(I) * step)
        ((ask_ahead<Far>(in + I * step),
          so_far[I] = op(so_far[I], term_of<Term, Element>(lift<Block, Element, width>(in + I * step)))),
         ...);
    for (; count >= width; count -= width, in += step)
        so_far[0] = op(so_far[0], term_of<Term, Element>(lift<Block, Element, width>(in)));
    *done = static_cast<size_t>(in - begin) / sizeof(Element);
    for (size_t half = sizeof...(I) / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            so_far[i] = op(so_far[i], so_far[i + half]);
    return so_far[0];
}

// Element by element into Block, in which the vectors of a chunk are folded, and chunk by chunk into Total. Signed says
// what a Block is made a wider Total as.
template <class Element, class Block, class Total, class Op, wf_term Term, bool Far>
Total fold_elements(const char *in, size_t count) {
    constexpr size_t width = lane_count<Total>;
    constexpr size_t parts = sizeof(Total) / sizeof(Block); // vectors of Total that a vector of Block makes
    constexpr size_t chunk = chunk_bytes / sizeof(Element);
    // An unsigned block of signed elements is a signed number in disguise.
    using number =
        std::conditional_t<std::is_integral_v<Block> && std::is_signed_v<Element>,
                           std::make_signed_t<std::conditional_t<std::is_integral_v<Block>, Block, int>>, Block>;
    const Op op;
    auto totals = all_of<Total, width>(static_cast<Total>(Op::identity));
    while (count >= lane_count<Block>) {
        size_t done;
        const auto block = fold_vectors<Element, Block, Op, Term, Far>(in, count < chunk ? count : chunk, &done,
                                                                       std::make_index_sequence<side_by_side>());
        char bytes[sizeof block];
        __builtin_memcpy(bytes, &block, sizeof block);
        for (size_t i = 0; i < parts; i++)
            totals = op(totals, lift<Total, number, width>(bytes + i * width * sizeof(Block)));
        in += done * sizeof(Element);
        count -= done;
    }
    Total total = fold_lanes<Total, width>(totals, op);
    for (; count > 0; count--, in += sizeof(Element))
        total = op(total, term_of<Term, Element>(lift_one<Total, Element>(in)));
    return total;
}

template <class T>
inline void put(const T &value, void *to) {
    __builtin_memcpy(to, &value, sizeof value);
}

// Accumulator: as wf_reduction_info says. f32's are joined in f64, and integers of 1 and 2 bytes added in 32 bits
// within a chunk, where they cannot wrap.
template <class Element, class Accumulator, class Op, wf_term Term = WF_TERM_ELEMENT>
struct arithmetic {
    static constexpr bool is_sum = std::is_same_v<Op, add>;
    static constexpr bool sums_narrow =
        is_sum && Term == WF_TERM_ELEMENT && std::is_integral_v<Element> && sizeof(Element) <= 2;
    using bits = std::conditional_t<sizeof(Accumulator) == 8, uint64_t, uint32_t>;
    using block = std::conditional_t<std::is_floating_point_v<Accumulator>, Accumulator,
                                     std::conditional_t<sums_narrow, uint32_t, bits>>;
    using total = std::conditional_t<std::is_floating_point_v<Accumulator>,
                                     std::conditional_t<is_sum, double, Accumulator>, bits>;

    static void fold(const job &what, uint64_t begin, uint64_t end, partial *to) {
        const char *const in = what.in + begin * sizeof(Element);
        put(is_far<Element>(what) ? fold_elements<Element, block, total, Op, Term, true>(in, end - begin)
                                  : fold_elements<Element, block, total, Op, Term, false>(in, end - begin),
            to->bytes);
    }
    static void finish(const job &what, const partial *pieces, size_t count, void *result) {
        total all = static_cast<total>(Op::identity);
        for (size_t i = 0; i < count; i++)
            all = Op()(all, load<total>(reinterpret_cast<const char *>(pieces[i].bytes)));
        const auto number = static_cast<Accumulator>(all);
        using mean = std::conditional_t<std::is_integral_v<Accumulator>, double, Accumulator>;
        if (what.op != WF_MEAN)
            put(number, result);
        else if (what.count == 0)
            put(static_cast<mean>(__builtin_nan("")), result); // of whose sign division makes what it likes
        else if constexpr (std::is_integral_v<Accumulator>)
            put(static_cast<double>(number) / static_cast<double>(what.count), result);
        else
            put(static_cast<mean>(static_cast<double>(all) / static_cast<double>(what.count)), result);
    }
};

// Element: unsigned, as signs do not matter.
template <class Element, class Op>
struct bitwise {
    static void fold(const job &what, uint64_t begin, uint64_t end, partial *to) {
        const char *const in = what.in + begin * sizeof(Element);
        constexpr wf_term plain = WF_TERM_ELEMENT;
        put(is_far<Element>(what) ? fold_elements<Element, Element, Element, Op, plain, true>(in, end - begin)
                                  : fold_elements<Element, Element, Element, Op, plain, false>(in, end - begin),
            to->bytes);
    }
    static void finish(const job &, const partial *pieces, size_t count, void *result) {
        auto all = static_cast<Element>(Op::identity);
        for (size_t i = 0; i < count; i++)
            all = Op()(all, load<Element>(reinterpret_cast<const char *>(pieces[i].bytes)));
        put(all, result);
    }
};

} // namespace
} // namespace wf::host::native
#endif
