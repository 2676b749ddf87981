// C++ AMP's words for a tiled kernel: tiled_index, tile_static, barrier, array_view.
//
// On a GPU each is a thin name for what the hardware has. On the host device (host/tile.hpp) the same words check every
// access. Kernels use nothing else, so they are the same text on both.
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
#include "host/tile.hpp"
#else

namespace wf {

// An array in device memory, with its length.
template <class T>
class array_view {
  public:
    __host__ __device__ array_view(T *data, size_t size) : data_(data), size_(size) {}
    __device__ __forceinline__ T &operator[](size_t i) const { return data_[i]; }
    __device__ __forceinline__ size_t size() const { return size_; }

    // The size elements from start on.
    __device__ __forceinline__ array_view section(size_t start, size_t size) const { return {data_ + start, size}; }

    // The first index whose address suits a pack of Count elements; size() if there is none.
    template <unsigned Count>
    __device__ __forceinline__ size_t aligned_from() const {
        constexpr size_t alignment = alignof(pack<T, Count>);
        const size_t head = (alignment - reinterpret_cast<uintptr_t>(data_) % alignment) % alignment / sizeof(T);
        return head < size_ ? head : size_;
    }
    // The elements i to i + Count - 1, in one load.
    template <unsigned Count>
    __device__ __forceinline__ pack<std::remove_const_t<T>, Count> load(size_t i) const {
        return *reinterpret_cast<const pack<std::remove_const_t<T>, Count> *>(data_ + i);
    }
    // The same for a store.
    template <unsigned Count>
    __device__ __forceinline__ void store(size_t i, const pack<T, Count> &values) const {
        *reinterpret_cast<pack<T, Count> *>(data_ + i) = values;
    }
    // How many elements index 0 lies behind the last address that suits a pack of Count; Count if no element's does.
    template <unsigned Count>
    __device__ __forceinline__ size_t past_aligned() const {
        const size_t bytes = reinterpret_cast<uintptr_t>(data_) % alignof(pack<T, Count>);
        return bytes % sizeof(T) == 0 ? bytes / sizeof(T) : Count;
    }

  private:
    T *data_;
    size_t size_;
};

struct tile_barrier {
    // All threads of the tile wait here for each other, and see what the others wrote before.
    __device__ __forceinline__ void wait() const { __syncthreads(); }
};

// Where a thread stands.
struct tiled_index {
    unsigned local = threadIdx.x;    // in its tile
    unsigned tile = blockIdx.x;      // which tile
    unsigned tile_size = blockDim.x; // threads of a tile
    unsigned tiles = gridDim.x;
    size_t global = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    tile_barrier barrier;

    __device__ __forceinline__ tiled_index() {}
};

// The tile's own fast memory: one cell per thread, shared by the tile.
template <class T>
class tile_static {
  public:
    explicit __device__ __forceinline__ tile_static(const tiled_index &) {
        HIP_DYNAMIC_SHARED(uint4, memory) // uint4: aligned for every type
        cells_ = reinterpret_cast<T *>(memory);
    }
    __device__ __forceinline__ T &operator[](unsigned i) const { return cells_[i]; }

  private:
    T *cells_;
};

} // namespace wf

#endif
#endif
