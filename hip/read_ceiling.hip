// read: the ceiling. Reads an array once and does next to nothing with it.
//
// Idea:   16-byte loads, eight in flight per thread, a grid that fills the device once.
// Limit:  memory bandwidth; no fold of the same bytes can be faster.
#include "gpu.hpp"

namespace wf {

constexpr unsigned read_tile = 1024;
constexpr unsigned read_tiles_of_processor = 2048 / read_tile; // 2048 threads fill one
constexpr unsigned read_in_flight = 8;

// Folds what it read into one word, and would write it if there were a place for it: the host passes none, but the
// compiler cannot know.
__global__ void __launch_bounds__(read_tile) read_all(const uint4 *from, size_t count, uint4 *never) {
    const size_t stride = size_t(launched_tiles()) * launched_tile_size();
    size_t i = size_t(blockIdx.x) * launched_tile_size() + threadIdx.x;
    uint4 mixed = {};
    const auto mix = [&](const uint4 &word) {
        mixed.x ^= word.x;
        mixed.y ^= word.y;
        mixed.z ^= word.z;
        mixed.w ^= word.w;
    };
    for (; i + (read_in_flight - 1) * stride < count; i += read_in_flight * stride) {
        uint4 words[read_in_flight];
#pragma unroll
        for (unsigned k = 0; k < read_in_flight; k++)
            words[k] = from[i + k * stride];
#pragma unroll
        for (unsigned k = 0; k < read_in_flight; k++)
            mix(words[k]);
    }
    for (; i < count; i += stride)
        mix(from[i]);
    if (never != nullptr)
        *never = mixed;
}

} // namespace wf
