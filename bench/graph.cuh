// How the benches time launches: in a replayed graph, on data that no cache holds or on one array.
#ifndef WAVEFOLD_BENCH_GRAPH_CUH
#define WAVEFOLD_BENCH_GRAPH_CUH

#include "data.cuh"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <vector>

constexpr size_t cache_bytes = size_t(160) << 20; // more than the caches of any GPU today hold

// Reads what lies behind all that is measured, so that caches hold nothing of it.
static __global__ void drive_out(const uint4 *from, size_t count, uint4 *never) {
    uint4 mixed = {};
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
        const uint4 word = from[i];
        mixed.x ^= word.x ^ word.y ^ word.z ^ word.w;
    }
    if (never != nullptr)
        *never = mixed;
}

class graph {
  public:
    // launch(k, stream) is captured for k from 0 to count - 1.
    template <class Launch>
    graph(cudaStream_t stream, size_t count, const Launch &launch) : stream_(stream), count_(count) {
        cudaGraph_t captured;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        for (size_t k = 0; k < count; k++)
            launch(k, stream);
        require(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
        require(cudaGraphInstantiate(&replayable_, captured, 0), "cudaGraphInstantiate");
        require(cudaGraphDestroy(captured), "cudaGraphDestroy");
        require(cudaEventCreate(&begin_), "cudaEventCreate");
        require(cudaEventCreate(&end_), "cudaEventCreate");
    }
    graph(const graph &) = delete;
    ~graph() {
        (void)cudaGraphExecDestroy(replayable_);
        (void)cudaEventDestroy(begin_);
        (void)cudaEventDestroy(end_);
    }
    // Seconds for each launch.
    double replay() {
        float milliseconds = 0;
        require(cudaEventRecord(begin_, stream_), "cudaEventRecord");
        require(cudaGraphLaunch(replayable_, stream_), "cudaGraphLaunch");
        require(cudaEventRecord(end_, stream_), "cudaEventRecord");
        require(cudaEventSynchronize(end_), "a replay");
        require(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
        return 1e-3 * double(milliseconds) / double(count_);
    }

  private:
    cudaStream_t stream_;
    size_t count_;
    cudaGraphExec_t replayable_;
    cudaEvent_t begin_, end_;
};

static __global__ void nothing() {}

// Samples of what an empty launch takes in a graph: 0.53 us on an H200, and from some time on 0.70 in a process that
// launches from two streams (docs/performance.md). So benches keep to one while they time launches, and this tells.
inline std::vector<double> empty_launches(cudaStream_t stream) {
    graph empty(stream, 100, [](size_t, cudaStream_t on) { nothing<<<1, 32, 0, on>>>(); });
    std::vector<double> samples;
    for (size_t repetition = 0; repetition < 21; repetition++)
        samples.push_back(empty.replay());
    return samples;
}

// Until a GPU that idled has its clocks up.
inline void warm_up(cudaStream_t stream, const void *memory) {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(300)) {
        drive_out<<<264, 1024, 0, stream>>>(static_cast<const uint4 *>(memory), cache_bytes / sizeof(uint4), nullptr);
        require(cudaStreamSynchronize(stream), "warming up");
    }
}

// Device memory for arrays of any size; cache_bytes more lie behind it.
struct array_pool {
    char *memory;
    size_t bytes;
};

struct timed_side {
    const char *name;
    std::function<void(void *in, cudaStream_t)> launch;
};

// note(side's name, repetition, seconds of a launch), for all sides in turn in each repetition, of which number 0 warms
// up. A graph reads about so many bytes, in 2 to 64 launches, each of the next array (cold) or of the same one.
template <class Note>
void replay_in_turn(cudaStream_t stream, const std::vector<timed_side> &sides, const array_pool &pool,
                    size_t array_bytes, size_t graph_bytes, bool cold, size_t repeat, const Note &note) {
    const size_t apart = (array_bytes + 4095) / 4096 * 4096;
    const size_t room = std::max<size_t>(pool.bytes / apart, 1);
    const size_t launches =
        std::min<size_t>(std::max<size_t>(graph_bytes / array_bytes, 2), cold ? std::min<size_t>(room, 64) : 64);
    std::deque<graph> graphs;
    for (const timed_side &side : sides)
        graphs.emplace_back(stream, launches, [&](size_t k, cudaStream_t on) {
            side.launch(pool.memory + (cold ? k % room : 0) * apart, on);
        });
    const bool leave = !cold || array_bytes * launches > 4 * cache_bytes; // large arrays drive themselves out
    for (size_t repetition = 0; repetition <= repeat; repetition++)
        for (size_t side = 0; side < sides.size(); side++) {
            if (!leave)
                drive_out<<<264, 1024, 0, stream>>>(reinterpret_cast<const uint4 *>(pool.memory + pool.bytes),
                                                    cache_bytes / sizeof(uint4), nullptr);
            note(sides[side].name, repetition, graphs[side].replay());
        }
}

template <class Call>
double host_seconds(size_t calls, const Call &call) {
    const auto begin = std::chrono::steady_clock::now();
    for (size_t k = 0; k < calls; k++)
        call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / double(calls);
}

#endif
