// grid.hpp's last_tile on GPUs.
#ifndef WAVEFOLD_GPU_GPU_GRID_HPP
#define WAVEFOLD_GPU_GPU_GRID_HPP

namespace wf {

// atomicInc would wrap by itself, but from HIP 5's device libraries it needs an intrinsic that newer compilers dropped.
__device__ __forceinline__ bool last_tile(const tiled_index &tidx, const ticket_view &ticket) {
    int last = 0;
    if (tidx.local == 0) {
        last = count_up_in_order(ticket) == tidx.tiles - 1; // the barrier passes the order on to the tile
        if (last)
            ticket[0] = 0;
    }
    return broadcast_first(last) != 0;
}

} // namespace wf

#endif
