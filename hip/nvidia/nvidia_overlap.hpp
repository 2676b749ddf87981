// gpu.hpp on NVIDIA: kernels that start while those queued before them end (CUDA: programmatic dependent launch), from
// compute capability 9 on. What that takes off a launch stands in docs/performance.md, "Kernels that start early".
#ifndef WAVEFOLD_NVIDIA_NVIDIA_OVERLAP_HPP
#define WAVEFOLD_NVIDIA_NVIDIA_OVERLAP_HPP

namespace wf {

// cluster_blocks: of a cluster tile (nvidia_cluster.hpp), or 1.
template <class... Parameters, class... Arguments>
cudaError_t launch_with_attributes(const gpu_queue &queue, unsigned cluster_blocks, void (*kernel)(Parameters...),
                                   unsigned blocks, unsigned block_size, size_t tile_bytes, Arguments... arguments) {
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (queue.starts_early) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (cluster_blocks > 1) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = cluster_blocks;
        attributes[count].val.clusterDim.y = attributes[count].val.clusterDim.z = 1;
        count++;
    }
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = dim3(blocks);
    configuration.blockDim = dim3(block_size);
    configuration.dynamicSmemBytes = tile_bytes;
    configuration.stream = queue.stream;
    configuration.attrs = attributes;
    configuration.numAttrs = count;
    return cudaLaunchKernelEx(&configuration, kernel, static_cast<Parameters>(arguments)...);
}

template <class... Parameters, class... Arguments>
void launch_early_on(const gpu_queue &queue, void (*kernel)(Parameters...), unsigned tiles, unsigned tile_size,
                     size_t tile_bytes, Arguments... arguments) {
    // hipGetLastError() tells of failures.
    (void)launch_with_attributes(queue, 1, kernel, tiles, tile_size, tile_bytes, arguments...);
}

// Only code for 9.0 and newer waits for earlier kernels. A GPU may run older code, translated from its PTX.
inline hipError_t ask_early_start(const void *kernel, bool *can) {
    cudaFuncAttributes of_kernel = {};
    const cudaError_t error = cudaFuncGetAttributes(&of_kernel, kernel);
    *can = error == cudaSuccess && of_kernel.ptxVersion >= 90;
    return static_cast<hipError_t>(error);
}

// Before CUDA 13 nodes are not asked for: in graphs no kernel starts early then.
inline hipError_t ask_capture(hipStream_t stream, captured_work *captured) {
    *captured = {};
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long number = 0;
#if CUDART_VERSION >= 13000
    const cudaGraphNode_t *nodes = nullptr;
    const cudaGraphEdgeData *edges = nullptr; // asked for: nodes whose edges have data are not told without
    size_t count = 0;
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &number, nullptr, &nodes, &edges, &count);
    if (error == cudaSuccess && status == cudaStreamCaptureStatusActive && count == 1)
        captured->last_node = nodes[0];
#else
    const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &number);
#endif
    if (error == cudaSuccess && status != cudaStreamCaptureStatusNone)
        captured->number = number;
    return static_cast<hipError_t>(error);
}

} // namespace wf

#endif
