// Attributes of kernels, and how many of their tiles run at a time.
#include "device_limits.hpp"
#include "last_error.hpp"
#include "runtime_calls.hpp"

#include <algorithm>

namespace wf::tried {

cudaError_t set_attribute(cudaFuncAttribute attribute, int value) {
    const bool is_too_large = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
                              (value < 0 || size_t(value) > limits::most_tile_bytes);
    return is_too_large ? set_last_error(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t get_attributes(cudaFuncAttributes *attributes) {
    *attributes = {};
    attributes->maxThreadsPerBlock = limits::tile_size;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = int(limits::usual_tile_bytes);
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}

int resident_tiles(int tile_size, size_t tile_bytes) {
    if (tile_size < 1 || tile_size > limits::tile_size || tile_bytes > limits::most_tile_bytes)
        return 0;
    const int by_threads = std::min(limits::threads_of_processor / tile_size, limits::tiles_of_processor);
    return tile_bytes == 0 ? by_threads : std::min(by_threads, int(limits::most_tile_bytes / tile_bytes));
}

cudaError_t best_tile_size(int *least_tiles, int *tile_size, int limit) {
    *tile_size = limit > 0 ? std::min(limit, limits::tile_size) : limits::tile_size;
    *least_tiles = limits::processors * resident_tiles(*tile_size, 0);
    return cudaSuccess;
}

} // namespace wf::tried
