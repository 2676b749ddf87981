// tile_memory: what the threads of a tile share of an exact sum.
#ifndef WAVEFOLD_REDUCE_EXACT_TILE_MEMORY_HPP
#define WAVEFOLD_REDUCE_EXACT_TILE_MEMORY_HPP

#include "exact_policy.hpp"

namespace wf {

template <class Policy>
class tile_memory {
    using columns_type = typename Policy::terms::columns;
    static constexpr unsigned waves = Policy::extra::largest_tile / Policy::width;
    static constexpr unsigned word_cell = waves * unsigned(sizeof(exact_part) / sizeof(unsigned));
    static constexpr unsigned base_cell = word_cell + 1, columns_cell = base_cell + 1;

  public:
    static constexpr size_t bytes = sizeof(unsigned) * (columns_cell + columns_type::cells);

    explicit __device__ __forceinline__ tile_memory(const tiled_index &tidx)
        : parts(tidx), cells(tidx), columns(tidx, columns_cell) {}

    // By the first wave, with its guess of the window's base; a barrier must follow.
    __device__ __forceinline__ void begin(bool leads, int base) const {
        if (leads) {
            cells[base_cell] = unsigned(base);
            columns.begin();
        }
    }
    __device__ __forceinline__ int base() const { return int(unsigned(cells[base_cell])); }

    // A word from one thread to all: the tile's number, or a cluster tile's outcome. A barrier must lie between both.
    __device__ __forceinline__ void put_word(unsigned word) const { cells[word_cell] = word; }
    __device__ __forceinline__ unsigned word() const { return cells[word_cell]; }

    tile_static<exact_part> parts; // a cell for each wave
    tile_static<unsigned> cells;   // of the same memory
    columns_type columns;
};

// The number of the tile, in its first thread; it comes while the thread goes on. One tile draws none.
__device__ __forceinline__ unsigned draw_tile_number(const tiled_index &tidx, const ticket_view &ticket) {
    return tidx.tiles > 1 && tidx.local == 0 ? count_tile(ticket) : 0;
}

} // namespace wf
#endif
