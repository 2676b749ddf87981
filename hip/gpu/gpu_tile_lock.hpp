// tile_lock.hpp on GPUs.
#ifndef WAVEFOLD_GPU_GPU_TILE_LOCK_HPP
#define WAVEFOLD_GPU_GPU_TILE_LOCK_HPP

namespace wf {

template <unsigned Width>
__device__ __forceinline__ void take_lock(const tiled_index &tidx, const tile_static<unsigned> &cells, unsigned lock,
                                          unsigned, unsigned) {
    if (lane_of<Width>(tidx) == 0) {
        while (atomicExch(&cells[lock], 1u) != 0)
            let_waves_run();
        tile_fence();
    }
    wave_barrier();
}

template <unsigned Width>
__device__ __forceinline__ void give_lock(const tiled_index &tidx, const tile_static<unsigned> &cells, unsigned lock,
                                          unsigned, unsigned) {
    wave_barrier();
    if (lane_of<Width>(tidx) == 0) {
        tile_fence();
        atomicExch(&cells[lock], 0u);
    }
}

} // namespace wf

#endif
