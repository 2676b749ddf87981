// Measures what a sum adds to the time of work that is queued: behind a kernel of the program's own, which has just
// written the array, and behind another sum; launched into a stream, and in a graph. wf_reduce_async, exact and fast,
// beside CUB's DeviceReduce::Sum, all in one run, sides in turn.
//
// usage: bench-streams [--quick]
//
// A stream's work begins when all of it is queued, so that the host's time does not count; all on one array.
// Writes JSON to standard output, samples in seconds; bench/streams.py makes tables of it.
#include "graph.cuh"
#include "peers.cuh"

#include <cstring>
#include <string>

namespace {

constexpr size_t calls = 64; // in a graph, and in a stream at once

__global__ void write_array(float *array, size_t count, float first) {
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
        array[i] = first + float(i % 7);
}

__global__ void wait_for_host(const volatile unsigned *queued, unsigned number) {
    while (*queued != number) {
    }
}

using queue_work = std::function<void(size_t k, cudaStream_t)>;

struct bench {
    wf_context *context = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
    float *array = nullptr, *results = nullptr;
    array_pool temporary = {};
    unsigned *queued = nullptr; // the host's memory, where the device sees it, too
    unsigned number = 0;
    size_t repeat = 25;
    bool is_first = true;

    queue_work write(size_t count) const {
        const auto blocks = unsigned(std::min<size_t>((count + 255) / 256, 528));
        return [this, count, blocks](size_t k, cudaStream_t on) {
            write_array<<<blocks, 256, 0, on>>>(array, count, float(k));
            require(cudaGetLastError(), "a kernel that writes");
        };
    }
    queue_work sum(size_t count, wf_accuracy accuracy) const {
        wf_reduce_spec spec = {};
        spec.type = WF_F32;
        spec.accuracy = accuracy;
        return [this, count, spec](size_t k, cudaStream_t on) {
            require(wf_reduce_async(context, &spec, array, count, results + k, sizeof *results, on), "wf_reduce_async");
        };
    }
    queue_work cub_sum(size_t count) const {
        return [this, count](size_t k, cudaStream_t on) {
            size_t bytes = temporary.bytes;
            require(cub::DeviceReduce::Sum(temporary.memory, bytes, array, results + k, int(count), on), "CUB's sum");
        };
    }

    // Seconds for each of the calls.
    double run(const queue_work &work) {
        float milliseconds = 0;
        wait_for_host<<<1, 1, 0, stream>>>(queued, ++number);
        require(cudaEventRecord(begin, stream), "cudaEventRecord");
        for (size_t k = 0; k < calls; k++)
            work(k, stream);
        require(cudaEventRecord(end, stream), "cudaEventRecord");
        *const_cast<volatile unsigned *>(queued) = number;
        require(cudaEventSynchronize(end), "work in a stream");
        require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
        return 1e-3 * double(milliseconds) / double(calls);
    }

    void measure(const char *where, size_t count) {
        const bool in_graph = std::strcmp(where, "graph") == 0;
        const queue_work writes = write(count);
        struct side {
            std::string name;
            queue_work work;
            std::vector<double> samples;
        };
        std::vector<side> sides = {{"write", writes, {}}};
        const auto add = [&](const char *name, const queue_work &folds) {
            const auto after_write = [writes, folds](size_t k, cudaStream_t on) {
                writes(k, on);
                folds(k, on);
            };
            sides.push_back({std::string("write, ") + name, after_write, {}});
            sides.push_back({name, folds, {}});
        };
        add("fast", sum(count, WF_ACCURACY_FAST));
        add("exact", sum(count, WF_ACCURACY_EXACT));
        add("CUB", cub_sum(count));
        // CUDA loads a kernel when it is first launched, and may wait for the device then: not while that waits for us.
        for (const side &each : sides)
            each.work(0, stream);
        require(cudaStreamSynchronize(stream), "the first launches");
        std::deque<graph> graphs;
        if (in_graph)
            for (const side &each : sides)
                graphs.emplace_back(stream, calls, each.work);
        for (size_t repetition = 0; repetition <= repeat; repetition++)
            for (size_t s = 0; s < sides.size(); s++) {
                const double seconds = in_graph ? graphs[s].replay() : run(sides[s].work);
                if (repetition > 0) // the first one warms up
                    sides[s].samples.push_back(seconds);
            }
        graphs.clear();
        wf_context_forget_stream(context, stream);
        std::printf("%s\n{\"where\": \"%s\", \"n\": %zu", is_first ? "" : ",", where, count);
        for (const side &each : sides) {
            std::printf(", \"%s\": [", each.name.c_str());
            for (size_t i = 0; i < each.samples.size(); i++)
                std::printf("%s%.4g", i == 0 ? "" : ", ", each.samples[i]);
            std::printf("]");
        }
        std::printf("}");
        is_first = false;
    }
};

} // namespace

int main(int argc, char **argv) {
    bench of;
    if (argc > 1 && std::strcmp(argv[1], "--quick") == 0)
        of.repeat = 3;
    constexpr size_t largest = size_t(1) << 24;
    void *memory = nullptr, *temporary = nullptr;
    require(wf_context_create(&of.context, "nvidia:0"), "opening nvidia:0");
    require(cudaStreamCreate(&of.stream), "cudaStreamCreate");
    require(cudaEventCreate(&of.begin), "cudaEventCreate");
    require(cudaEventCreate(&of.end), "cudaEventCreate");
    require(cudaMalloc(&memory, largest * sizeof(float) + calls * sizeof(float)), "cudaMalloc");
    of.array = static_cast<float *>(memory);
    of.results = of.array + largest;
    of.temporary.bytes = size_t(16) << 20;
    require(cudaMalloc(&temporary, of.temporary.bytes), "cudaMalloc");
    of.temporary.memory = static_cast<char *>(temporary);
    void *shared = nullptr;
    require(cudaHostAlloc(&shared, sizeof *of.queued, cudaHostAllocMapped), "cudaHostAlloc");
    of.queued = static_cast<unsigned *>(shared);
    *of.queued = 0;
    wf_device_info device;
    require(wf_context_get_device(of.context, &device), "asking for the device");

    std::printf("{\"device\": \"%s\", \"compiler\": \"nvcc %d.%d.%d\", \"cub\": %d, \"repeat\": %zu, \"results\": [",
                device.name, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__, CUB_VERSION, of.repeat);
    for (const char *where : {"stream", "graph"})
        for (size_t log2 = 10; log2 <= 24; log2 += 2)
            of.measure(where, size_t(1) << log2);
    std::printf("\n]}\n");
    wf_context_destroy(of.context);
    return std::fclose(stdout) == 0 ? 0 : 1;
}
