// Atomic operations. A word's scope changes nothing here: _block and _system are the word itself.
#ifndef WAVEFOLD_HOST_TRY_WORDS_ATOMIC_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_ATOMIC_WORDS_HPP

#include "place.hpp"

#include <type_traits>

namespace wf::tried {

// Updates *cell and records the update. before: output, the earlier value.
using change = void(void *cell, const void *operand, const void *compared);
void update(void *cell, size_t bytes, change *by, const void *operand, const void *compared, void *before,
            const place &at);
// The lane is about to compare the cell with what it expects, and to swap it: a plain load just before is no race.
void compares(const void *cell, size_t bytes);
// Replaces the cell's value, which may be unwritten.
void exchange(void *cell, size_t bytes, const void *operand, void *before, const place &at);

template <class T, class Fold>
WF_TRY_UNRECORDED void change_by(void *cell, const void *operand, const void *compared) {
    T *const at = static_cast<T *>(cell);
    *at = Fold()(*at, *static_cast<const T *>(operand), *static_cast<const T *>(compared));
}
template <class T, class Fold>
WF_TRY_UNRECORDED T updated(T *cell, T operand, T compared, Fold, const place &at) {
    T before;
    update(cell, sizeof(T), change_by<T, Fold>, &operand, &compared, &before, at);
    return before;
}

} // namespace wf::tried

#define WF_TRY_SCOPES(each, name, ...)                                                                                 \
    each(name, __VA_ARGS__) each(name##_block, __VA_ARGS__) each(name##_system, __VA_ARGS__)
// The operand converts to the cell's type, as a call with an int for a float does.
#define WF_TRY_ATOMIC_WORD(name, needs, result)                                                                        \
    template <class T>                                                                                                 \
    T name(T *cell, std::common_type_t<T> operand, WF_TRY_PLACE) {                                                     \
        static_assert(needs, #name " does not take this type");                                                        \
        return wf::tried::updated(                                                                                     \
            cell, operand, operand, [](T old, T more, T) { return T(result); }, at);                                   \
    }
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicAdd, true, old + more)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicSub, true, old - more)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicMin, true, more < old ? more : old)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicMax, true, more > old ? more : old)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicInc, std::is_integral_v<T>, old >= more ? 0 : old + 1)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicDec, std::is_integral_v<T>, old == 0 || old > more ? more : old - 1)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicAnd, std::is_integral_v<T>, old &more)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicOr, std::is_integral_v<T>, old | more)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicXor, std::is_integral_v<T>, old ^ more)
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, unsafeAtomicAdd, true, old + more)
#undef WF_TRY_ATOMIC_WORD

#define WF_TRY_ATOMIC_WORD(name, empty)                                                                                \
    template <class T>                                                                                                 \
    WF_TRY_UNRECORDED T name(T *cell, std::common_type_t<T> operand, WF_TRY_PLACE) {                                   \
        T before;                                                                                                      \
        wf::tried::exchange(cell, sizeof(T), &operand, &before, at);                                                   \
        return before;                                                                                                 \
    }
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicExch, )
#undef WF_TRY_ATOMIC_WORD

#define WF_TRY_ATOMIC_WORD(name, empty)                                                                                \
    template <class T>                                                                                                 \
    T name(T *cell, std::common_type_t<T> compared, std::common_type_t<T> wanted, WF_TRY_PLACE) {                      \
        static_assert(std::is_integral_v<T>, "atomicCAS takes whole numbers: see __float_as_uint");                    \
        wf::tried::compares(cell, sizeof(T));                                                                          \
        return wf::tried::updated(                                                                                     \
            cell, wanted, compared, [](T old, T more, T expected) { return old == expected ? more : old; }, at);       \
    }
WF_TRY_SCOPES(WF_TRY_ATOMIC_WORD, atomicCAS, )
#undef WF_TRY_ATOMIC_WORD
#undef WF_TRY_SCOPES

#endif
