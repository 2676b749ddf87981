// Votes of a wave, and its barrier.
#ifndef WAVEFOLD_HOST_TRY_WORDS_VOTE_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_VOTE_WORDS_HPP

#include "masks.hpp"

namespace wf::tried {

struct poll {
    uint64_t lanes, votes;
};
WF_TRY_UNRECORDED inline poll polled(bool mine, named_lanes of, const place &at) {
    poll result;
    result.lanes = ballot(mine, &result.votes, of, at);
    return result;
}

} // namespace wf::tried

inline void __syncwarp(uint64_t mask = ~uint64_t(0), WF_TRY_PLACE) {
    wf::tried::wave_barrier(wf::tried::of_mask(mask), at);
}

// Lanes that the tile does not have do not vote.
inline uint64_t __ballot(int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine != 0, {}, at).votes;
}
inline uint64_t __ballot_sync(uint64_t mask, int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine != 0, wf::tried::of_mask(mask), at).votes;
}
inline int __any(int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine != 0, {}, at).votes != 0;
}
inline int __any_sync(uint64_t mask, int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine != 0, wf::tried::of_mask(mask), at).votes != 0;
}
inline int __all(int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine == 0, {}, at).votes == 0;
}
inline int __all_sync(uint64_t mask, int mine, WF_TRY_PLACE) {
    return wf::tried::polled(mine == 0, wf::tried::of_mask(mask), at).votes == 0;
}
inline int __uni_sync(uint64_t mask, int mine, WF_TRY_PLACE) {
    const wf::tried::poll all = wf::tried::polled(mine != 0, wf::tried::of_mask(mask), at);
    return all.votes == 0 || all.votes == all.lanes;
}

// The lanes that reach it together: of a branch, those that took it. GPUs promise less: they may part at any time.
inline uint64_t __activemask(WF_TRY_PLACE) {
    return wf::tried::polled(true, {}, at).lanes;
}

inline unsigned __lane_id() {
    return wf::tried::lane_in_wave();
}
inline uint64_t __lanemask_lt() {
    return (uint64_t(1) << wf::tried::lane_in_wave()) - 1;
}
inline uint64_t __lanemask_eq() {
    return uint64_t(1) << wf::tried::lane_in_wave();
}

#endif
