// gpu.hpp on the host device, where a stream is the emulated machine.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_NAMES_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_NAMES_HPP

#include "machine.hpp"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define WF_EXACT_BOUNDS(threads)

namespace wf {
constexpr bool f64_follows_width = true; // so that either way is run
constexpr unsigned largest_tile_of_large_values = largest_tile;
constexpr unsigned column_bytes = 18 << 10, most_column_sets = 4, column_packs_at_a_time = 1;

// hipLaunchKernelGGL for the host device; it launches on the machine instead of a stream.
template <class... Parameters, class... Arguments>
void launch_on(host::machine &machine, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
               size_t tile_bytes, Arguments... arguments) {
    machine.launch(tiles, tile_size, tile_bytes, [=] { kernel(arguments...); });
}
} // namespace wf

#endif
