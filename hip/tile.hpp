// C++ AMP's words for a tiled kernel: tiled_index, tile_static, barrier, array_view.
//
// On a GPU each is a thin name for what the hardware has. On the host device (host/emulator/emulated_tile.hpp) the same
// words check every access. Kernels use nothing else, so they are the same text on both.
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

namespace wf {

// An array in device memory, with its length.
template <class T>
class array_view {
  public:
    __host__ __device__ array_view(T *data, size_t size) : data_(data), size_(size) {}
    __device__ __forceinline__ T &operator[](size_t i) const { return data_[i]; }
    __host__ __device__ __forceinline__ size_t size() const { return size_; }

    // The size elements from start on.
    __host__ __device__ __forceinline__ array_view section(size_t start, size_t size) const {
        return {data_ + start, size};
    }

    // The first index whose address suits a pack of Count elements; size() if there is none.
    template <unsigned Count>
    __host__ __device__ __forceinline__ size_t aligned_from() const {
        constexpr size_t alignment = alignof(pack<T, Count>);
        const size_t head = (alignment - reinterpret_cast<uintptr_t>(data_) % alignment) % alignment / sizeof(T);
        return head < size_ ? head : size_;
    }
    // The elements i to i + Count - 1, in one load.
    template <unsigned Count>
    __device__ __forceinline__ pack<std::remove_const_t<T>, Count> load(size_t i) const {
        return *reinterpret_cast<const pack<std::remove_const_t<T>, Count> *>(data_ + i);
    }
    // Element i of an array whose elements may lie at any byte.
    __device__ __forceinline__ std::remove_const_t<T> read(size_t i) const {
        std::remove_const_t<T> value;
        __builtin_memcpy(&value, reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T), sizeof value);
        return value;
    }
    // The 16 bytes that lie 16 * ahead bytes behind element i, which lies at an aligned address. What is the same in
    // all threads goes into ahead: it is added to the address by itself, which takes AMD fewer instructions.
    __device__ __forceinline__ line<std::remove_const_t<T>> load_line(size_t i, size_t ahead) const {
        return reinterpret_cast<const line<std::remove_const_t<T>> *>(data_ + i)[ahead];
    }
    // The same for an element i that lies shift bytes behind an aligned address, in two loads. The second ends
    // 16 - shift bytes behind the 16 bytes.
    __device__ __forceinline__ line<std::remove_const_t<T>> load_across(size_t i, size_t ahead, unsigned shift) const {
        static_assert(sizeof(T) <= 8, "elements are misaligned by less than two words");
        using words_of_4 = line<uint32_t>;
        // From the array's own pointer, so that compilers know which memory it is.
        const auto *const bytes = reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T) - shift;
        const auto *const from = reinterpret_cast<const words_of_4 *>(bytes) + ahead;
        const words_of_4 low = from[0], high = from[1];
        uint32_t words[6] = {low.words[0], low.words[1], low.words[2], low.words[3], high.words[0], high.words[1]};
        if (shift >= 4)
            for (unsigned k = 0; k < 5; k++)
                words[k] = words[k + 1];
        const unsigned bits = shift % 4 * 8;
        words_of_4 across;
        for (unsigned k = 0; k < 4; k++)
            across.words[k] = uint32_t((uint64_t(words[k + 1]) << 32 | words[k]) >> bits);
        line<std::remove_const_t<T>> loaded;
        __builtin_memcpy(&loaded, &across, sizeof loaded);
        return loaded;
    }
    // By how many bytes element i lies behind an address that is aligned to so many.
    __host__ __device__ __forceinline__ unsigned past(size_t i, size_t alignment) const {
        return unsigned((reinterpret_cast<uintptr_t>(data_) + i * sizeof(T)) % alignment);
    }
    // The same as load for a store.
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
