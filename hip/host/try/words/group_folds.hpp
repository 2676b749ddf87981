// Reductions and scans of cooperative groups: cooperative_groups/reduce.h and scan.h.
#ifndef WAVEFOLD_HOST_TRY_WORDS_GROUP_FOLDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_GROUP_FOLDS_HPP

#include "groups.hpp"

namespace cooperative_groups {

#define WF_TRY_FOLD(name, result)                                                                                      \
    template <class T = void>                                                                                          \
    struct name {                                                                                                      \
        WF_TRY_UNRECORDED T operator()(T a, T b) const { return T(result); }                                           \
    };                                                                                                                 \
    template <>                                                                                                        \
    struct name<void> {                                                                                                \
        template <class T>                                                                                             \
        WF_TRY_UNRECORDED T operator()(T a, T b) const {                                                               \
            return T(result);                                                                                          \
        }                                                                                                              \
    };
WF_TRY_FOLD(plus, a + b)
WF_TRY_FOLD(less, b < a ? b : a)
WF_TRY_FOLD(greater, a < b ? b : a)
WF_TRY_FOLD(bit_and, a &b)
WF_TRY_FOLD(bit_or, a | b)
WF_TRY_FOLD(bit_xor, a ^ b)
#undef WF_TRY_FOLD

// Ranks at half of the group's size apart are combined first, then at a quarter; of a group whose size is no power of
// two, one rank after the other. GPUs promise no order.
template <class Group, class T, class Fold>
WF_TRY_UNRECORDED T reduce(const Group &group, T value, Fold fold, WF_TRY_PLACE) {
    T all[wf::tried::widest_wave], of_ranks[wf::tried::widest_wave] = {};
    uint64_t left = wf::tried::gather_values(&value, all, sizeof(T), of_mask(group.wf_mask()), at);
    unsigned count = 0;
    for (; left != 0; left &= left - 1)
        of_ranks[count++] = all[__builtin_ctzll(left)];
    if ((count & (count - 1)) == 0)
        for (unsigned by = count / 2; by > 0; by /= 2)
            for (unsigned i = 0; i < by; i++)
                of_ranks[i] = fold(of_ranks[i], of_ranks[i + by]);
    else
        for (unsigned i = 1; i < count; i++)
            of_ranks[0] = fold(of_ranks[0], of_ranks[i]);
    return of_ranks[0];
}

// Of the ranks before this one, and of this one if that is wanted; the first rank of an exclusive scan gets T().
template <bool IsInclusive, class Group, class T, class Fold>
WF_TRY_UNRECORDED T wf_scan(const Group &group, T value, Fold fold, const wf::tried::place &at) {
    T all[wf::tried::widest_wave];
    uint64_t left = wf::tried::gather_values(&value, all, sizeof(T), of_mask(group.wf_mask()), at);
    const unsigned end = group.thread_rank() + (IsInclusive ? 1 : 0);
    T result = T();
    for (unsigned rank = 0; rank < end && left != 0; rank++, left &= left - 1)
        result = rank == 0 ? all[__builtin_ctzll(left)] : T(fold(result, all[__builtin_ctzll(left)]));
    return result;
}
template <class Group, class T, class Fold = plus<T>>
T inclusive_scan(const Group &group, T value, Fold fold = {}, WF_TRY_PLACE) {
    return wf_scan<true>(group, value, fold, at);
}
template <class Group, class T, class Fold = plus<T>>
T exclusive_scan(const Group &group, T value, Fold fold = {}, WF_TRY_PLACE) {
    return wf_scan<false>(group, value, fold, at);
}

} // namespace cooperative_groups

#endif
