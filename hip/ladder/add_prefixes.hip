// add_prefixes: folds onto every element what comes before its tile. The last step of scans that go level by level.
#include "../operators.hpp"
#include "../tile.hpp"

namespace wf {

template <class T, class Op>
__global__ void __launch_bounds__(largest_tile)
    add_prefixes(array_view<const T> prefixes, array_view<T> data, unsigned span) {
    const tiled_index tidx;
    const Op fold;
    const T before = prefixes[tidx.tile];
    const size_t first = size_t(tidx.tile) * span;
    for (unsigned k = tidx.local; k < span && first + k < data.size(); k += tidx.tile_size)
        data[first + k] = fold(before, data[first + k]);
}

} // namespace wf
