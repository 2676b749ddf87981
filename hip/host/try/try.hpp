// What `wavefold try` puts before a learner's file: the words of its kernel, and how WF_TRY runs it (docs/try.md).
//
//   WF_TRY(kernel, tile_size, elements_per_tile)  the kernel leaves a partial sum of each tile in out[tile], and is
//                                                 launched again on those until one is left
//   WF_TRY_ATOMIC(kernel, tile_size, tiles)       it adds all that there is to out[0], which is 0 before
//   WF_TRY_ATOMIC_ELEMENTS(kernel, tile_size, elements_per_tile)
//                                                 the same, with as many tiles as the elements need
//
// Each makes the file a program. With WF_TRY_PLAIN the words are HIP's and CUDA's, else the ladder's.
#ifndef WAVEFOLD_HOST_TRY_TRY_HPP
#define WAVEFOLD_HOST_TRY_TRY_HPP

#if defined(WF_TRY_PLAIN)
#include "launch.hpp"
#include "modes/function.hpp"
#include "modes/program.hpp"
#include "runtime/runtime.hpp"
#include "words/words.hpp"
#else
#include "grid.hpp"
#include "operators.hpp"
#include "tile.hpp"
#include "wave.hpp"
#endif

#include "tried.hpp"

// A GPU's files have these with no include: assert(), printf(), INT_MAX, and abs() of floats, isnan() and their kind
// with no std::.
#include <cassert>
#include <climits>
#include <cstdio>
#include <math.h>

namespace wf::tried {

#if defined(WF_TRY_PLAIN)

template <class T>
concept writable_float = std::is_same_v<std::remove_volatile_t<T>, float>;

// Not instrumented: its own accesses are none of the kernel's. That in stays as it is, is checked, const or not.
template <class In, writable_float Out, class Count>
requires std::is_same_v<std::remove_const_t<In>, float> __attribute__((no_sanitize("thread"))) void
call(void (*kernel)(In *, Out *, Count), const arrays &of) {
    kernel(const_cast<In *>(of.in), of.out, static_cast<Count>(of.in_count));
}
// Asked first whether it can be called: of a name that fits several functions compilers say nothing that helps.
#define WF_TRY_CALL(kernel, width)                                                                                     \
    [](const auto &those) {                                                                                            \
        if constexpr (requires { wf::tried::call(kernel, those); })                                                    \
            wf::tried::call(kernel, those);                                                                            \
        else                                                                                                           \
            static_assert(                                                                                             \
                !sizeof those,                                                                                         \
                "a kernel that is tried takes (const float *in, float *out, size_t n); of a "                          \
                "template WF_TRY names all arguments: total<256>; with using namespace std it names ::reduce");        \
    }(of)

#else

using ladder_kernel = void(array_view<const float>, array_view<float>);

inline void call(ladder_kernel *kernel, const arrays &of) {
    kernel({of.in, of.in_count}, {of.out, of.out_count});
}
// In a template, so that a kernel can be asked whether it takes the width of a wave.
#define WF_TRY_CALL(kernel, width)                                                                                     \
    [&]<class T, unsigned Width>() {                                                                                   \
        using namespace wf;                                                                                            \
        if constexpr (requires { static_cast<wf::tried::ladder_kernel *>(&kernel<T, wf::sum<T>, Width>); })            \
            wf::tried::call(&kernel<T, wf::sum<T>, Width>, of);                                                        \
        else                                                                                                           \
            wf::tried::call(&kernel<T, wf::sum<T>>, of);                                                               \
    }.template operator()<float, width>()

#endif

} // namespace wf::tried

#define WF_TRY_PROGRAM(kernel, tile_size, elements, tiles, adds)                                                       \
    int main(int argument_count, char **arguments) {                                                                   \
        using namespace wf;                                                                                            \
        static_assert((tile_size) >= 1 && (tile_size) <= 1024, "a tile has 1 to 1024 threads");                        \
        return wf::tried::run({#kernel, tile_size, elements, tiles, adds,                                              \
                               [](const wf::tried::arrays &of) { WF_TRY_CALL(kernel, 32); },                           \
                               [](const wf::tried::arrays &of) { WF_TRY_CALL(kernel, 64); }},                          \
                              argument_count, arguments);                                                              \
    }
#define WF_TRY_FITS(elements_per_tile)                                                                                 \
    static_assert((elements_per_tile) <= (1 << 20), "a tile takes at most 1048576 elements: what two of them do is "   \
                                                    "run, and needs memory to be counted");
// Compilers show these lines where a comma in a kernel's name made arguments of it.
#define WF_TRY(kernel, tile_size, elements_per_tile) /* a comma in the kernel's name: WF_TRY((total<128, float>), */   \
    static_assert((elements_per_tile) >= 2, "a tile that takes one element leaves as many: that would never end");     \
    WF_TRY_FITS(elements_per_tile)                                                                                     \
    WF_TRY_PROGRAM(kernel, tile_size, elements_per_tile, 0, false)
#define WF_TRY_ATOMIC(kernel, tile_size, tiles) /* a comma in the kernel's name: WF_TRY_ATOMIC((total<128, float>), */ \
    static_assert((tiles) >= 1 && (tiles) <= 65536, "there are 1 to 65536 tiles");                                     \
    WF_TRY_PROGRAM(kernel, tile_size, 0, tiles, true)
#define WF_TRY_ATOMIC_ELEMENTS(kernel, tile_size, elements_per_tile) /* a comma: see WF_TRY_ATOMIC */                  \
    static_assert((elements_per_tile) >= 1, "a tile takes at least one element");                                      \
    WF_TRY_FITS(elements_per_tile)                                                                                     \
    WF_TRY_PROGRAM(kernel, tile_size, elements_per_tile, 0, true)

#endif
