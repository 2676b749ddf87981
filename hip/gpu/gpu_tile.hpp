// tile.hpp's words on GPUs: thin names for what the hardware has.
#ifndef WAVEFOLD_GPU_GPU_TILE_HPP
#define WAVEFOLD_GPU_GPU_TILE_HPP

namespace wf {

template <class T>
class array_view {
  public:
    __host__ __device__ array_view(T *data, size_t size) : data_(data), size_(size) {}
    __device__ __forceinline__ T &operator[](size_t i) const { return data_[i]; }
    __host__ __device__ __forceinline__ size_t size() const { return size_; }

    __host__ __device__ __forceinline__ array_view section(size_t start, size_t size) const {
        return {data_ + start, size};
    }

    template <unsigned Count>
    __host__ __device__ __forceinline__ size_t aligned_from() const {
        constexpr size_t alignment = alignof(pack<T, Count>);
        const size_t head = (alignment - reinterpret_cast<uintptr_t>(data_) % alignment) % alignment / sizeof(T);
        return head < size_ ? head : size_;
    }
    template <unsigned Count>
    __device__ __forceinline__ pack<std::remove_const_t<T>, Count> load(size_t i) const {
        return *reinterpret_cast<const pack<std::remove_const_t<T>, Count> *>(data_ + i);
    }
    __device__ __forceinline__ std::remove_const_t<T> read(size_t i) const {
        std::remove_const_t<T> value;
        __builtin_memcpy(&value, reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T), sizeof value);
        return value;
    }
    // ahead is added to the address apart, which takes AMD fewer instructions.
    __device__ __forceinline__ line<std::remove_const_t<T>> load_line(size_t i, size_t ahead) const {
        using loaded_line = line<std::remove_const_t<T>>;
        if constexpr (loads_any_byte(64)) {
            loaded_line loaded;
            const auto *const from = reinterpret_cast<const unsigned char *>(data_ + i) + ahead * sizeof loaded;
            __builtin_memcpy(&loaded, from, sizeof loaded);
            return loaded;
        } else {
            return *line_at(i, ahead);
        }
    }
    __device__ __forceinline__ const line<std::remove_const_t<T>> *line_at(size_t i, size_t ahead) const {
        return reinterpret_cast<const line<std::remove_const_t<T>> *>(data_ + i) + ahead;
    }
    template <unsigned Words>
    __device__ __forceinline__ line<std::remove_const_t<T>> load_across(size_t i, size_t ahead, unsigned shift) const {
        static_assert(words_across<T> <= Words && sizeof(T) <= 8, "elements are misaligned by less than two words");
        // From the array's own pointer, so that compilers know which memory it is.
        const auto *const bytes = reinterpret_cast<const unsigned char *>(data_) + i * sizeof(T) - shift + ahead * 16;
        const auto low = *reinterpret_cast<const line<uint32_t> *>(bytes);
        const auto behind = *reinterpret_cast<const pack<uint32_t, Words> *>(bytes + 16);
        uint32_t words[4 + Words];
        __builtin_memcpy(words, &low, sizeof low);
        __builtin_memcpy(words + 4, &behind, sizeof behind);
        if constexpr ((words_across<T>) > 1)
            if (shift >= 4)
                for (unsigned k = 0; k < 5; k++)
                    words[k] = words[k + 1];
        const unsigned bits = shift % 4 * 8;
        line<uint32_t> across;
        for (unsigned k = 0; k < 4; k++)
            across.words[k] = uint32_t((uint64_t(words[k + 1]) << 32 | words[k]) >> bits);
        line<std::remove_const_t<T>> loaded;
        __builtin_memcpy(&loaded, &across, sizeof loaded);
        return loaded;
    }
    __host__ __device__ __forceinline__ unsigned past(size_t i, size_t alignment) const {
        return unsigned((reinterpret_cast<uintptr_t>(data_) + i * sizeof(T)) % alignment);
    }
    template <unsigned Count>
    __device__ __forceinline__ void store(size_t i, const pack<T, Count> &values) const {
        *reinterpret_cast<pack<T, Count> *>(data_ + i) = values;
    }
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
    bool is_cluster = false; // a constant in every kernel, once all is in line
    __device__ __forceinline__ void wait_for_start() const {
        if (is_cluster)
            cluster::wait_until_entered();
    }
    __device__ __forceinline__ void wait() const {
        if (is_cluster)
            cluster::wait();
        else
            __syncthreads();
    }
};

struct tiled_index {
    unsigned local = threadIdx.x;
    unsigned tile = blockIdx.x;
    unsigned tile_size, tiles;
    size_t global = size_t(tile) * tile_size + local;
    tile_barrier barrier;

    __device__ __forceinline__ tiled_index() : tiled_index(launch_shape{launched_tile_size(), launched_tiles()}) {}
    explicit __device__ __forceinline__ tiled_index(const launch_shape &shape)
        : tile_size(argument_tells_shape ? shape.tile_size : launched_tile_size()),
          tiles(argument_tells_shape ? shape.tiles : launched_tiles()) {}
    explicit __device__ __forceinline__ tiled_index(over_cluster)
        : local(blockIdx.x * blockDim.x + threadIdx.x), tile(0), tile_size(gridDim.x * blockDim.x),
          tiles(1), barrier{true} {
        cluster::enter();
    }
};

template <class T>
class tile_static {
  public:
    explicit __device__ __forceinline__ tile_static(const tiled_index &tidx) {
        HIP_DYNAMIC_SHARED(uint4, memory) // uint4: aligned for every type
        cells_ = reinterpret_cast<T *>(memory);
        if (tidx.barrier.is_cluster)
            cells_ = cluster::of_first_block(cells_);
    }
    __device__ __forceinline__ T &operator[](unsigned i) const { return cells_[i]; }

  private:
    T *cells_;
};

} // namespace wf

#endif
