// Floats of 16 bits, single and in pairs: what cuda_fp16.h and cuda_bf16.h have in common. Each operation rounds once,
// to nearest, as on GPUs with such arithmetic.
#ifndef WAVEFOLD_HOST_TRY_WORDS_NARROW_FLOATS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_NARROW_FLOATS_HPP

#include "atomic_words.hpp"
#include "float_words.hpp"
#include "shuffle_words.hpp"
#include "vectors.hpp"

namespace wf::tried {

struct half_format {
    static uint16_t bits(double number, rounding to = rounding::rn);
    static float value(uint16_t bits);
};
struct bfloat_format {
    static uint16_t bits(double number, rounding to = rounding::rn);
    static float value(uint16_t bits);
};
// a * b + c, rounded so that another rounding to fewer digits is right (to odd).
double odd_fma(float a, float b, float c);

#define WF_TRY_INLINE __attribute__((always_inline)) inline

template <class Format>
struct narrow_float {
    uint16_t bits;

    narrow_float() = default; // leaves it unset, as on GPUs
    template <class Number>
    requires std::is_arithmetic_v<Number> WF_TRY_INLINE narrow_float(Number number)
        : bits(Format::bits(double(number))) {}
    WF_TRY_INLINE operator float() const {
        const narrow_float copy = *this; // the access is the kernel's
        return Format::value(copy.bits);
    }

    static narrow_float of_bits(uint16_t from) {
        narrow_float made;
        made.bits = from;
        return made;
    }
    static narrow_float rounded(double number, rounding to = rounding::rn) { return of_bits(Format::bits(number, to)); }
};

template <class Format>
using narrow_pair = vector2<narrow_float<Format>>;

template <class Format>
constexpr bool is_shuffled<narrow_float<Format>> = true;
template <class Format>
constexpr bool is_shuffled<narrow_pair<Format>> = true;

// ---- Operators ------------------------------------------------------------------------------------------------------

#define WF_TRY_OPERATOR(sign)                                                                                          \
    template <class F>                                                                                                 \
    WF_TRY_INLINE narrow_float<F> operator sign(narrow_float<F> a, narrow_float<F> b) {                                \
        return narrow_float<F>::rounded(double(float(a)) sign double(float(b)));                                       \
    }                                                                                                                  \
    template <class F>                                                                                                 \
    WF_TRY_INLINE narrow_float<F> &operator sign##=(narrow_float<F> &a, narrow_float<F> b) {                           \
        return a = a sign b;                                                                                           \
    }                                                                                                                  \
    template <class F>                                                                                                 \
    WF_TRY_INLINE narrow_pair<F> operator sign(narrow_pair<F> a, narrow_pair<F> b) {                                   \
        return {a.x sign b.x, a.y sign b.y};                                                                           \
    }                                                                                                                  \
    template <class F>                                                                                                 \
    WF_TRY_INLINE narrow_pair<F> &operator sign##=(narrow_pair<F> &a, narrow_pair<F> b) {                              \
        return a = a sign b;                                                                                           \
    }
WF_TRY_OPERATOR(+)
WF_TRY_OPERATOR(-)
WF_TRY_OPERATOR(*)
WF_TRY_OPERATOR(/)
#undef WF_TRY_OPERATOR

#define WF_TRY_COMPARISON(sign)                                                                                        \
    template <class F>                                                                                                 \
    WF_TRY_INLINE bool operator sign(narrow_float<F> a, narrow_float<F> b) {                                           \
        return float(a) sign float(b);                                                                                 \
    }
WF_TRY_COMPARISON(==)
WF_TRY_COMPARISON(!=)
WF_TRY_COMPARISON(<)
WF_TRY_COMPARISON(<=)
WF_TRY_COMPARISON(>)
WF_TRY_COMPARISON(>=)
#undef WF_TRY_COMPARISON

template <class F>
WF_TRY_INLINE narrow_float<F> operator-(narrow_float<F> a) {
    return narrow_float<F>::of_bits(a.bits ^ 0x8000);
}
template <class F>
WF_TRY_INLINE narrow_pair<F> operator-(narrow_pair<F> a) {
    return {-a.x, -a.y};
}

} // namespace wf::tried

// ---- Words of both formats ------------------------------------------------------------------------------------------

#define WF_TRY_NARROW                                                                                                  \
    template <class F>                                                                                                 \
    WF_TRY_INLINE
#define WF_TRY_ONE wf::tried::narrow_float<F>
#define WF_TRY_PAIR wf::tried::narrow_pair<F>

// name: of two floats; name##2: of two pairs.
#define WF_TRY_BINARY(name, name2, result)                                                                             \
    WF_TRY_NARROW WF_TRY_ONE name(WF_TRY_ONE a, WF_TRY_ONE b) {                                                        \
        return result;                                                                                                 \
    }                                                                                                                  \
    WF_TRY_NARROW WF_TRY_PAIR name2(WF_TRY_PAIR a, WF_TRY_PAIR b) {                                                    \
        return {name(a.x, b.x), name(a.y, b.y)};                                                                       \
    }
WF_TRY_BINARY(__hadd, __hadd2, a + b)
WF_TRY_BINARY(__hsub, __hsub2, a - b)
WF_TRY_BINARY(__hmul, __hmul2, a *b)
WF_TRY_BINARY(__hdiv, __h2div, a / b)
WF_TRY_BINARY(__hadd_rn, __hadd2_rn, a + b)
WF_TRY_BINARY(__hsub_rn, __hsub2_rn, a - b)
WF_TRY_BINARY(__hmul_rn, __hmul2_rn, a *b)
WF_TRY_BINARY(__hadd_sat, __hadd2_sat, WF_TRY_ONE(__saturatef(float(a + b))))
WF_TRY_BINARY(__hsub_sat, __hsub2_sat, WF_TRY_ONE(__saturatef(float(a - b))))
WF_TRY_BINARY(__hmul_sat, __hmul2_sat, WF_TRY_ONE(__saturatef(float(a *b))))
// Of a NaN and a number, the number; of +0 and -0, the larger is +0.
WF_TRY_BINARY(__hmax, __hmax2, a != a ? b : b != b ? a : a > b || (a == b && a.bits < b.bits) ? a : b)
WF_TRY_BINARY(__hmin, __hmin2, a != a ? b : b != b ? a : a < b || (a == b && a.bits > b.bits) ? a : b)
WF_TRY_BINARY(__hmax_nan, __hmax2_nan, a != a || b != b ? WF_TRY_ONE::of_bits(0x7fff) : __hmax(a, b))
WF_TRY_BINARY(__hmin_nan, __hmin2_nan, a != a || b != b ? WF_TRY_ONE::of_bits(0x7fff) : __hmin(a, b))
#undef WF_TRY_BINARY

WF_TRY_NARROW WF_TRY_ONE __hfma(WF_TRY_ONE a, WF_TRY_ONE b, WF_TRY_ONE c) {
    return WF_TRY_ONE::rounded(wf::tried::odd_fma(a, b, c));
}
WF_TRY_NARROW WF_TRY_PAIR __hfma2(WF_TRY_PAIR a, WF_TRY_PAIR b, WF_TRY_PAIR c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
WF_TRY_NARROW WF_TRY_ONE __hfma_sat(WF_TRY_ONE a, WF_TRY_ONE b, WF_TRY_ONE c) {
    return WF_TRY_ONE(__saturatef(float(__hfma(a, b, c))));
}
WF_TRY_NARROW WF_TRY_ONE __hfma_relu(WF_TRY_ONE a, WF_TRY_ONE b, WF_TRY_ONE c) {
    return __hmax(__hfma(a, b, c), WF_TRY_ONE(0));
}

#define WF_TRY_UNARY(name, name2, result)                                                                              \
    WF_TRY_NARROW WF_TRY_ONE name(WF_TRY_ONE a) {                                                                      \
        return result;                                                                                                 \
    }                                                                                                                  \
    WF_TRY_NARROW WF_TRY_PAIR name2(WF_TRY_PAIR a) {                                                                   \
        return {name(a.x), name(a.y)};                                                                                 \
    }
WF_TRY_UNARY(__hneg, __hneg2, -a)
WF_TRY_UNARY(__habs, __habs2, WF_TRY_ONE::of_bits(a.bits & 0x7fff))
#define WF_TRY_FUNCTION(name, function) WF_TRY_UNARY(h##name, h2##name, WF_TRY_ONE::rounded(function(double(float(a)))))
WF_TRY_FUNCTION(exp, exp)
WF_TRY_FUNCTION(exp2, exp2)
WF_TRY_FUNCTION(exp10, exp10)
WF_TRY_FUNCTION(log, log)
WF_TRY_FUNCTION(log2, log2)
WF_TRY_FUNCTION(log10, log10)
WF_TRY_FUNCTION(sqrt, sqrt)
WF_TRY_FUNCTION(rsqrt, rsqrt)
WF_TRY_FUNCTION(rcp, 1 /)
WF_TRY_FUNCTION(sin, sin)
WF_TRY_FUNCTION(cos, cos)
WF_TRY_FUNCTION(tanh, tanh)
WF_TRY_FUNCTION(floor, floor)
WF_TRY_FUNCTION(ceil, ceil)
WF_TRY_FUNCTION(trunc, trunc)
WF_TRY_FUNCTION(rint, nearbyint)
#undef WF_TRY_FUNCTION
#undef WF_TRY_UNARY

// b: of all of a pair; 2: 1 or 0 for each; u: true of a NaN, too.
#define WF_TRY_RELATION(name, sign)                                                                                    \
    WF_TRY_NARROW bool __h##name(WF_TRY_ONE a, WF_TRY_ONE b) {                                                         \
        return (sign == '!' || (float(a) == float(a) && float(b) == float(b))) && wf::tried::relates<sign>(a, b);      \
    }                                                                                                                  \
    WF_TRY_NARROW bool __h##name##u(WF_TRY_ONE a, WF_TRY_ONE b) {                                                      \
        return float(a) != float(a) || float(b) != float(b) || wf::tried::relates<sign>(a, b);                         \
    }                                                                                                                  \
    WF_TRY_NARROW WF_TRY_PAIR __h##name##2(WF_TRY_PAIR a, WF_TRY_PAIR b) {                                             \
        return {WF_TRY_ONE(int(__h##name(a.x, b.x))), WF_TRY_ONE(int(__h##name(a.y, b.y)))};                           \
    }                                                                                                                  \
    WF_TRY_NARROW bool __hb##name##2(WF_TRY_PAIR a, WF_TRY_PAIR b) {                                                   \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                             \
    }
namespace wf::tried {
template <int Sign>
inline bool relates(float a, float b) {
    return Sign == '='   ? a == b
           : Sign == '!' ? a != b
           : Sign == '<' ? a < b
           : Sign == '>' ? a > b
           : Sign == 'l' ? a <= b
                         : a >= b;
}
} // namespace wf::tried
WF_TRY_RELATION(eq, '=')
WF_TRY_RELATION(ne, '!')
WF_TRY_RELATION(lt, '<')
WF_TRY_RELATION(gt, '>')
WF_TRY_RELATION(le, 'l')
WF_TRY_RELATION(ge, 'g')
#undef WF_TRY_RELATION

WF_TRY_NARROW bool __hisnan(WF_TRY_ONE a) {
    return float(a) != float(a);
}
WF_TRY_NARROW int __hisinf(WF_TRY_ONE a) {
    const float number = a;
    return isinf(number) ? number > 0 ? 1 : -1 : 0;
}

// Recorded as one update of 4 bytes.
template <class F>
WF_TRY_UNRECORDED WF_TRY_PAIR atomicAdd(WF_TRY_PAIR *cell, const WF_TRY_PAIR &operand, WF_TRY_PLACE) {
    const auto of = [](const WF_TRY_PAIR &pair) { return uint32_t(pair.x.bits) | uint32_t(pair.y.bits) << 16; };
    const uint32_t more = of(operand), before = wf::tried::updated(
                                           reinterpret_cast<uint32_t *>(cell), more, more,
                                           [](uint32_t a, uint32_t b, uint32_t) {
                                               const auto sum = [&](unsigned by) {
                                                   return uint32_t((WF_TRY_ONE::of_bits(uint16_t(a >> by)) +
                                                                    WF_TRY_ONE::of_bits(uint16_t(b >> by)))
                                                                       .bits)
                                                          << by;
                                               };
                                               return sum(0) | sum(16);
                                           },
                                           at);
    return {WF_TRY_ONE::of_bits(uint16_t(before)), WF_TRY_ONE::of_bits(uint16_t(before >> 16))};
}

#endif
