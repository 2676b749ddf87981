// The kernels of one set of instructions: compiled once for each, with WF_CPU the name (CMakeLists.txt).
#include "arithmetic.hpp"
#include "axes_native.hpp"
#include "describe_native.hpp"
#include "exact_native.hpp"
#include "extremes.hpp"
#include "ordered.hpp"
#include "wavefold_sum.h"

namespace wf::host::native {
namespace {

// Calls visit with the fold that the job names. The job is of wf_reduction_get_info's table.
template <class Element, class Op, wf_term Term, class Visit>
void visit_arithmetic(const job &what, const Visit &visit) {
    switch (what.accumulator) {
    case WF_F32:
        if constexpr (is_float<Element> && sizeof(Element) <= 4)
            visit(arithmetic<Element, float, Op, Term>());
        break;
    case WF_F64:
        if constexpr (is_float<Element> || (std::is_same_v<Op, add> && Term == WF_TERM_ELEMENT))
            visit(arithmetic<Element, double, Op, Term>());
        break;
    case WF_I32:
    case WF_U32:
        if constexpr (std::is_integral_v<Element> && sizeof(Element) <= 4)
            visit(arithmetic<Element, std::conditional_t<std::is_signed_v<Element>, int32_t, uint32_t>, Op, Term>());
        break;
    case WF_I64:
    case WF_U64:
        if constexpr (std::is_integral_v<Element>)
            visit(arithmetic<Element, std::conditional_t<std::is_signed_v<Element>, int64_t, uint64_t>, Op, Term>());
        break;
    case WF_I8:
    case WF_I16:
    case WF_U8:
    case WF_U16:
    case WF_F16:
    case WF_BF16:
    case WF_TYPE_COUNT: // no accumulators
        break;
    }
}

template <class Element, class Visit>
void visit_sum(const job &what, const Visit &visit) {
    switch (wf_facts_of_op(what.op).term) {
#define WF_TERM_CASE(ENUM, expression)                                                                                 \
    case WF_TERM_##ENUM:                                                                                               \
        return visit_arithmetic<Element, add, WF_TERM_##ENUM>(what, visit);
        WF_TERM_MAP(WF_TERM_CASE)
#undef WF_TERM_CASE
    }
}

template <class Element, class Visit>
void visit_bitwise(const job &what, const Visit &visit) {
    using bits = std::make_unsigned_t<typename ranks<Element>::rank>;
    if (what.op == WF_AND)
        visit(bitwise<bits, bit_and>());
    else if (what.op == WF_OR)
        visit(bitwise<bits, bit_or>());
    else
        visit(bitwise<bits, bit_xor>());
}

template <class Element, class Visit>
void visit_ordered(const job &what, const Visit &visit) {
    using number = std::conditional_t<std::is_same_v<Element, int32_t>, uint32_t, Element>;
    if constexpr (std::is_floating_point_v<number> || std::is_same_v<Element, int32_t>) {
        if (what.op == WF_MATMUL)
            visit(ordered<matrix<number>>());
        else
            visit(ordered<map<number>>());
    }
}

template <class Element, class Visit>
void visit_op(const job &what, const Visit &visit) {
    switch (wf_facts_of_op(what.op).op_class) {
    case WF_CLASS_SUM:
        return visit_sum<Element>(what, visit);
    case WF_CLASS_PRODUCT:
        return visit_arithmetic<Element, multiply, WF_TERM_ELEMENT>(what, visit);
    case WF_CLASS_BITWISE:
        return visit_bitwise<Element>(what, visit);
    case WF_CLASS_ORDERED:
        return visit_ordered<Element>(what, visit);
    case WF_CLASS_EXTREME:
        return visit(extreme<Element>());
    }
}

template <class T>
struct type_tag {
    using type = T;
};

template <class Visit>
void visit_type(wf_type type, const Visit &visit) {
    switch (type) {
    case WF_F32:
        return visit(type_tag<float>());
    case WF_F64:
        return visit(type_tag<double>());
    case WF_I32:
        return visit(type_tag<int32_t>());
    case WF_I64:
        return visit(type_tag<int64_t>());
    case WF_U32:
        return visit(type_tag<uint32_t>());
    case WF_U64:
        return visit(type_tag<uint64_t>());
    case WF_I8:
        return visit(type_tag<int8_t>());
    case WF_I16:
        return visit(type_tag<int16_t>());
    case WF_U8:
        return visit(type_tag<uint8_t>());
    case WF_U16:
        return visit(type_tag<uint16_t>());
    case WF_F16:
        return visit(type_tag<f16>());
    case WF_BF16:
        return visit(type_tag<bf16>());
    case WF_TYPE_COUNT:
        break;
    }
}

template <class Visit>
void visit_fold(const job &what, const Visit &visit) {
    visit_type(what.type, [&](auto tag) { visit_op<typename decltype(tag)::type>(what, visit); });
}

void fold_piece(const job &what, uint64_t begin, uint64_t end, partial *to) {
    visit_fold(what, [&](auto found) { decltype(found)::fold(what, begin, end, to); });
}

void finish_fold(const job &what, const partial *pieces, size_t count, void *result) {
    visit_fold(what, [&](auto found) { decltype(found)::finish(what, pieces, count, result); });
}

void describe_piece(const job &what, uint64_t begin, uint64_t end, partial *to, wf_sum_state *sum) {
    visit_type(what.type,
               [&](auto tag) { description<typename decltype(tag)::type>::fold(what, begin, end, to, sum); });
}

void finish_description(const job &what, const partial *pieces, size_t count, const wf_sum_state &sum,
                        wf_description *result) {
    visit_type(what.type,
               [&](auto tag) { description<typename decltype(tag)::type>::finish(what, pieces, count, sum, result); });
}

template <class Fold>
constexpr bool is_extreme = false;
template <class Element>
constexpr bool is_extreme<extreme<Element>> = true;
template <class Fold>
struct element_of;
template <class Element>
struct element_of<extreme<Element>> {
    using type = Element;
};

// The operator along axes that does what another one does with an array.
template <class Fold>
struct along;
template <class Element, class Accumulator, class Op, wf_term Term>
struct along<arithmetic<Element, Accumulator, Op, Term>> {
    static constexpr bool is_float_sum = std::is_same_v<Op, add> && std::is_floating_point_v<Accumulator>;
    using type = std::conditional_t<is_float_sum, axes_float_sum<Element, Term>,
                                    axes_arithmetic<Element, Accumulator, Op, Term>>;
};
template <class Element, class Op>
struct along<bitwise<Element, Op>> {
    using type = axes_bitwise<Element, Op>;
};
template <class Element>
struct along<ordered<Element>> {
    using type = axes_ordered<Element>;
};

template <class Visit>
void visit_along(const wf_axes_request &request, const Visit &visit) {
    job of(request);
    if (wf_type_is_float(request.type) && wf_facts_of_op(request.op).op_class == WF_CLASS_SUM)
        of.accumulator = WF_F64; // these sums are exact, and the request's is the type into which they are rounded
    visit_fold(of, [&](auto found) {
        if constexpr (is_extreme<decltype(found)>) {
            using element = typename element_of<decltype(found)>::type;
            if (wf_facts_of_op(request.op).has_index)
                visit(along_axes<axes_first_extreme<element>>());
            else
                visit(along_axes<axes_extremes<element>>());
        } else {
            visit(along_axes<typename along<decltype(found)>::type>());
        }
    });
}

void reduce_along(const wf_axes_request &request, const axes_block &block, axes_values *to) {
    visit_along(request, [&](auto found) { decltype(found)::reduce(request, block, to); });
}

void finish_along(const wf_axes_request &request, const axes_block &block, axes_values *parts, size_t count) {
    visit_along(request, [&](auto found) { decltype(found)::finish(request, block, parts, count); });
}

} // namespace

#define WF_TEXT_OF(name) #name
#define WF_TEXT(name) WF_TEXT_OF(name)
#define WF_JOIN_OF(a, b) a##b
#define WF_JOIN(a, b) WF_JOIN_OF(a, b)

extern const kernels WF_JOIN(kernels_, WF_CPU);
const kernels WF_JOIN(kernels_,
                      WF_CPU) = {WF_TEXT(WF_CPU), fold_piece,     finish_fold,        sum_exactly,
                                 sum_products,    describe_piece, finish_description, {reduce_along, finish_along}};

} // namespace wf::host::native
