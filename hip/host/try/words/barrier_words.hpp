// Barriers and fences.
#ifndef WAVEFOLD_HOST_TRY_WORDS_BARRIER_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_BARRIER_WORDS_HPP

#include "place.hpp"

namespace wf::tried {

void tile_barrier(const place &at);
// A barrier that returns how many lanes of the tile voted yes.
unsigned counting_barrier(bool mine, const place &at);
unsigned threads_of_tile();
void fence();

} // namespace wf::tried

inline void __syncthreads(WF_TRY_PLACE) {
    wf::tried::tile_barrier(at);
}
inline int __syncthreads_count(int mine, WF_TRY_PLACE) {
    return int(wf::tried::counting_barrier(mine != 0, at));
}
inline int __syncthreads_or(int mine, WF_TRY_PLACE) {
    return wf::tried::counting_barrier(mine != 0, at) != 0;
}
inline int __syncthreads_and(int mine, WF_TRY_PLACE) {
    return wf::tried::counting_barrier(mine == 0, at) == 0;
}

inline void __threadfence() {
    wf::tried::fence();
}
inline void __threadfence_system() {
    wf::tried::fence();
}
inline void __threadfence_block() {}

#endif
