// A kernel of one's own fills device memory, and wavefold folds it in the same HIP stream: nothing is copied, and the
// program waits once, at the end. stream.cu is the same with CUDA's names.
//
//   hipcc stream.hip $(pkg-config --cflags --libs wavefold) -o stream
#include <wavefold.h>

#include <cstdio>
#include <cstdlib>
#include <hip/hip_runtime.h>

static void check(wf_status status) {
    if (status == WF_OK)
        return;
    std::fprintf(stderr, "%s: %s\n", wf_status_name(status), wf_last_error());
    std::exit(EXIT_FAILURE);
}

static void check(hipError_t error) {
    if (error == hipSuccess)
        return;
    std::fprintf(stderr, "%s\n", hipGetErrorString(error));
    std::exit(EXIT_FAILURE);
}

__global__ void fill(float *numbers, size_t count) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count)
        numbers[i] = 0.5f * float(i % 10);
}

int main() {
    const size_t count = 1000000;
    const unsigned block = 256, grid = unsigned((count + block - 1) / block);

    wf_context *context = nullptr;
    check(wf_context_create(&context, "amd:0"));
    check(hipSetDevice(0)); // the memory and the stream below are of the context's device

    hipStream_t stream;
    float *numbers = nullptr;
    double *sum = nullptr; // on the device, since it is written there
    check(hipStreamCreate(&stream));
    check(hipMalloc(reinterpret_cast<void **>(&numbers), count * sizeof *numbers));
    check(hipMalloc(reinterpret_cast<void **>(&sum), sizeof *sum));

    wf_reduce_spec spec = {};
    spec.type = WF_F32;
    spec.op = WF_SUM;
    spec.accumulator = WF_ACCUMULATE_F64; // the exact sum, rounded into a double
    double result = 0;
    fill<<<grid, block, 0, stream>>>(numbers, count);
    check(hipGetLastError());
    check(wf_reduce_async(context, &spec, numbers, count, sum, sizeof *sum, stream));
    check(hipMemcpyAsync(&result, sum, sizeof result, hipMemcpyDeviceToHost, stream));
    check(hipStreamSynchronize(stream));
    std::printf("sum %.17g\n", result);

    wf_context_forget_stream(context, stream); // before it is destroyed: the next stream may get its address
    check(hipStreamDestroy(stream));
    check(hipFree(numbers));
    check(hipFree(sum));
    wf_context_destroy(context);
    return 0;
}
