// line_copies.hpp on NVIDIA: asynchronous copies, from compute capability 8 on. Through the L1 cache (.ca), as plain
// loads go: past it (.cg) they took up to 40 % longer on an H200 (docs/experiments.md).
#ifndef WAVEFOLD_NVIDIA_NVIDIA_LINE_COPIES_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_LINE_COPIES_HPP

namespace wf {

template <class T, unsigned Count, unsigned Threads>
class line_copies {
  public:
    static constexpr unsigned bytes = Count * Threads * unsigned(sizeof(line<T>));

    __device__ __forceinline__ line_copies(const tiled_index &tidx, unsigned first)
        : cells_(tidx), first_(first + tidx.local) {}
    __device__ __forceinline__ void start(unsigned k, const array_view<const T> &view, size_t i, size_t ahead) const {
#if __CUDA_ARCH__ >= 800
        const auto to = unsigned(__cvta_generic_to_shared(&cells_[first_ + k * Threads]));
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(view.line_at(i, ahead)) : "memory");
#else
        cells_[first_ + k * Threads] = view.load_line(i, ahead);
#endif
    }
    __device__ __forceinline__ void wait() const {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    }
    __device__ __forceinline__ line<T> operator[](unsigned k) const {
        return cells_[first_ + k * Threads];
    }

  private:
    tile_static<line<T>> cells_;
    unsigned first_;
};

} // namespace wf

#endif
