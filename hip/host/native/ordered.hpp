// Operators that do not commute: products of 2x2 matrices, and compositions of maps x -> a x + b.
//
// Each operation waits for the one before, so a piece is cut into contiguous runs that are folded side by side.
#ifndef WAVEFOLD_HOST_NATIVE_ORDERED_HPP
#define WAVEFOLD_HOST_NATIVE_ORDERED_HPP

#include "arithmetic.hpp"
#include "native.hpp"
#include "simd.hpp"

namespace wf::host::native {
namespace {

// T: float, double, or uint32_t for wrapping integers.
template <class T>
struct matrix {
    T a = 1, b = 0, c = 0, d = 1;

    // *this, then next.
    void then(const matrix &next) {
        *this = {a * next.a + b * next.c, a * next.b + b * next.d, c * next.a + d * next.c, c * next.b + d * next.d};
    }
};

template <class T>
struct map {
    T a = 1, b = 0;

    void then(const map &next) { *this = {next.a * a, next.a * b + next.b}; }
};

template <class Element>
struct ordered {
    static constexpr size_t runs = 8;

    static Element at(const job &what, uint64_t i) { return load<Element>(what.in + i * sizeof(Element)); }

    static void fold(const job &what, uint64_t begin, uint64_t end, partial *to) {
        const uint64_t length = (end - begin) / runs;
        Element so_far[runs];
        for (uint64_t i = 0; i < length; i++)
            for (size_t run = 0; run < runs; run++)
                so_far[run].then(at(what, begin + run * length + i));
        for (uint64_t i = begin + runs * length; i < end; i++)
            so_far[runs - 1].then(at(what, i));
        for (size_t run = 1; run < runs; run++)
            so_far[0].then(so_far[run]);
        put(so_far[0], to->bytes);
    }
    static void finish(const job &, const partial *pieces, size_t count, void *result) {
        Element all;
        for (size_t i = 0; i < count; i++)
            all.then(load<Element>(reinterpret_cast<const char *>(pieces[i].bytes)));
        put(all, result);
    }
};

} // namespace
} // namespace wf::host::native
#endif
