// gpu.hpp on the host device, where a stream is the emulated machine.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_NAMES_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_NAMES_HPP

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define WF_BOUNDS(threads, at_once)
#define WF_OUT_OF_LINE inline

namespace wf {
// Waves of 64 lanes act as AMD's, waves of 32 as NVIDIA's, of which some are fast in f64.
constexpr bool f64_follows_width(unsigned width) {
    return width > 32;
}
constexpr unsigned largest_tile_of_large_values = largest_tile;
constexpr unsigned largest_exact_tile = 512;
// With waves of 32 lanes, as NVIDIA's, a cluster tile is an ordinary tile.
constexpr unsigned cluster_blocks(unsigned width) {
    return width > 32 ? 0 : 1;
}
constexpr unsigned largest_cluster_block = largest_tile;
constexpr bool can_cluster = true;
// The widths differ, so that both code paths run: waves of 64 lanes act as AMD's.
constexpr bool loads_any_byte(unsigned wave_width) {
    return wave_width > 32;
}
constexpr bool copies_ahead(unsigned wave_width) {
    return wave_width <= 32;
}
constexpr unsigned column_packs_at_a_time = 1;
} // namespace wf

#endif
