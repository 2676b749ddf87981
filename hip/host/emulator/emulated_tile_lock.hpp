// tile_lock.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_LOCK_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_TILE_LOCK_HPP

namespace wf {

// Lanes of other waves run while this one's ask each other.
template <unsigned Width>
void take_lock(const tiled_index &tidx, const tile_static<unsigned> &cells, unsigned lock, unsigned first,
               unsigned count) {
    const bool asks = lane_of<Width>(tidx) == 0;
    while (ballot<Width>(tidx, asks && cells.exchange(lock, 1u) == 0) == 0) {
    }
    if (asks)
        host::take_over(first * sizeof(uint64_t), count * sizeof(uint64_t));
    wave_barrier();
}

template <unsigned Width>
void give_lock(const tiled_index &tidx, const tile_static<unsigned> &cells, unsigned lock, unsigned first,
               unsigned count) {
    wave_barrier();
    if (lane_of<Width>(tidx) != 0)
        return;
    host::hand_over(first * sizeof(uint64_t), count * sizeof(uint64_t));
    cells.exchange(lock, 0u);
}

} // namespace wf

#endif
