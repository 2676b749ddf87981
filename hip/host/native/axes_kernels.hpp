// What the kernels of reductions along axes take: a block of results, and room for its accumulators.
#ifndef WAVEFOLD_HOST_NATIVE_AXES_KERNELS_HPP
#define WAVEFOLD_HOST_NATIVE_AXES_KERNELS_HPP

#include "axes/request.h"

#include <cstddef>
#include <cstdint>

namespace wf::host::native {

// Up to `most` neighbouring results, reduced along a part of the outermost reduced axis.
struct axes_block {
    static constexpr size_t most = 64;
    uint64_t outer;          // index among the kept axes but the last
    uint64_t first;          // index on the last kept axis
    size_t count;            // results
    uint64_t part, part_end; // indices on the first reduced axis
};

// Accumulators of a block.
struct axes_values {
    alignas(64) unsigned char bytes[axes_block::most * 32 + 64];
};

struct axes_kernels {
    void (*reduce)(const wf_axes_request &request, const axes_block &block, axes_values *to);
    // The values of a block's parts, in order; the first takes the others, and the results are written.
    void (*finish)(const wf_axes_request &request, const axes_block &block, axes_values *parts, size_t count);
};

} // namespace wf::host::native
#endif
