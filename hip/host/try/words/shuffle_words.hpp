// Shuffles of a wave, and the words that combine values of its lanes.
#ifndef WAVEFOLD_HOST_TRY_WORDS_SHUFFLE_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_SHUFFLE_WORDS_HPP

#include "dimensions.hpp"
#include "masks.hpp"

#include <type_traits>

namespace wf::tried {

// The lane of the group of width lanes whose value comes: counted from the group's first one; this lane's own if it
// would be outside. Across, it may be a lane of an earlier group, too, as on GPUs.
enum class direction { down, up, across, to };
void shuffle(void *value, size_t bytes, direction where, unsigned by, unsigned width, named_lanes of, const place &at);

// Floats of 16 bits are shuffled, too (halves.hpp).
template <class T>
constexpr bool is_shuffled = std::is_arithmetic_v<T> && sizeof(T) <= 8;

template <class T>
WF_TRY_UNRECORDED T shuffled(T value, direction where, unsigned by, unsigned width, named_lanes of, const place &at) {
    static_assert(is_shuffled<T>, "a shuffle moves a number of up to 8 bytes");
    shuffle(&value, sizeof value, where, by, width, of, at);
    return value;
}

// The lanes whose value equals this lane's.
template <class T>
WF_TRY_UNRECORDED uint64_t equal_lanes(T value, uint64_t *lanes, named_lanes of, const place &at) {
    static_assert(is_shuffled<T>, "a match compares numbers of up to 8 bytes");
    T all[widest_wave];
    *lanes = gather_values(&value, all, sizeof(T), of, at);
    uint64_t equal = 0;
    for (uint64_t left = *lanes; left != 0; left &= left - 1)
        equal |= uint64_t(__builtin_memcmp(&all[__builtin_ctzll(left)], &value, sizeof(T)) == 0)
                 << __builtin_ctzll(left);
    return equal;
}

} // namespace wf::tried

#define WF_TRY_SHUFFLE(name, where)                                                                                    \
    template <class T>                                                                                                 \
    T name(T value, unsigned by, unsigned width = unsigned(warpSize), WF_TRY_PLACE) {                                  \
        return wf::tried::shuffled(value, wf::tried::direction::where, by, width, {}, at);                             \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    T name##_sync(uint64_t mask, T value, unsigned by, unsigned width = unsigned(warpSize), WF_TRY_PLACE) {            \
        return wf::tried::shuffled(value, wf::tried::direction::where, by, width, wf::tried::of_mask(mask), at);       \
    }
WF_TRY_SHUFFLE(__shfl_down, down)
WF_TRY_SHUFFLE(__shfl_up, up)
WF_TRY_SHUFFLE(__shfl_xor, across)
WF_TRY_SHUFFLE(__shfl, to)
#undef WF_TRY_SHUFFLE

template <class T>
uint64_t __match_any_sync(uint64_t mask, T value, WF_TRY_PLACE) {
    uint64_t lanes;
    return wf::tried::equal_lanes(value, &lanes, wf::tried::of_mask(mask), at);
}
template <class T>
uint64_t __match_any(T value, WF_TRY_PLACE) {
    uint64_t lanes;
    return wf::tried::equal_lanes(value, &lanes, {}, at);
}
// The mask if all lanes have the same value, else 0.
template <class T>
WF_TRY_UNRECORDED uint64_t __match_all_sync(uint64_t mask, T value, int *is_same, WF_TRY_PLACE) {
    uint64_t lanes;
    const uint64_t equal = wf::tried::equal_lanes(value, &lanes, wf::tried::of_mask(mask), at);
    *is_same = equal == lanes;
    return equal == lanes ? lanes : 0;
}
template <class T>
WF_TRY_UNRECORDED uint64_t __match_all(T value, int *is_same, WF_TRY_PLACE) {
    uint64_t lanes;
    const uint64_t equal = wf::tried::equal_lanes(value, &lanes, {}, at);
    *is_same = equal == lanes;
    return equal == lanes ? lanes : 0;
}

#define WF_TRY_REDUCE(name, result)                                                                                    \
    template <class T>                                                                                                 \
    T name(uint64_t mask, T value, WF_TRY_PLACE) {                                                                     \
        static_assert(std::is_integral_v<T>, "a reduction of a wave takes whole numbers");                             \
        return wf::tried::folded_values(                                                                               \
            value, [](T a, T b) { return T(result); }, wf::tried::of_mask(mask), at);                                  \
    }
WF_TRY_REDUCE(__reduce_add_sync, a + b)
WF_TRY_REDUCE(__reduce_min_sync, b < a ? b : a)
WF_TRY_REDUCE(__reduce_max_sync, a < b ? b : a)
WF_TRY_REDUCE(__reduce_and_sync, a &b)
WF_TRY_REDUCE(__reduce_or_sync, a | b)
WF_TRY_REDUCE(__reduce_xor_sync, a ^ b)
#undef WF_TRY_REDUCE

#endif
