// The limits that the emulated device reports. Few processors: grids that are sized by them stay small.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_DEVICE_LIMITS_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_DEVICE_LIMITS_HPP

#include <cstddef>

namespace wf::tried::limits {

constexpr int tile_size = 1024, processors = 4, threads_of_processor = 2048, tiles_of_processor = 16;
constexpr size_t usual_tile_bytes = 48 * 1024, most_tile_bytes = 64 * 1024;

} // namespace wf::tried::limits
#endif
