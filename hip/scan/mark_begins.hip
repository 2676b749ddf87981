// mark_begins: sets the flag of each element at which a segment begins.
#include "scan_arguments.hpp"

namespace wf {

template <class Offset>
__global__ void __launch_bounds__(WF_SCAN_TILE)
    mark_begins(array_view<const Offset> begins, array_view<uint8_t> flags, uint64_t first_tile) {
    const tiled_index tidx;
    const uint64_t i = (first_tile + tidx.tile) * tidx.tile_size + tidx.local;
    if (i < begins.size() && begins[i] < flags.size())
        flags[begins[i]] = 1; // empty segments set the same one
}

} // namespace wf
