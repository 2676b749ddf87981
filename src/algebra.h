/* The table of element types and operators, for the library, the backends, the oracle and the programs. C and C++.
 *
 * A new type or operator needs a row in two lists here, and an enumerator in wavefold.h. The switches have no default,
 * so that compilers report a missing case. The functions take only values of the enumerations. */
#ifndef WAVEFOLD_ALGEBRA_H
#define WAVEFOLD_ALGEBRA_H

#include "wavefold.h"

#include <stdbool.h>

/* X(ENUM, name, C type): the types, in the order of wavefold.h. */
#define WF_TYPE_MAP(X)                                                                                                 \
    X(F32, f32, float)                                                                                                 \
    X(F64, f64, double)                                                                                                \
    X(I32, i32, int32_t)                                                                                               \
    X(I64, i64, int64_t)                                                                                               \
    X(U32, u32, uint32_t)                                                                                              \
    X(U64, u64, uint64_t)                                                                                              \
    X(I8, i8, int8_t)                                                                                                  \
    X(I16, i16, int16_t)                                                                                               \
    X(U8, u8, uint8_t)                                                                                                 \
    X(U16, u16, uint16_t)                                                                                              \
    X(F16, f16, uint16_t)                                                                                              \
    X(BF16, bf16, uint16_t)

/* X(ENUM, name, scalars): the operators, in the order of wavefold.h; scalars is the count of numbers in an element. */
#define WF_OP_MAP(X)                                                                                                   \
    X(SUM, sum, 1)                                                                                                     \
    X(MIN, min, 1)                                                                                                     \
    X(MAX, max, 1)                                                                                                     \
    X(PRODUCT, product, 1)                                                                                             \
    X(MEAN, mean, 1)                                                                                                   \
    X(MINMAX, minmax, 1)                                                                                               \
    X(ARGMIN, argmin, 1)                                                                                               \
    X(ARGMAX, argmax, 1)                                                                                               \
    X(AND, and, 1)                                                                                                     \
    X(OR, or, 1)                                                                                                       \
    X(XOR, xor, 1)                                                                                                     \
    X(MATMUL, matmul, 4)                                                                                               \
    X(AFFINE, affine, 2)                                                                                               \
    X(ASUM, asum, 1)                                                                                                   \
    X(SUMSQ, sumsq, 1)

typedef enum wf_kind { WF_KIND_SIGNED, WF_KIND_UNSIGNED, WF_KIND_FLOAT } wf_kind;

/* X(ENUM, kind, digits, exponent, accumulator): digits is the number of value bits (of a float's significand, with the
 * hidden bit); exponent is the number of bits of a float's exponent; accumulator is the default for sums
 * and products. */
#define WF_TYPE_FACTS(X)                                                                                               \
    X(F32, FLOAT, 24, 8, F32)                                                                                          \
    X(F64, FLOAT, 53, 11, F64)                                                                                         \
    X(I32, SIGNED, 31, 0, I32)                                                                                         \
    X(I64, SIGNED, 63, 0, I64)                                                                                         \
    X(U32, UNSIGNED, 32, 0, U32)                                                                                       \
    X(U64, UNSIGNED, 64, 0, U64)                                                                                       \
    X(I8, SIGNED, 7, 0, I64)                                                                                           \
    X(I16, SIGNED, 15, 0, I64)                                                                                         \
    X(U8, UNSIGNED, 8, 0, U64)                                                                                         \
    X(U16, UNSIGNED, 16, 0, U64)                                                                                       \
    X(F16, FLOAT, 11, 5, F32)                                                                                          \
    X(BF16, FLOAT, 8, 8, F32)

typedef struct wf_type_facts {
    wf_kind kind;
    int digits, exponent_bits;
    wf_type accumulator;
} wf_type_facts;

static inline wf_type_facts wf_facts_of_type(wf_type type) {
    wf_type_facts facts = {WF_KIND_FLOAT, 0, 0, WF_F64};
    switch (type) {
#define WF_TYPE_CASE(ENUM, kind_, digits_, exponent_, accumulator_)                                                    \
    case WF_##ENUM:                                                                                                    \
        facts.kind = WF_KIND_##kind_;                                                                                  \
        facts.digits = digits_;                                                                                        \
        facts.exponent_bits = exponent_;                                                                               \
        facts.accumulator = WF_##accumulator_;                                                                         \
        break;
        WF_TYPE_FACTS(WF_TYPE_CASE)
#undef WF_TYPE_CASE
    case WF_TYPE_COUNT:
        break;
    }
    return facts;
}

static inline size_t wf_bytes_of_type(wf_type type) {
    switch (type) {
#define WF_TYPE_CASE(ENUM, name, ctype)                                                                                \
    case WF_##ENUM:                                                                                                    \
        return sizeof(ctype);
        WF_TYPE_MAP(WF_TYPE_CASE)
#undef WF_TYPE_CASE
    case WF_TYPE_COUNT:
        break;
    }
    return 0;
}

static inline wf_kind wf_kind_of(wf_type type) {
    return wf_facts_of_type(type).kind;
}
static inline bool wf_type_is_float(wf_type type) {
    return wf_kind_of(type) == WF_KIND_FLOAT;
}
static inline bool wf_type_is_signed(wf_type type) { /* false for floats */
    return wf_kind_of(type) == WF_KIND_SIGNED;
}

/* Bits of floats in the layout of IEEE 754: sign, exponent, fraction. */
static inline uint64_t wf_infinity_bits(wf_type type) {
    return ((UINT64_C(1) << wf_facts_of_type(type).exponent_bits) - 1) << (wf_facts_of_type(type).digits - 1);
}
static inline uint64_t wf_nan_bits(wf_type type) { /* quiet, positive, without payload */
    return wf_infinity_bits(type) | UINT64_C(1) << (wf_facts_of_type(type).digits - 2);
}

/* The term that a sum adds for each element x: an expression in C, C++ and of vectors. x has the accumulator's type,
 * unsigned for integers, so that it wraps. Each platform computes magnitude in its own way. */
#define WF_TERM_MAP(X)                                                                                                 \
    X(ELEMENT, x)                                                                                                      \
    X(MAGNITUDE, magnitude)                                                                                            \
    X(SQUARE, (x * x))

typedef enum wf_term {
#define WF_TERM_ENUM(ENUM, expression) WF_TERM_##ENUM,
    WF_TERM_MAP(WF_TERM_ENUM)
#undef WF_TERM_ENUM
} wf_term;

/* The term of x, for each type of accumulator. */
#define WF_TERM_CASE(ENUM, expression)                                                                                 \
    case WF_TERM_##ENUM:                                                                                               \
        return expression;
#define WF_TERM_OF(name, ctype)                                                                                        \
    static inline ctype wf_term_##name(wf_term term, ctype x, bool negative) {                                         \
        const ctype magnitude = negative ? -x : x;                                                                     \
        switch (term) { WF_TERM_MAP(WF_TERM_CASE) }                                                                    \
        return x;                                                                                                      \
    }
WF_TERM_OF(f32, float)
WF_TERM_OF(f64, double)
WF_TERM_OF(u64, uint64_t)
#undef WF_TERM_OF
#undef WF_TERM_CASE

/* Classes of operators. */
typedef enum wf_op_class {
    WF_CLASS_SUM,     /* adds the elements' terms in the accumulator */
    WF_CLASS_PRODUCT, /* multiplies the elements in the accumulator */
    WF_CLASS_EXTREME, /* selects one or two elements */
    WF_CLASS_BITWISE, /* integers only */
    WF_CLASS_ORDERED  /* associative, not commutative */
} wf_op_class;

/* The result for no elements. */
typedef enum wf_identity {
    WF_IDENTITY_ZERO,
    WF_IDENTITY_UNIT,          /* 1, the matrix (1 0; 0 1), the map x -> 1 x + 0 */
    WF_IDENTITY_ALL_BITS,      /* every bit is 1 */
    WF_IDENTITY_LARGEST,       /* the type's largest value, +infinity for floats; NaN if NaN is ignored */
    WF_IDENTITY_LEAST,         /* the type's least value, -infinity for floats; NaN if NaN is ignored */
    WF_IDENTITY_LARGEST_LEAST, /* both, in this order */
    WF_IDENTITY_NAN
} wf_identity;

/* The effect of a NaN among the elements. */
typedef enum wf_nan_effect {
    WF_NAN_SPREADS,   /* the result is NaN */
    WF_NAN_AS_CHOSEN, /* the caller's wf_nan decides */
    WF_NAN_NONE       /* integers have no NaN */
} wf_nan_effect;

/* X(ENUM, class, term, identity, nan, values, has_index): values is the count of numbers in a result. */
#define WF_OP_FACTS(X)                                                                                                 \
    X(SUM, SUM, ELEMENT, ZERO, SPREADS, 1, false)                                                                      \
    X(MIN, EXTREME, ELEMENT, LARGEST, AS_CHOSEN, 1, false)                                                             \
    X(MAX, EXTREME, ELEMENT, LEAST, AS_CHOSEN, 1, false)                                                               \
    X(PRODUCT, PRODUCT, ELEMENT, UNIT, SPREADS, 1, false)                                                              \
    X(MEAN, SUM, ELEMENT, NAN, SPREADS, 1, false)                                                                      \
    X(MINMAX, EXTREME, ELEMENT, LARGEST_LEAST, AS_CHOSEN, 2, false)                                                    \
    X(ARGMIN, EXTREME, ELEMENT, LARGEST, AS_CHOSEN, 1, true)                                                           \
    X(ARGMAX, EXTREME, ELEMENT, LEAST, AS_CHOSEN, 1, true)                                                             \
    X(AND, BITWISE, ELEMENT, ALL_BITS, NONE, 1, false)                                                                 \
    X(OR, BITWISE, ELEMENT, ZERO, NONE, 1, false)                                                                      \
    X(XOR, BITWISE, ELEMENT, ZERO, NONE, 1, false)                                                                     \
    X(MATMUL, ORDERED, ELEMENT, UNIT, SPREADS, 4, false)                                                               \
    X(AFFINE, ORDERED, ELEMENT, UNIT, SPREADS, 2, false)                                                               \
    X(ASUM, SUM, MAGNITUDE, ZERO, SPREADS, 1, false)                                                                   \
    X(SUMSQ, SUM, SQUARE, ZERO, SPREADS, 1, false)

typedef struct wf_op_facts {
    wf_op_class op_class;
    wf_term term; /* for sums */
    wf_identity identity;
    wf_nan_effect nan;
    uint32_t scalars, values;
    bool has_index;
} wf_op_facts;

static inline wf_op_facts wf_facts_of_op(wf_op op) {
    wf_op_facts facts = {WF_CLASS_SUM, WF_TERM_ELEMENT, WF_IDENTITY_ZERO, WF_NAN_NONE, 0, 0, false};
    switch (op) {
#define WF_OP_CASE(ENUM, class_, term_, identity_, nan_, values_, has_index_)                                          \
    case WF_##ENUM:                                                                                                    \
        facts.op_class = WF_CLASS_##class_;                                                                            \
        facts.term = WF_TERM_##term_;                                                                                  \
        facts.identity = WF_IDENTITY_##identity_;                                                                      \
        facts.nan = WF_NAN_##nan_;                                                                                     \
        facts.values = values_;                                                                                        \
        facts.has_index = has_index_;                                                                                  \
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

static inline bool wf_op_accumulates(wf_op op) { /* the result's type is the accumulator's */
    return wf_facts_of_op(op).op_class == WF_CLASS_SUM || wf_facts_of_op(op).op_class == WF_CLASS_PRODUCT;
}
static inline bool wf_op_multiplies(wf_op op) { /* most data then overflow or underflow */
    return wf_facts_of_op(op).op_class == WF_CLASS_PRODUCT || wf_facts_of_op(op).op_class == WF_CLASS_ORDERED;
}
static inline bool wf_op_is_extreme(wf_op op) {
    return wf_facts_of_op(op).op_class == WF_CLASS_EXTREME;
}
static inline bool wf_op_may_pass_over_nan(wf_op op) {
    return wf_facts_of_op(op).nan == WF_NAN_AS_CHOSEN;
}
static inline bool wf_op_is_ordered(wf_op op) {
    return wf_facts_of_op(op).op_class == WF_CLASS_ORDERED;
}

/* The accumulator of WF_ACCUMULATE_DEFAULT. A mean of integers of 4 and 8 bytes takes f64, since their sum may wrap. */
static inline wf_type wf_default_accumulator(wf_type type, wf_op op) {
    if (!wf_op_accumulates(op))
        return type;
    if (op == WF_MEAN && !wf_type_is_float(type) && wf_facts_of_type(type).digits > 16)
        return WF_F64;
    return wf_facts_of_type(type).accumulator;
}

#endif
