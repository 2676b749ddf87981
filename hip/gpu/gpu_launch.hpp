// Launches on GPUs.
#ifndef WAVEFOLD_GPU_GPU_LAUNCH_HPP
#define WAVEFOLD_GPU_GPU_LAUNCH_HPP

#include <cstddef>
#include <cstdint>

namespace wf {

// What is captured of a stream: the graph's number, 0 if it is not captured, and the node behind which the next launch
// comes, null if there are several or none, or the platform has no use for it.
struct captured_work {
    uint64_t number = 0;
    const void *last_node = nullptr;
};

// Where kernels are queued.
struct gpu_queue {
    gpu_queue(hipStream_t of) : stream(of) {}

    hipStream_t stream;
    bool starts_early = false;    // what is launched by launch_early_on() may start before what was queued earlier ends
    bool lets_next_start = false; // many tiles let what is queued behind them start before they end
};

template <class... Parameters, class... Arguments>
void launch_on(const gpu_queue &queue, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
               size_t tile_bytes, Arguments... arguments) {
    hipLaunchKernelGGL(kernel, dim3(tiles), dim3(tile_size), static_cast<unsigned>(tile_bytes), queue.stream,
                       arguments...);
}

inline bool lets_next_start(const gpu_queue &queue) {
    return queue.lets_next_start;
}

} // namespace wf

#endif
