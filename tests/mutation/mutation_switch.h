/* What the mutants of a build are switched on with: every place that scripts/mutate.sh changes asks here whether its
 * number is the one of the environment's WAVEFOLD_MUTANT. The build includes this file in front of every source.
 *
 * What is right is found without them: the tests, and the oracle within them, share headers with the library, and keep
 * them as they are. So the mutants are on in libraries and modules alone, and in test_pool, which has the pool itself.
 *
 * WAVEFOLD_MUTANTS_REACHED names a file with a byte for each mutant. The byte of every place that is passed becomes 1.
 *
 * In C the operands are held in statement expressions, a GNU extension; in C++ in templates, which stand in
 * initialisers of members, too. Either way each operand stands once in the text, is converted as before, and is
 * evaluated once. */
#ifndef WAVEFOLD_MUTATION_SWITCH_H
#define WAVEFOLD_MUTATION_SWITCH_H

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* One of each in a program or a module: the sources of one share them. */
__attribute__((weak, visibility("hidden"))) unsigned wfm_chosen;
__attribute__((weak, visibility("hidden"))) unsigned char *wfm_reached;

__attribute__((constructor)) static void wfm_choose(void) {
    const char *const number = getenv("WAVEFOLD_MUTANT"), *const path = getenv("WAVEFOLD_MUTANTS_REACHED");
    Dl_info here;
    if (dladdr((void *)wfm_choose, &here) == 0)
        abort();
    if (strstr(here.dli_fname, "/libwavefold") == NULL && strstr(here.dli_fname, "/test_pool") == NULL)
        return;
    wfm_chosen = number != NULL ? (unsigned)strtoul(number, NULL, 10) : 0;
    if (path == NULL || wfm_reached != NULL)
        return;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0)
        abort();
    void *const bytes = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        abort();
    wfm_reached = (unsigned char *)bytes;
    close(file);
}

/* Which of a place's mutants is on, counted from 1; 0 if none is, or the compiler asks. WFM_FIXED: the one mutant that
 * is compiled in. */
#ifdef __cplusplus
#define WFM_FUNCTION static constexpr
#define WFM_IS_COMPILING __builtin_is_constant_evaluated()
#else
#define WFM_FUNCTION static inline
#define WFM_IS_COMPILING 0
#endif
WFM_FUNCTION unsigned wfm_which(unsigned first, unsigned count) {
    if (WFM_IS_COMPILING)
        return 0;
#ifdef WFM_FIXED
    return WFM_FIXED - first < count ? WFM_FIXED - first + 1 : 0;
#endif
    if (__builtin_expect(wfm_reached != NULL, 0))
        for (unsigned i = 0; i < count; i++)
            wfm_reached[first + i] = 1;
    const unsigned past = wfm_chosen - first;
    return __builtin_expect(past < count, 0) ? past + 1 : 0;
}

WFM_FUNCTION int wfm_on(unsigned mutant) {
    return wfm_which(mutant, 1) != 0;
}

/* a && b with mutant m is !(!a && !b), which is a || b; the other way round the same. */
#define WFM_AND(m, a, b) ((wfm_on(m) ^ ((wfm_on(m) ^ !!(a)) && (wfm_on(m) ^ !!(b)))) != 0)
#define WFM_OR(m, a, b) ((wfm_on(m) ^ ((wfm_on(m) ^ !!(a)) || (wfm_on(m) ^ !!(b)))) != 0)
#define WFM_CONDITION(m, a) (wfm_on(m) != !!(a))
#define WFM_NOT(m, a) (wfm_on(m) != !(a))
#define WFM_NEGATIVE(m, a) (wfm_on(m) ? +(a) : -(a))
#define WFM_COMPLEMENT(m, a) (wfm_on(m) ? +(a) : ~(a))
#define WFM_BEFORE(m, op, other, a) (wfm_on(m) ? (other(a)) : (op(a)))
#define WFM_AFTER(m, op, other, a) (wfm_on(m) ? ((a)other) : ((a)op))
#define WFM_ASSIGN(m, op, other, a, b) (wfm_on(m) ? ((a)other(b)) : ((a)op(b)))

/* clang-format off */
#define WFM_OPERATORS(X)                                                                                               \
    X(lt, <) X(le, <=) X(gt, >) X(ge, >=) X(eq, ==) X(ne, !=) X(add, +) X(sub, -) X(mul, *) X(div, /) X(rem, %)        \
    X(shl, <<) X(shr, >>) X(band, &) X(bor, |) X(bxor, ^)
/* clang-format on */

#ifdef __cplusplus

#include <cstring>
#include <type_traits>
#include <utility>

#define WFM_OPERATOR(name, op)                                                                                         \
    struct wfm_##name {                                                                                                \
        template <class A, class B>                                                                                    \
        static constexpr auto of(A &&a, B &&b) -> decltype(static_cast<A &&>(a) op static_cast<B &&>(b)) {             \
            return static_cast<A &&>(a) op static_cast<B &&>(b);                                                       \
        }                                                                                                              \
    };
WFM_OPERATORS(WFM_OPERATOR)
#undef WFM_OPERATOR

template <class Op, class A, class B, class = void>
struct wfm_has : std::false_type {};
template <class Op, class A, class B>
struct wfm_has<Op, A, B, std::void_t<decltype(Op::of(std::declval<A>(), std::declval<B>()))>> : std::true_type {};

/* Where the other operator does not exist, the left operand is what comes of it. */
template <class Op, class Other, class A, class B>
constexpr auto wfm_binary(unsigned m, A &&a, B &&b) {
    using result = decltype(Op::of(static_cast<A &&>(a), static_cast<B &&>(b)));
    if constexpr (wfm_has<Other, A &&, B &&>::value)
        return wfm_on(m) ? result(Other::of(static_cast<A &&>(a), static_cast<B &&>(b)))
                         : Op::of(static_cast<A &&>(a), static_cast<B &&>(b));
    else
        return wfm_on(m) ? result(a) : Op::of(static_cast<A &&>(a), static_cast<B &&>(b));
}
template <class Op, class Boundary, class Opposite, class A, class B>
constexpr auto wfm_relation(unsigned m, A &&a, B &&b) {
    const unsigned which = wfm_which(m, 2);
    return which == 0   ? Op::of(static_cast<A &&>(a), static_cast<B &&>(b))
           : which == 1 ? Boundary::of(static_cast<A &&>(a), static_cast<B &&>(b))
                        : Opposite::of(static_cast<A &&>(a), static_cast<B &&>(b));
}
template <class T>
constexpr T wfm_constant(unsigned m, unsigned count, T value) {
    const unsigned which = wfm_which(m, count);
    return which == 0 ? value : which == 1 ? T(value + T(1)) : T(value - T(1));
}
/* Zeros instead of a value; of zeros a 1, or bytes of 1. */
template <class T>
constexpr T wfm_other(unsigned m, const T &value) {
    if (!wfm_on(m))
        return value;
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        return value == T() ? T(1) : T();
    } else {
        T other = value;
        const T before = value;
        std::memset(static_cast<void *>(&other), 0, sizeof other);
        if (std::memcmp(&other, &before, sizeof other) == 0)
            std::memset(static_cast<void *>(&other), 1, sizeof other);
        return other;
    }
}
#define WFM_BINARY(m, op, other, a, b) wfm_binary<wfm_##op, wfm_##other>(m, a, b)
#define WFM_RELATION(m, op, boundary, opposite, a, b) wfm_relation<wfm_##op, wfm_##boundary, wfm_##opposite>(m, a, b)
#define WFM_CONSTANT(m, count, a) wfm_constant(m, count, a)
#define WFM_OTHER(m, a) wfm_other(m, a)

#else

#define wfm_of_lt(a, b) (a < b)
#define wfm_of_le(a, b) (a <= b)
#define wfm_of_gt(a, b) (a > b)
#define wfm_of_ge(a, b) (a >= b)
#define wfm_of_eq(a, b) (a == b)
#define wfm_of_ne(a, b) (a != b)
#define wfm_of_add(a, b) (a + b)
#define wfm_of_sub(a, b) (a - b)
#define wfm_of_mul(a, b) (a * b)
#define wfm_of_div(a, b) (a / b)
#define wfm_of_rem(a, b) (a % b)
#define wfm_of_shl(a, b) (a << b)
#define wfm_of_shr(a, b) (a >> b)
#define wfm_of_band(a, b) (a & b)
#define wfm_of_bor(a, b) (a | b)
#define wfm_of_bxor(a, b) (a ^ b)
#define WFM_BINARY(m, op, other, a, b)                                                                                 \
    ({                                                                                                                 \
        __auto_type wfm_a = (a) + 0;                                                                                   \
        __auto_type wfm_b = (b) + 0;                                                                                   \
        wfm_on(m) ? wfm_of_##other(wfm_a, wfm_b) : wfm_of_##op(wfm_a, wfm_b);                                          \
    })
#define WFM_RELATION(m, op, boundary, opposite, a, b)                                                                  \
    ({                                                                                                                 \
        __auto_type wfm_a = (a) + 0;                                                                                   \
        __auto_type wfm_b = (b) + 0;                                                                                   \
        const unsigned wfm_w = wfm_which(m, 2);                                                                        \
        wfm_w == 0   ? wfm_of_##op(wfm_a, wfm_b)                                                                       \
        : wfm_w == 1 ? wfm_of_##boundary(wfm_a, wfm_b)                                                                 \
                     : wfm_of_##opposite(wfm_a, wfm_b);                                                                \
    })
#define WFM_CONSTANT(m, count, a)                                                                                      \
    ({                                                                                                                 \
        const unsigned wfm_w = wfm_which(m, count);                                                                    \
        (__typeof__(a))(wfm_w == 0 ? (a) : wfm_w == 1 ? (a) + 1 : (a)-1);                                              \
    })
#define WFM_OTHER(m, a)                                                                                                \
    ({                                                                                                                 \
        __auto_type wfm_a = (a) + 0;                                                                                   \
        wfm_on(m) ? (__typeof__(wfm_a))(!wfm_a) : wfm_a;                                                               \
    })

#endif
#endif
