// Measures reductions over the GPUs of one host: exact sums by libwavefold-nccl, beside ncclAllReduce of one float
// behind CUB's sum of each part. A thread and a stream for each GPU; sides in turn in one run, each a replayed graph.
// What the side before has left in the caches is driven out first.
//
// usage: bench-ranks-nccl [--quick]
//
// Time: from one event to another on each rank's stream, over all launches of a graph; of the ranks' times the longest.
// Writes JSON to standard output, samples in seconds; bench/ranks_nccl.py makes tables of it.
#include "graph.cuh"
#include "peers.cuh"

#include <wavefold_nccl.h>
#include <wavefold_sum.h>

#include <nccl.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t most_ranks = 8, most_fields = 64, result_words = 8;
constexpr uint64_t all_elements = uint64_t(1) << 32; // of f32, over all ranks

void require(ncclResult_t result, const char *call) {
    if (result != ncclSuccess)
        fail(call, ncclGetErrorString(result));
}

struct rank {
    int number, ranks;
    wf_context *context;
    ncclComm_t comm;
    wf_nccl *over;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float *data; // all_elements on rank 0, else its part
    uint64_t *results, *message;
    void *temporary;
    size_t temporary_bytes;
    void *other; // cache_bytes, which take the place of all else in the caches
};

// What one rank queues, number k of a graph.
using side = void (*)(const rank &, uint64_t parameter, size_t k);

// ---- Sides ----------------------------------------------------------------------------------------------------------

// Arrays of one graph lie behind each other: none finds in the caches what the one before has read.
const float *part(const rank &r, uint64_t count, size_t k) {
    const uint64_t apart = std::max<uint64_t>(count, 1024), room = all_elements / uint64_t(r.ranks);
    return r.data + k * apart % (room - std::min(room, apart) + 1);
}

void exact_local(const rank &r, uint64_t count, size_t k) {
    const wf_reduce_spec spec = {WF_F32};
    require(wf_reduce_async(r.context, &spec, part(r, count, k), count, r.results, sizeof(float), r.stream),
            "wf_reduce_async");
}

void exact_over_ranks(const rank &r, uint64_t count, size_t k) {
    const wf_reduce_spec spec = {WF_F32};
    require(wf_nccl_reduce_async(r.over, &spec, part(r, count, k), count, r.results, sizeof(float), r.stream),
            "wf_nccl_reduce_async");
}

void cub_local(const rank &r, uint64_t count, size_t k) {
    size_t bytes = r.temporary_bytes;
    require(cub_sum<float>(r.temporary, bytes, {const_cast<float *>(part(r, count, k)), r.results, count}, r.stream),
            "CUB's sum");
}

void all_reduce_floats(const rank &r, uint64_t count, size_t) {
    require(ncclAllReduce(r.results, r.results, count, ncclFloat, ncclSum, r.comm, r.stream), "ncclAllReduce");
}

void all_reduce_words(const rank &r, uint64_t count, size_t) {
    require(ncclAllReduce(r.message, r.message, count, ncclUint64, ncclSum, r.comm, r.stream), "ncclAllReduce");
}

void cub_over_ranks(const rank &r, uint64_t count, size_t k) {
    cub_local(r, count, k);
    all_reduce_floats(r, 1, k);
}

std::vector<wf_field> fields_of(const rank &r, uint64_t n) {
    std::vector<wf_field> fields(n);
    for (uint64_t f = 0; f < n; f++) {
        fields[f].in = r.data + 1024 * f;
        fields[f].count = 1024;
        fields[f].result = r.results + result_words * f;
        fields[f].result_bytes = sizeof(float);
    }
    return fields;
}

void many_over_ranks(const rank &r, uint64_t n, size_t) {
    const std::vector<wf_field> fields = fields_of(r, n);
    require(wf_nccl_reduce_many_async(r.over, fields.data(), n, r.stream), "wf_nccl_reduce_many_async");
}

// The folds of that alone, and what writes the message.
void many_local(const rank &r, uint64_t n, size_t) {
    const std::vector<wf_field> fields = fields_of(r, n);
    require(wf_message_write_async(r.context, fields.data(), n, r.message, r.stream), "wf_message_write_async");
}

struct measurement {
    const char *group, *name;
    side queue;
    uint64_t parameter;
    bool first_rank_alone;
    size_t launches;
    std::vector<double> samples;
};

// ---- Measuring ------------------------------------------------------------------------------------------------------

cudaGraphExec_t capture(const rank &r, const measurement &m) {
    cudaGraph_t graph;
    cudaGraphExec_t replayable;
    require(cudaStreamBeginCapture(r.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    for (size_t k = 0; k < m.launches; k++)
        m.queue(r, m.parameter, k);
    require(cudaStreamEndCapture(r.stream, &graph), "cudaStreamEndCapture");
    require(cudaGraphInstantiate(&replayable, graph, 0), "cudaGraphInstantiate");
    require(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return replayable;
}

// Seconds for each launch.
double replay(const rank &r, cudaGraphExec_t graph, size_t launches) {
    float milliseconds = 0;
    require(cudaEventRecord(r.begin, r.stream), "cudaEventRecord");
    require(cudaGraphLaunch(graph, r.stream), "cudaGraphLaunch");
    require(cudaEventRecord(r.end, r.stream), "cudaEventRecord");
    require(cudaEventSynchronize(r.end), "a replay");
    require(cudaEventElapsedTime(&milliseconds, r.begin, r.end), "cudaEventElapsedTime");
    return 1e-3 * double(milliseconds) / double(launches);
}

// Where all ranks' threads wait for each other.
class meeting {
  public:
    explicit meeting(size_t threads) : threads_(threads) {}
    void arrive_and_wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        const size_t turn = turn_;
        if (++arrived_ == threads_) {
            arrived_ = 0;
            turn_++;
            all_.notify_all();
        } else {
            all_.wait(lock, [&] { return turn_ != turn; });
        }
    }

  private:
    std::mutex mutex_;
    std::condition_variable all_;
    size_t threads_, arrived_ = 0, turn_ = 0;
};

// One rank's thread: all that a group measures, in turn in each repetition. times is shared, a cell for each rank.
void run_group(const rank &r, std::vector<measurement *> &group, size_t repeat, meeting &all,
               std::vector<double> &times) {
    require(cudaSetDevice(r.number), "cudaSetDevice");
    std::vector<cudaGraphExec_t> graphs;
    for (const measurement *m : group) {
        const bool takes_part = !m->first_rank_alone || r.number == 0;
        if (takes_part)
            m->queue(r, m->parameter, 0); // allocates, and warms up
        require(cudaStreamSynchronize(r.stream), "a launch");
        graphs.push_back(takes_part ? capture(r, *m) : nullptr);
        all.arrive_and_wait();
    }
    for (size_t i = 0; i <= repeat; i++) // number 0 warms up
        for (size_t g = 0; g < group.size(); g++) {
            drive_out<<<264, 1024, 0, r.stream>>>(static_cast<const uint4 *>(r.other), cache_bytes / sizeof(uint4),
                                                  nullptr);
            require(cudaStreamSynchronize(r.stream), "emptying the caches");
            all.arrive_and_wait();
            times[size_t(r.number)] = graphs[g] != nullptr ? replay(r, graphs[g], group[g]->launches) : 0;
            all.arrive_and_wait();
            if (r.number == 0 && i > 0)
                group[g]->samples.push_back(*std::max_element(times.begin(), times.end()));
        }
    all.arrive_and_wait();
    for (cudaGraphExec_t graph : graphs)
        if (graph != nullptr)
            require(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

void open_rank(rank &r, int number, int ranks, ncclComm_t comm) {
    r = {};
    r.number = number;
    r.ranks = ranks;
    r.comm = comm;
    require(cudaSetDevice(number), "cudaSetDevice");
    require(wf_context_create(&r.context, ("nvidia:" + std::to_string(number)).c_str()), "wf_context_create");
    require(wf_nccl_create(&r.over, r.context, comm), "wf_nccl_create");
    require(cudaStreamCreate(&r.stream), "cudaStreamCreate");
    require(cudaEventCreate(&r.begin), "cudaEventCreate");
    require(cudaEventCreate(&r.end), "cudaEventCreate");
    const uint64_t count = number == 0 ? all_elements : all_elements / uint64_t(ranks);
    require(cudaMalloc(&r.data, count * sizeof(float)), "cudaMalloc");
    fill<float><<<1024, 256, 0, r.stream>>>(r.data, count);
    require(cudaMalloc(&r.results, most_fields * result_words * sizeof(uint64_t)), "cudaMalloc");
    const size_t words = 2 + most_fields * WF_SUM_STATE_BYTES / sizeof(uint64_t);
    require(cudaMalloc(&r.message, words * sizeof(uint64_t)), "cudaMalloc");
    require(cudaMemset(r.message, 0, words * sizeof(uint64_t)), "cudaMemset");
    require(cudaMemset(r.results, 0, most_fields * result_words * sizeof(uint64_t)), "cudaMemset");
    for (const uint64_t asked : {count, uint64_t(INT32_MAX)}) { // by counts of 64 bits, and of 32
        size_t bytes = 0;
        require(cub_sum<float>(nullptr, bytes, {r.data, r.results, asked}), "asking CUB for its temporary memory");
        r.temporary_bytes = std::max(r.temporary_bytes, bytes);
    }
    require(cudaMalloc(&r.temporary, r.temporary_bytes), "cudaMalloc");
    require(cudaMalloc(&r.other, cache_bytes), "cudaMalloc");
    require(cudaMemset(r.other, 0, cache_bytes), "cudaMemset");
    require(cudaStreamSynchronize(r.stream), "filling");
}

void close_rank(rank &r) {
    require(cudaSetDevice(r.number), "cudaSetDevice");
    wf_nccl_destroy(r.over);
    for (void *memory : {static_cast<void *>(r.data), static_cast<void *>(r.results), static_cast<void *>(r.message),
                         r.temporary, r.other})
        require(cudaFree(memory), "cudaFree");
    require(cudaStreamDestroy(r.stream), "cudaStreamDestroy");
    require(cudaEventDestroy(r.begin), "cudaEventDestroy");
    require(cudaEventDestroy(r.end), "cudaEventDestroy");
    wf_context_destroy(r.context);
    require(ncclCommDestroy(r.comm), "ncclCommDestroy");
}

std::vector<measurement> what_is_measured(int ranks) {
    std::vector<measurement> all;
    all.push_back({"large", "one GPU, exact", exact_local, all_elements, true, 2, {}});
    all.push_back({"large", "exact", exact_over_ranks, all_elements / uint64_t(ranks), false, 4, {}});
    all.push_back({"large", "CUB, ncclAllReduce", cub_over_ranks, all_elements / uint64_t(ranks), false, 4, {}});
    for (uint64_t count = 1 << 10; count <= 1 << 26; count *= 4) {
        const size_t launches = count > 1 << 22 ? 8 : 32;
        all.push_back({"small", "exact", exact_over_ranks, count, false, launches, {}});
        all.push_back({"small", "CUB, ncclAllReduce", cub_over_ranks, count, false, launches, {}});
        all.push_back({"small", "exact, local", exact_local, count, false, launches, {}});
        all.push_back({"small", "CUB, local", cub_local, count, false, launches, {}});
    }
    for (uint64_t n = 1; n <= most_fields; n *= 4) {
        all.push_back({"fields", "exact", many_over_ranks, n, false, 16, {}});
        all.push_back({"fields", "exact, local", many_local, n, false, 16, {}});
        all.push_back({"fields", "ncclAllReduce of words", all_reduce_words, 2 + 75 * n, false, 32, {}});
        all.push_back({"fields", "ncclAllReduce of floats", all_reduce_floats, n, false, 32, {}});
    }
    return all;
}

void measure(std::vector<rank> &ranks, std::vector<measurement> &all, size_t repeat) {
    meeting here(ranks.size());
    std::vector<double> times(ranks.size());
    const char *const groups[] = {"large", "small", "fields"};
    for (const char *name : groups) {
        std::vector<measurement *> group;
        for (measurement &m : all)
            if (std::strcmp(m.group, name) == 0)
                group.push_back(&m);
        std::vector<std::thread> threads;
        for (const rank &r : ranks)
            threads.emplace_back([&] { run_group(r, group, repeat, here, times); });
        for (std::thread &thread : threads)
            thread.join();
    }
}

// The sum over all ranks is that of one GPU, whose array begins as each rank's does: of one rank, times the ranks.
void check_bits(std::vector<rank> &ranks) {
    constexpr uint64_t count = 1000003;
    std::vector<std::thread> threads;
    for (const rank &r : ranks)
        threads.emplace_back([&] {
            require(cudaSetDevice(r.number), "cudaSetDevice");
            exact_over_ranks(r, count, 0);
            require(wf_nccl_wait(r.over, r.stream), "wf_nccl_wait");
        });
    for (std::thread &thread : threads)
        thread.join();
    wf_sum_state state, one;
    wf_sum_state_init(&state);
    wf_sum_state_init(&one);
    const wf_reduce_spec spec = {WF_F32};
    require(wf_sum_state_accumulate(ranks[0].context, &spec, ranks[0].data, count, &one), "wf_sum_state_accumulate");
    for (size_t r = 0; r < ranks.size(); r++)
        require(wf_sum_state_merge(&state, &one), "wf_sum_state_merge");
    uint32_t wanted, got;
    require(wf_sum_state_round(&state, WF_SUM, WF_F32, &wanted, wf_type_size(WF_F32)), "wf_sum_state_round");
    for (const rank &r : ranks) {
        require(wf_copy_to_host(r.context, &got, r.results, sizeof got), "wf_copy_to_host");
        if (got != wanted)
            fail("the bits of the sum over ranks", "are not those of one GPU");
    }
}

void print(const std::vector<measurement> &all, int ranks, size_t repeat, const cudaDeviceProp &device) {
    int nccl = 0;
    require(ncclGetVersion(&nccl), "ncclGetVersion");
    std::printf("{\"device\": \"%s\", \"ranks\": %d, \"compiler\": \"nvcc %d.%d\", \"cub\": %d, \"nccl\": %d, "
                "\"repeat\": %zu, \"results\": [",
                device.name, ranks, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, CUB_VERSION, nccl, repeat);
    for (size_t i = 0; i < all.size(); i++) {
        const measurement &m = all[i];
        std::printf("%s\n{\"group\": \"%s\", \"side\": \"%s\", \"parameter\": %llu, \"seconds\": [", i != 0 ? "," : "",
                    m.group, m.name, static_cast<unsigned long long>(m.parameter));
        for (size_t k = 0; k < m.samples.size(); k++)
            std::printf("%s%.9g", k != 0 ? ", " : "", m.samples[k]);
        std::printf("]}");
    }
    std::printf("\n]}\n");
}

} // namespace

int main(int argc, char **argv) {
    const bool quick = argc == 2 && std::strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        std::fprintf(stderr, "usage: bench-ranks-nccl [--quick]\n");
        return 2;
    }
    const size_t repeat = quick ? 3 : 31;
    int count = 0;
    require(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    count = std::min(count, int(most_ranks));
    if (count < 2)
        fail("bench-ranks-nccl", "needs at least two GPUs");
    std::vector<ncclComm_t> comms(size_t(count), nullptr);
    require(ncclCommInitAll(comms.data(), count, nullptr), "ncclCommInitAll");
    std::vector<rank> ranks(static_cast<size_t>(count));
    for (int r = 0; r < count; r++)
        open_rank(ranks[size_t(r)], r, count, comms[size_t(r)]);
    check_bits(ranks);
    std::vector<measurement> all = what_is_measured(count);
    measure(ranks, all, repeat);
    cudaDeviceProp device;
    require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    print(all, count, repeat, device);
    for (rank &r : ranks)
        close_rank(r);
}
