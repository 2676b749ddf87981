/* What the types and the operators are: the one table, for the library, the backends, the oracle and the program. C and C++.
 *
 * A new type or operator is a row here and one in wavefold.h's list. The switches here have no default, so that compilers
 * name what is missing. The functions take values of the enumerations alone. */
#ifndef WAVEFOLD_ALGEBRA_H
#define WAVEFOLD_ALGEBRA_H

#include "wavefold.h"

#include <stdbool.h>

typedef enum wf_kind { WF_KIND_SIGNED, WF_KIND_UNSIGNED, WF_KIND_FLOAT } wf_kind;

/* X(ENUM, kind, digits, accumulator): digits are value bits, of a float those of the significand with the
 * hidden one; accumulator is what sums and products are folded in by default. */
#define WF_TYPE_FACTS(X)                                                                                               \
    X(F32, FLOAT, 24, F32)                                                                                             \
    X(F64, FLOAT, 53, F64)                                                                                             \
    X(I32, SIGNED, 31, I32)                                                                                            \
    X(I64, SIGNED, 63, I64)                                                                                            \
    X(U32, UNSIGNED, 32, U32)                                                                                          \
    X(U64, UNSIGNED, 64, U64)                                                                                          \
    X(I8, SIGNED, 7, I64)                                                                                              \
    X(I16, SIGNED, 15, I64)                                                                                            \
    X(U8, UNSIGNED, 8, U64)                                                                                            \
    X(U16, UNSIGNED, 16, U64)                                                                                          \
    X(F16, FLOAT, 11, F32)                                                                                             \
    X(BF16, FLOAT, 8, F32)

typedef struct wf_type_facts {
    wf_kind kind;
    int digits;
    wf_type accumulator;
} wf_type_facts;

static inline wf_type_facts wf_facts_of_type(wf_type type) {
    wf_type_facts facts = {WF_KIND_FLOAT, 0, WF_F64};
    switch (type) {
#define WF_TYPE_CASE(ENUM, kind_, digits_, accumulator_)                                                               \
    case WF_##ENUM:                                                                                                    \
        facts.kind = WF_KIND_##kind_;                                                                                  \
        facts.digits = digits_;                                                                                        \
        facts.accumulator = WF_##accumulator_;                                                                         \
        break;
        WF_TYPE_FACTS(WF_TYPE_CASE)
#undef WF_TYPE_CASE
    case WF_TYPE_COUNT:
        break;
    }
    return facts;
}

static inline wf_kind wf_kind_of(wf_type type) {
    return wf_facts_of_type(type).kind;
}
static inline bool wf_type_is_float(wf_type type) {
    return wf_kind_of(type) == WF_KIND_FLOAT;
}
static inline bool wf_type_is_signed(wf_type type) { /* of integers */
    return wf_kind_of(type) == WF_KIND_SIGNED;
}

/* What an operator does; and to NaN: extremes can pass over it, everything else lets it spread. */
typedef enum wf_op_class {
    WF_CLASS_ACCUMULATES, /* in a type of its own: the accumulator */
    WF_CLASS_EXTREME,
    WF_CLASS_BITWISE, /* of integers alone */
    WF_CLASS_ORDERED  /* associative, but does not commute */
} wf_op_class;

/* X(ENUM, class, values, has_index, multiplies): values is how many numbers a result has; multiplies: elements of such data
 * as is summed would soon make 0 or infinity. How many numbers an element has stands in WF_OP_MAP. */
#define WF_OP_FACTS(X)                                                                                                 \
    X(SUM, ACCUMULATES, 1, false, false)                                                                               \
    X(MIN, EXTREME, 1, false, false)                                                                                   \
    X(MAX, EXTREME, 1, false, false)                                                                                   \
    X(PRODUCT, ACCUMULATES, 1, false, true)                                                                            \
    X(MEAN, ACCUMULATES, 1, false, false)                                                                              \
    X(MINMAX, EXTREME, 2, false, false)                                                                                \
    X(ARGMIN, EXTREME, 1, true, false)                                                                                 \
    X(ARGMAX, EXTREME, 1, true, false)                                                                                 \
    X(AND, BITWISE, 1, false, false)                                                                                   \
    X(OR, BITWISE, 1, false, false)                                                                                    \
    X(XOR, BITWISE, 1, false, false)                                                                                   \
    X(MATMUL, ORDERED, 4, false, true)                                                                                 \
    X(AFFINE, ORDERED, 2, false, true)

typedef struct wf_op_facts {
    wf_op_class op_class;
    uint32_t scalars, values;
    bool has_index, multiplies;
} wf_op_facts;

static inline wf_op_facts wf_facts_of_op(wf_op op) {
    wf_op_facts facts = {WF_CLASS_ACCUMULATES, 0, 0, false, false};
    switch (op) {
#define WF_OP_CASE(ENUM, class_, values_, has_index_, multiplies_)                                                     \
    case WF_##ENUM:                                                                                                    \
        facts.op_class = WF_CLASS_##class_;                                                                            \
        facts.values = values_;                                                                                        \
        facts.has_index = has_index_;                                                                                  \
        facts.multiplies = multiplies_;                                                                                \
        break;
        WF_OP_FACTS(WF_OP_CASE)
#undef WF_OP_CASE
    case WF_OP_COUNT:
        break;
    }
    switch (op) {
#define WF_OP_SCALARS(ENUM, name, scalars_)                                                                            \
    case WF_##ENUM:                                                                                                    \
        facts.scalars = scalars_;                                                                                      \
        break;
        WF_OP_MAP(WF_OP_SCALARS)
#undef WF_OP_SCALARS
    case WF_OP_COUNT:
        break;
    }
    return facts;
}

static inline bool wf_op_accumulates(wf_op op) {
    return wf_facts_of_op(op).op_class == WF_CLASS_ACCUMULATES;
}
static inline bool wf_op_is_extreme(wf_op op) {
    return wf_facts_of_op(op).op_class == WF_CLASS_EXTREME;
}
static inline bool wf_op_is_ordered(wf_op op) {
    return wf_facts_of_op(op).op_class == WF_CLASS_ORDERED;
}

/* Where no other accumulator is chosen. A mean of integers of 4 and 8 bytes is folded in f64, as their sum may wrap. */
static inline wf_type wf_default_accumulator(wf_type type, wf_op op) {
    if (!wf_op_accumulates(op))
        return type;
    if (op == WF_MEAN && !wf_type_is_float(type) && wf_facts_of_type(type).digits > 16)
        return WF_F64;
    return wf_facts_of_type(type).accumulator;
}

#endif
