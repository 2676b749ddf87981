// Hours of mixed load on an NVIDIA GPU: soak [--seconds N] [--threads N] [--seed N] [--most-bytes N] [--json FILE]
//
// Threads with streams of their own share one context: reductions and descriptions of random types, operators, counts,
// accumulators and byte addresses, queued, blocking and in graphs that are replayed, with kernels of the program's own
// between them and in streams of their own; each thread has a context of its own for scans and sorts. Every result is
// checked against what a plain kernel finds (slice_facts.cuh). At the end the device has as much free memory as after
// the first tenth of the time, the process no more, and all 64 workspaces can be had.
#include "expected_result.hpp"
#include "result_bytes.h"

#include <argp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

using namespace soak;

struct settings {
    double seconds = 60;
    unsigned threads = 8;
    uint64_t seed = 1;
    uint64_t most_bytes = uint64_t(1) << 33;
    const char *json = nullptr;
};

[[noreturn]] void stop(const std::string &why) {
    std::fprintf(stderr, "soak: %s\n", why.c_str());
    std::_Exit(1); // other threads may be in the middle of a call
}

void require(cudaError_t error, const char *spec) {
    if (error != cudaSuccess)
        stop(std::string(spec) + ": " + cudaGetErrorString(error));
}
void require(wf_status status, const char *spec) {
    if (status != WF_OK)
        stop(std::string(spec) + ": " + wf_status_name(status) + ": " + wf_last_error());
}

class random_numbers {
  public:
    explicit random_numbers(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint64_t next() {
        uint64_t mixed = state_ += 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
        return mixed ^ mixed >> 31;
    }
    uint64_t below(uint64_t limit) { return next() % limit; }
    bool one_in(uint64_t n) { return below(n) == 0; }

  private:
    uint64_t state_;
};

// ---- What is folded: for each type one array that all threads read, at a byte address of any alignment ----

struct pool {
    unsigned char *memory = nullptr;
    uint64_t count = 0;
};
pool pools[WF_TYPE_COUNT];

void make_pools(const settings &how) {
    size_t free_bytes = 0, all = 0;
    require(cudaMemGetInfo(&free_bytes, &all), "cudaMemGetInfo");
    const uint64_t bytes = std::min<uint64_t>(how.most_bytes, free_bytes / (WF_TYPE_COUNT + 4));
    random_numbers random(how.seed);
    for (int t = 0; t < WF_TYPE_COUNT; t++) {
        const wf_type type = wf_type(t);
        unsigned char *memory;
        require(cudaMalloc(&memory, bytes + 16), "cudaMalloc");
        pools[t].memory = memory + random.below(16);
        pools[t].count = bytes / bytes_of(type);
        fill<<<4096, 256>>>(type, pools[t].memory, pools[t].count, random.next());
        require(cudaDeviceSynchronize(), "filling an array");
    }
    std::printf("arrays of %.2f GiB of each of %d types\n", double(bytes) / double(1 << 30), int(WF_TYPE_COUNT));
}

struct slice {
    wf_type type;
    const unsigned char *in;
    uint64_t count;
};

slice random_slice(random_numbers &random) {
    const wf_type type = wf_type(random.below(WF_TYPE_COUNT));
    const pool &from = pools[type];
    // Every power of two is as likely as the next, but the largest, which take milliseconds each, are rarer.
    unsigned powers = 1;
    while (uint64_t(1) << powers < from.count)
        powers++;
    const unsigned power = unsigned(random.below(random.one_in(8) ? powers + 1 : std::min(powers, 25u)));
    const uint64_t limit = std::min(from.count, uint64_t(1) << power);
    const uint64_t count = random.one_in(16) ? limit : 1 + random.below(limit);
    return {type, from.memory + random.below(from.count - count + 1) * bytes_of(type), count};
}

// ---- The program's own kernels, which run between and beside ----

__global__ void disturb(unsigned *cells, unsigned count, unsigned rounds) {
    extern __shared__ unsigned shared[];
    shared[threadIdx.x] = blockIdx.x;
    __syncthreads();
    for (unsigned r = 0; r < rounds; r++)
        atomicAdd(&cells[(threadIdx.x * 2654435761u + shared[(threadIdx.x + r) % blockDim.x] * 40503u + r) % count], r);
}

// Mistakes in a scan's results: of sums that wrap, each less the one before is the element.
__global__ void check_scan(const int64_t *in, const int64_t *out, uint64_t count, bool exclusive, unsigned *mistakes) {
    const uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        const uint64_t before = i == 0 ? 0 : uint64_t(out[i - 1]);
        const uint64_t step = exclusive ? i == 0 ? 0 : uint64_t(in[i - 1]) : uint64_t(in[i]);
        if (uint64_t(out[i]) - before != step)
            atomicAdd(mistakes, 1);
    }
}

// Mistakes in a sort's order; and the keys with their values mixed into one number, which no order changes.
__global__ void check_sort(const int64_t *keys, const uint32_t *values, uint64_t count, unsigned *mistakes,
                           unsigned long long *mixed) {
    const uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        if (i != 0 && keys[i - 1] > keys[i])
            atomicAdd(mistakes, 1);
        uint64_t word = (uint64_t(keys[i]) ^ 0x94d049bb133111ebu * (values[i] + 1)) * 0x9e3779b97f4a7c15u;
        atomicAdd(mixed, static_cast<unsigned long long>((word ^ word >> 32) * 0xbf58476d1ce4e5b9u));
    }
}

__global__ void number(uint32_t *values, uint64_t count) {
    const uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        values[i] = uint32_t(i);
}

// ---- One thread's work ----

wf_context *shared_context;
std::mutex counting;
std::map<std::string, uint64_t> done; // by kind of work
std::atomic<uint64_t> bytes_read{0};

constexpr uint64_t most_records = uint64_t(1) << 21;

class worker {
  public:
    worker(const settings &how, unsigned number) : random_(how.seed * 1000003 + number) {
        require(wf_context_create(&own_, "nvidia:0"), "wf_context_create");
        require(cudaMalloc(&cells_, cell_count * sizeof *cells_), "cudaMalloc");
        require(cudaMalloc(&tiles_, fact_tiles * sizeof *tiles_), "cudaMalloc");
        require(cudaMalloc(&on_device_, results * result_bytes), "cudaMalloc");
        require(cudaMallocHost(&pinned_, results * result_bytes), "cudaMallocHost");
        require(cudaMalloc(&records_, most_records * 8 + 16), "cudaMalloc");
        require(cudaMalloc(&values_, most_records * 4), "cudaMalloc");
        require(cudaMalloc(&check_, 16), "cudaMalloc");
        require(cudaStreamCreateWithFlags(&oracle_, cudaStreamNonBlocking), "cudaStreamCreate");
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    }

    void run(std::chrono::steady_clock::time_point until) {
        while (std::chrono::steady_clock::now() < until) {
            const uint64_t kind = random_.below(100);
            if (kind < 60)
                count_as("queued", queue());
            else if (kind < 75)
                count_as("blocking", block());
            else if (kind < 85)
                count_as("replayed", replay());
            else if (kind < 92)
                count_as("described", describe());
            else if (kind < 96)
                count_as("scanned", scan());
            else if (kind < 98)
                count_as("sorted", sort());
            else
                change_stream();
        }
    }

    ~worker() {
        change_stream();
        wf_context_forget_stream(shared_context, stream_);
        wf_context_destroy(own_);
        for (void *memory : {static_cast<void *>(cells_), static_cast<void *>(tiles_), static_cast<void *>(on_device_),
                             static_cast<void *>(records_), static_cast<void *>(values_), check_})
            require(cudaFree(memory), "cudaFree");
        require(cudaFreeHost(pinned_), "cudaFreeHost");
        require(cudaStreamDestroy(stream_), "cudaStreamDestroy");
        require(cudaStreamDestroy(oracle_), "cudaStreamDestroy");
    }

  private:
    static constexpr unsigned cell_count = 1 << 16, results = 8;
    static constexpr size_t result_bytes = sizeof(wf_description);

    struct request {
        wf_reduce_spec spec;
        wf_reduction_info info;
        slice of;
    };

    static void count_as(const char *kind, uint64_t calls) {
        const std::lock_guard<std::mutex> hold(counting);
        done[kind] += calls;
    }

    facts facts_of(const slice &of) {
        find_facts<<<fact_tiles, fact_threads, 0, oracle_>>>(of.type, of.in, of.count, tiles_);
        std::vector<facts> tiles(fact_tiles);
        require(cudaMemcpyAsync(tiles.data(), tiles_, fact_tiles * sizeof(facts), cudaMemcpyDeviceToHost, oracle_),
                "copying facts");
        require(cudaStreamSynchronize(oracle_), "finding facts");
        facts all = no_facts();
        for (const facts &each : tiles)
            add(all, each);
        bytes_read += of.count * bytes_of(of.type);
        return all;
    }

    request random_request() {
        for (;;) {
            request made = {};
            made.of = random_slice(random_);
            made.spec.type = made.of.type;
            made.spec.op = wf_op(random_.below(WF_OP_COUNT));
            made.spec.nan = wf_nan(random_.below(2));
            made.spec.accuracy = wf_accuracy(random_.below(3));
            if (random_.one_in(3))
                made.spec.accumulator = wf_accumulator(random_.below(WF_ACCUMULATE_F64 + 1));
            if (wf_reduction_get_info(&made.spec, &made.info) == WF_OK &&
                made.info.element_bytes == bytes_of(made.of.type))
                return made;
        }
    }

    std::string name_of(const request &asked) const {
        char text[256];
        std::snprintf(text, sizeof text, "%s of %s, accumulator %d, accuracy %d, nan %d, %llu elements at %p",
                      wf_op_name(asked.spec.op), wf_type_name(asked.spec.type), int(asked.spec.accumulator),
                      int(asked.spec.accuracy), int(asked.spec.nan), static_cast<unsigned long long>(asked.of.count),
                      static_cast<const void *>(asked.of.in));
        return text;
    }

    static double as_number(wf_type type, const unsigned char *at) {
        const whole one = whole_of(type, at);
        if (type == WF_F32 || type == WF_F64) { // of any value
            float narrow;
            double number;
            std::memcpy(&narrow, at, sizeof narrow);
            std::memcpy(&number, at, type == WF_F64 ? sizeof number : 0);
            return type == WF_F32 ? narrow : number;
        }
        return one.is_negative ? -double(one.magnitude) : double(one.magnitude);
    }

    // Sums that round at each step: within what a depth of 2^12 and the count's own allow, and twice the same.
    void check_rounded(const request &asked, const facts &of, const unsigned char *got) {
        unsigned char again[result_bytes] = {};
        require(
            wf_reduce(shared_context, &asked.spec, asked.of.in, asked.of.count, again, bytes_of_result(&asked.spec)),
            "wf_reduce");
        if (std::memcmp(again, got, asked.info.result_bytes) != 0)
            stop(name_of(asked) + ": two calls differ");
        if (asked.spec.op == WF_PRODUCT)
            return;
        const bool is_fixed = is_float(asked.spec.type);
        const double scale = is_fixed ? std::ldexp(1, -form_of(asked.spec.type).fraction_bits) : 1;
        const double positive = double(joined(of.positive)), negative = double(joined(of.negative));
        const double number = asked.spec.op == WF_MEAN ? double(asked.of.count) : 1;
        double right = (positive - negative) * scale / number, magnitude = (positive + negative) * scale / number;
        if (asked.spec.op == WF_ASUM)
            right = magnitude;
        if (asked.spec.op == WF_SUMSQ)
            right = magnitude = double(squares_of(of)) * scale * scale;
        const double unit = asked.info.result_type == WF_F32 ? 0x1p-24 : 0x1p-53;
        if (asked.spec.op == WF_SUMSQ && asked.spec.type == WF_F64)
            return; // squares of 124 bits: the facts hold no sum of them
        const double error = std::fabs(as_number(asked.info.result_type, got) - right);
        if (!(error <= magnitude * unit * (4096 + double(asked.of.count >> 16))))
            stop(name_of(asked) + ": off by " + std::to_string(error));
    }

    void check(const request &asked, const unsigned char *got) {
        const facts of = facts_of(asked.of);
        unsigned char right[result_bytes] = {}, masked[result_bytes] = {};
        if (!expected_result(asked.spec, asked.info, of, asked.of.count, right)) {
            check_rounded(asked, of, got);
            return;
        }
        std::memcpy(masked, got, asked.info.result_bytes);
        if (asked.info.has_index != 0) // what lies between value and index is nobody's
            std::memset(masked + bytes_of(asked.spec.type), 0, 8 - bytes_of(asked.spec.type));
        if (std::memcmp(masked, right, asked.info.result_bytes) != 0) {
            std::string bytes;
            for (unsigned b = 0; b < asked.info.result_bytes; b++) {
                char text[16];
                std::snprintf(text, sizeof text, " %02x/%02x", masked[b], right[b]);
                bytes += text;
            }
            stop(name_of(asked) + ": wrong (got/right):" + bytes);
        }
    }

    void disturb_stream() {
        if (random_.one_in(2))
            disturb<<<1 + unsigned(random_.below(512)), 256, 1024, random_.one_in(2) ? stream_ : oracle_>>>(
                cells_, cell_count, 1 + unsigned(random_.below(64)));
    }

    // Several in one stream, then all are checked.
    uint64_t queue() {
        const unsigned count = 1 + unsigned(random_.below(results));
        request asked[results];
        unsigned char *to[results];
        bool is_pinned[results];
        for (unsigned k = 0; k < count; k++) {
            asked[k] = random_request();
            is_pinned[k] = random_.one_in(2);
            to[k] = (is_pinned[k] ? pinned_ : on_device_) + k * result_bytes;
            disturb_stream();
            require(wf_reduce_async(shared_context, &asked[k].spec, asked[k].of.in, asked[k].of.count, to[k],
                                    bytes_of_result(&asked[k].spec), stream_),
                    name_of(asked[k]).c_str());
        }
        check_all(asked, to, is_pinned, count);
        return count;
    }

    void check_all(const request *asked, unsigned char *const *to, const bool *is_pinned, unsigned count) {
        require(cudaStreamSynchronize(stream_), "a stream");
        for (unsigned k = 0; k < count; k++) {
            unsigned char got[result_bytes];
            require(cudaMemcpyAsync(got, to[k], result_bytes,
                                    is_pinned[k] ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost, oracle_),
                    "copying a result");
            require(cudaStreamSynchronize(oracle_), "copying a result");
            check(asked[k], got);
        }
    }

    uint64_t block() {
        const request asked = random_request();
        unsigned char got[result_bytes] = {};
        require(wf_reduce(shared_context, &asked.spec, asked.of.in, asked.of.count, got, bytes_of_result(&asked.spec)),
                name_of(asked).c_str());
        check(asked, got);
        return 1;
    }

    uint64_t replay() {
        const unsigned count = 1 + unsigned(random_.below(4)), times = 1 + unsigned(random_.below(20));
        request asked[results];
        unsigned char *to[results];
        bool is_pinned[results] = {};
        cudaGraph_t graph;
        cudaGraphExec_t replayable;
        require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        for (unsigned k = 0; k < count; k++) {
            do
                asked[k] = random_request();
            while (asked[k].of.count > uint64_t(1) << 24); // replayed many times
            to[k] = on_device_ + k * result_bytes;
            disturb<<<16, 256, 1024, stream_>>>(cells_, cell_count, 16);
            require(wf_reduce_async(shared_context, &asked[k].spec, asked[k].of.in, asked[k].of.count, to[k],
                                    bytes_of_result(&asked[k].spec), stream_),
                    name_of(asked[k]).c_str());
        }
        require(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
        require(cudaGraphInstantiate(&replayable, graph, 0), "cudaGraphInstantiate");
        for (unsigned r = 0; r < times; r++) {
            if (r + 1 == times)
                require(cudaMemsetAsync(on_device_, 0xfe, results * result_bytes, stream_), "cudaMemsetAsync");
            require(cudaGraphLaunch(replayable, stream_), "cudaGraphLaunch");
        }
        check_all(asked, to, is_pinned, count);
        require(cudaGraphExecDestroy(replayable), "cudaGraphExecDestroy");
        require(cudaGraphDestroy(graph), "cudaGraphDestroy");
        wf_context_forget_stream(shared_context, stream_); // what was captured has a workspace of its own
        return uint64_t(count) * times;
    }

    uint64_t describe() {
        const slice of = random_slice(random_);
        const wf_describe_spec spec = {of.type, wf_nan(random_.below(2))};
        auto *const got = reinterpret_cast<wf_description *>(pinned_);
        disturb_stream();
        if (random_.one_in(2)) {
            require(wf_describe(shared_context, &spec, of.in, of.count, got), "wf_describe");
        } else {
            require(wf_describe_async(shared_context, &spec, of.in, of.count, got, stream_), "wf_describe_async");
            require(cudaStreamSynchronize(stream_), "a stream");
        }
        const facts found = facts_of(of);
        const wide sum = joined(found.positive) - joined(found.negative);
        wf_description right = *got; // its variance is not checked
        right.count = of.count;
        right.argmin = found.least_at;
        right.argmax = found.most_at;
        if (is_float(of.type)) {
            const int scale = -form_of(of.type).fraction_bits;
            right.sum.f64 = rounded(WF_F64, sum, scale);
            right.mean = quotient(WF_F64, sum, scale, of.count);
            right.min.f64 = rounded(WF_F64, found.least, scale);
            right.max.f64 = rounded(WF_F64, found.most, scale);
        } else {
            right.sum.u64 = uint64_t(sum);
            const uint64_t flip = is_signed(of.type) ? 0 : uint64_t(1) << 63;
            right.min.u64 = uint64_t(found.least) ^ flip;
            right.max.u64 = uint64_t(found.most) ^ flip;
        }
        if (std::memcmp(&right, got, sizeof right) != 0)
            stop(std::string("describe of ") + wf_type_name(of.type) + ", " + std::to_string(of.count) +
                 " elements: wrong");
        return 1;
    }

    uint64_t mixed_records(uint64_t count, const char *spec) {
        struct {
            unsigned long long mixed;
            unsigned mistakes, unused;
        } found = {};
        require(cudaMemsetAsync(check_, 0, sizeof found, stream_), "cudaMemsetAsync");
        auto *const mixed = static_cast<unsigned long long *>(check_);
        check_sort<<<512, 256, 0, stream_>>>(records_, values_, count, reinterpret_cast<unsigned *>(mixed + 1), mixed);
        require(cudaMemcpyAsync(&found, check_, sizeof found, cudaMemcpyDeviceToHost, stream_), "copying");
        require(cudaStreamSynchronize(stream_), "a stream");
        if (spec != nullptr && found.mistakes != 0)
            stop(std::string(spec) + " of " + std::to_string(count) + " records: " + std::to_string(found.mistakes) +
                 " are not in order");
        return found.mixed;
    }

    uint64_t sort() {
        const uint64_t count = 1 + random_.below(most_records);
        const wf_sort_spec spec = {WF_I64, 0, 4};
        fill<<<512, 256, 0, stream_>>>(WF_I64, reinterpret_cast<unsigned char *>(records_), count, random_.next());
        number<<<512, 256, 0, stream_>>>(values_, count);
        const uint64_t before = mixed_records(count, nullptr);
        require(wf_sort_async(own_, &spec, records_, values_, count, stream_), "wf_sort_async");
        disturb_stream();
        if (mixed_records(count, "sort") != before)
            stop("sort of " + std::to_string(count) + " records: some are lost");
        return 1;
    }

    uint64_t scan() {
        const uint64_t count = 1 + random_.below(most_records), first = random_.below(pools[WF_I64].count - count + 1);
        const unsigned char *const in = pools[WF_I64].memory;
        const auto *const aligned =
            reinterpret_cast<const int64_t *>(in + (8 - reinterpret_cast<uintptr_t>(in) % 8) % 8) + first / 2;
        const wf_scan_spec spec = {{WF_I64, WF_SUM}, uint32_t(random_.below(2))};
        require(wf_scan_async(own_, &spec, aligned, count, records_, stream_), "wf_scan_async");
        disturb_stream();
        unsigned mistakes = 0;
        require(cudaMemsetAsync(check_, 0, sizeof mistakes, stream_), "cudaMemsetAsync");
        check_scan<<<512, 256, 0, stream_>>>(aligned, records_, count, spec.exclusive != 0,
                                             static_cast<unsigned *>(check_));
        require(cudaMemcpyAsync(&mistakes, check_, sizeof mistakes, cudaMemcpyDeviceToHost, stream_), "copying");
        require(cudaStreamSynchronize(stream_), "a stream");
        if (mistakes != 0)
            stop("scan of " + std::to_string(count) + " elements: " + std::to_string(mistakes) + " are wrong");
        return 1;
    }

    void change_stream() {
        require(cudaStreamSynchronize(stream_), "a stream");
        wf_context_forget_stream(shared_context, stream_);
        wf_context_forget_stream(own_, stream_);
        require(cudaStreamDestroy(stream_), "cudaStreamDestroy");
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        count_as("streams made", 1);
    }

    random_numbers random_;
    wf_context *own_ = nullptr;
    cudaStream_t stream_ = nullptr, oracle_ = nullptr;
    unsigned *cells_ = nullptr;
    facts *tiles_ = nullptr;
    unsigned char *on_device_ = nullptr, *pinned_ = nullptr;
    int64_t *records_ = nullptr;
    uint32_t *values_ = nullptr;
    void *check_ = nullptr;
};

// ---- What must not grow ----

uint64_t resident_bytes() {
    std::ifstream sizes("/proc/self/statm");
    uint64_t all = 0, resident = 0;
    sizes >> all >> resident;
    return resident * 4096;
}

uint64_t free_on_device() {
    size_t free_bytes = 0, all = 0;
    require(cudaMemGetInfo(&free_bytes, &all), "cudaMemGetInfo");
    return free_bytes;
}

// As many streams as there are workspaces each get one: none is lost.
void take_all_workspaces() {
    const wf_reduce_spec spec = {WF_I32, WF_MAX, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
    int *result;
    require(cudaMalloc(&result, sizeof *result), "cudaMalloc");
    std::vector<cudaStream_t> streams(63); // and the context's own
    require(wf_reduce_async(shared_context, &spec, pools[WF_I32].memory, 1000, result, bytes_of_result(&spec), nullptr),
            "the own queue");
    for (cudaStream_t &stream : streams) {
        require(cudaStreamCreate(&stream), "cudaStreamCreate");
        require(
            wf_reduce_async(shared_context, &spec, pools[WF_I32].memory, 1000, result, bytes_of_result(&spec), stream),
            "after the soak, of 64 workspaces");
    }
    require(cudaDeviceSynchronize(), "the device");
    for (const cudaStream_t stream : streams) {
        wf_context_forget_stream(shared_context, stream);
        require(cudaStreamDestroy(stream), "cudaStreamDestroy");
    }
    require(cudaFree(result), "cudaFree");
}

void work(const settings &how, double seconds, uint64_t seed) {
    settings part = how;
    part.seed = seed;
    const auto until =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < how.threads; t++)
        threads.emplace_back([&part, t, until] { worker(part, t).run(until); });
    for (std::thread &thread : threads)
        thread.join();
    require(cudaDeviceSynchronize(), "the device");
}

int parse(int key, char *text, argp_state *state) {
    settings &how = *static_cast<settings *>(state->input);
    switch (key) {
    case 's':
        how.seconds = std::atof(text);
        break;
    case 't':
        how.threads = unsigned(std::atoi(text));
        break;
    case 'r':
        how.seed = std::strtoull(text, nullptr, 10);
        break;
    case 'm':
        how.most_bytes = std::strtoull(text, nullptr, 10);
        break;
    case 'j':
        how.json = text;
        break;
    case ARGP_KEY_END:
        if (!(how.seconds >= 1) || how.threads < 1 || how.threads > 60 || how.most_bytes < 1 << 26)
            argp_error(state, "seconds: 1 and more; threads: 1 to 60, of 64 workspaces; most-bytes: 2^26 and more");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

settings read_arguments(int argc, char **argv) {
    settings how;
    const argp_option options[] = {{"seconds", 's', "N", 0, "how long (60)", 0},
                                   {"threads", 't', "N", 0, "each with a stream (8)", 0},
                                   {"seed", 'r', "N", 0, "of what is random (1)", 0},
                                   {"most-bytes", 'm', "N", 0, "of the longest array (2^33)", 0},
                                   {"json", 'j', "FILE", 0, "where to write what was done", 0},
                                   {}};
    const argp parser = {options, parse,   nullptr, "A soak of wavefold on the first NVIDIA GPU.",
                         nullptr, nullptr, nullptr};
    argp_parse(&parser, argc, argv, 0, nullptr, &how);
    return how;
}

} // namespace

int main(int argc, char **argv) {
    const settings how = read_arguments(argc, argv);
    require(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "cudaSetDeviceFlags"); // cores are left to others
    require(wf_context_create(&shared_context, "nvidia:0"), "wf_context_create");
    make_pools(how);
    work(how, how.seconds / 10, how.seed);
    const uint64_t device_before = free_on_device(), host_before = resident_bytes();
    work(how, how.seconds * 9 / 10, how.seed + 1);
    const uint64_t device_after = free_on_device(), host_after = resident_bytes();
    take_all_workspaces();
    wf_device_info device;
    require(wf_context_get_device(shared_context, &device), "wf_context_get_device");
    wf_context_destroy(shared_context);

    std::string report =
        "{\n  \"device\": \"" + std::string(device.name) +
        "\",\n  \"driver\": " + std::to_string(device.driver_version) +
        ",\n  \"seconds\": " + std::to_string(how.seconds) + ",\n  \"threads\": " + std::to_string(how.threads) +
        ",\n  \"seed\": " + std::to_string(how.seed) + ",\n  \"most_bytes\": " + std::to_string(how.most_bytes) +
        ",\n  \"bytes_checked\": " + std::to_string(bytes_read.load()) + ",\n  \"calls\": {";
    for (auto entry = done.begin(); entry != done.end(); ++entry)
        report += (entry == done.begin() ? "\"" : ", \"") + entry->first + "\": " + std::to_string(entry->second);
    report += "},\n  \"device_bytes_lost\": " +
              std::to_string(static_cast<long long>(device_before) - static_cast<long long>(device_after)) +
              ",\n  \"host_bytes_gained\": " +
              std::to_string(static_cast<long long>(host_after) - static_cast<long long>(host_before)) + "\n}\n";
    std::fputs(report.c_str(), stdout);
    if (how.json != nullptr && !(std::ofstream(how.json) << report))
        stop(std::string("cannot write ") + how.json);
    if (device_after + (uint64_t(2) << 20) < device_before) // the driver's own grain
        stop("device memory is lost");
    if (host_after > host_before + (uint64_t(64) << 20))
        stop("host memory grows");
    std::printf("all right\n");
    return 0;
}
