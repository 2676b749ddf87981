// C++ AMP's words for a tiled kernel: tiled_index, tile_static, barrier, array_view.
//
// On a GPU (gpu/gpu_tile.hpp) each is a thin name for what the hardware has. On the host device
// (host/emulator/emulated_tile.hpp) the same words check every access. Kernels use nothing else, so they are the same
// text on both. A platform's file offers:
//
//   array_view<T>(data, size)          an array in device memory: view[i], size()
//       section(start, size)           the size elements from start on
//       aligned_from<Count>()          the first index whose address suits a pack of Count elements; size() if there is
//                                      none
//       past_aligned<Count>()          how many elements index 0 lies behind the last address that suits such a pack;
//                                      Count if no element's address does
//       load<Count>(i)                 the elements i to i + Count - 1, in one load
//       store<Count>(i, values)        the same as a store
//       load_line(i, ahead)            the 16 bytes from element i on, or 16 * ahead bytes behind that; the element
//                                      lies at an aligned address, unless the hardware loads_any_byte (gpu.hpp); ahead
//                                      is the same in all threads
//       load_across<Words>(i, ahead, shift)
//                                      the same for an element i that lies shift bytes behind an aligned address:
//                                      the 16 bytes from there on are loaded, and so many words behind them, which are
//                                      words_across<T> or more
//       read(i)                        element i of an array whose elements may lie at any byte
//       past(i, alignment)             how many bytes element i lies behind an address that is aligned to so many
//   tiled_index                        where a thread stands: local (in its tile), tile, tile_size, tiles, global
//   tiled_index(launch_shape)          the same in a kernel whose argument tells tile_size and tiles
//   tiled_index(over_cluster())        the same of a cluster tile, over several processors, in cluster_blocks()
//                                      blocks of threads (gpu.hpp): it is the launch's only one. Once in a kernel, by
//                                      all threads: they arrive at a barrier
//       barrier.wait_for_start()       once, before a cluster tile writes to its memory: they wait there. Others
//                                      need it not
//       barrier.wait()                 the tile's threads wait for each other, and see what the others wrote before
//   tile_static<T>(tidx)               the tile's own fast memory, a cell for each thread: cells[i]; that of a
//                                      cluster tile is its first block's, which alone reads it
//
// The words beside the vendors':
//   tile                      thread block, workgroup
//   tile memory, tile_static  shared memory, LDS
//   wave, lane (wave.hpp)     warp or wavefront, and a thread of it
//   barrier                   __syncthreads(), one that all threads of a tile pass
//   array_view                a pointer to device memory, and a length
//   tiled_index               threadIdx, blockIdx, blockDim and gridDim in one dimension
// In CUB and rocPRIM a tile is a number of items. Here tile_size counts threads.
#ifndef WAVEFOLD_TILE_HPP
#define WAVEFOLD_TILE_HPP

#include "gpu.hpp"

#include <type_traits>

namespace wf {

// Elements that one load brings.
template <class T, unsigned Count>
struct alignas(Count * sizeof(T) < 16 ? Count * sizeof(T) : 16) pack {
    T element[Count];
};

// 16 bytes of elements, as words: compilers cut a load of 16 single bytes into as many.
template <class T>
struct alignas(16) line {
    using word = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    word words[16 / sizeof(word)];
};

// As an argument of a kernel. What an NVIDIA GPU knows of a launch lies apart from its arguments: its processors read
// that memory once more before the first load, which small folds wait for (docs/performance.md).
struct launch_shape {
    unsigned tile_size, tiles;
};

// Stands for a shape: that of a cluster tile, over several processors.
struct over_cluster {};

// The words behind 16 aligned bytes that elements may reach into which start there, at any byte of the first element.
template <class T>
constexpr unsigned words_across = sizeof(T) == 8 ? 2 : 1;

// Tile memory lies in so many banks of 4 bytes each, on every GPU; lanes that touch different rows of one bank wait for
// each other.
constexpr unsigned tile_memory_banks = 32;

// Cells of tile memory with one left out behind each row of its banks: lanes whose cells are a power of two apart meet
// in few banks then.
template <class T>
struct spaced_cells {
    static constexpr unsigned row = tile_memory_banks * 4 / sizeof(T);
    // Additive where the bits of its arguments are apart: spaced(a | b) is spaced(a) + spaced(b).
    static constexpr unsigned spaced(unsigned i) { return i + i / row; }
};

} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_tile.hpp"
#else
#include "gpu/gpu_tile.hpp"
#endif

#endif
