// The calls that queue work, on a real CUDA device: streams, capture, replay, memory of the program's own, and errors
// that the program left. Skipped (77) where there is no device.
#include "result_bytes.h"

#include <wavefold_by_key.h>
#include <wavefold_sort.h>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <thread>
#include <vector>

extern "C" {
#include <cmocka.h>
}

namespace {

wf_context *context;

void require(wf_status status) {
    if (status != WF_OK)
        fail_msg("%s: %s", wf_status_name(status), wf_last_error());
}

void require(cudaError_t error) {
    if (error != cudaSuccess)
        fail_msg("%s", cudaGetErrorString(error));
}

// A distinct weight for each element, so that one left out or taken twice shows.
std::vector<int64_t> weights(size_t count, int64_t seed) {
    std::vector<int64_t> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = int64_t(uint64_t(i + 1) * 0x9e3779b97f4a7c15u) + seed;
    return values;
}

int64_t sum_of(const std::vector<int64_t> &values) {
    uint64_t sum = 0;
    for (const int64_t value : values)
        sum += uint64_t(value);
    return int64_t(sum);
}

// An array of the program's own on the device.
class device_array {
  public:
    explicit device_array(const std::vector<int64_t> &values) : count(values.size()) {
        require(cudaMalloc(&memory, (count + 1) * sizeof(int64_t)));
        put(values);
    }
    device_array(const device_array &) = delete;
    ~device_array() { (void)cudaFree(memory); }
    void put(const std::vector<int64_t> &values) {
        require(cudaMemcpy(memory, values.data(), count * sizeof(int64_t), cudaMemcpyHostToDevice));
    }
    size_t count;
    void *memory = nullptr;
};

const wf_reduce_spec sum = {WF_I64, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
const size_t sizes[] = {1, 31, 1000, 4096, 65537, 1000003};

void test_memory_of_every_kind(void **) {
    for (const size_t n : sizes) {
        const std::vector<int64_t> values = weights(n, 3);
        device_array on_device(values);
        int64_t *pinned, *managed, result;
        require(cudaMallocHost(reinterpret_cast<void **>(&pinned), n * sizeof *pinned));
        require(cudaMallocManaged(reinterpret_cast<void **>(&managed), n * sizeof *managed));
        std::memcpy(pinned, values.data(), n * sizeof *pinned);
        std::memcpy(managed, values.data(), n * sizeof *managed);
        for (const void *in : {static_cast<const void *>(on_device.memory), static_cast<const void *>(pinned),
                               static_cast<const void *>(managed), static_cast<const void *>(values.data())}) {
            result = 0;
            require(wf_reduce(context, &sum, in, n, &result, bytes_of_result(&sum)));
            assert_int_equal(result, sum_of(values));
        }
        require(cudaFreeHost(pinned));
        require(cudaFree(managed));
    }
}

// Host memory larger than what is staged at once.
void test_pieces_of_host_memory(void **) {
    const std::vector<int64_t> values = weights((size_t(200) << 20) / sizeof(int64_t) + 7, 5);
    int64_t result = 0;
    require(wf_reduce(context, &sum, values.data(), values.size(), &result, bytes_of_result(&sum)));
    assert_int_equal(result, sum_of(values));
    const wf_reduce_spec argmin = {WF_I64, WF_ARGMIN, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
    struct {
        int64_t value;
        uint64_t index;
    } place;
    size_t least = 0;
    for (size_t i = 0; i < values.size(); i++)
        least = values[i] < values[least] ? i : least;
    require(wf_reduce(context, &argmin, values.data(), values.size(), &place, bytes_of_result(&argmin)));
    assert_int_equal(place.index, least);
    assert_int_equal(place.value, values[least]);
}

void test_replays(void **) {
    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    for (const size_t n : sizes) {
        device_array in(weights(n, 0));
        int64_t *results; // pinned
        wf_description *description;
        require(cudaMallocHost(reinterpret_cast<void **>(&results), 3 * sizeof *results));
        require(cudaMallocHost(reinterpret_cast<void **>(&description), sizeof *description));
        cudaGraph_t graph;
        cudaGraphExec_t replayable;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        require(wf_reduce_async(context, &sum, in.memory, n, &results[0], bytes_of_result(&sum), stream));
        require(wf_reduce_async(context, &sum, in.memory, n / 2, &results[1], bytes_of_result(&sum), stream));
        require(wf_reduce_async(context, &sum, nullptr, 0, &results[2], bytes_of_result(&sum), stream));
        const wf_describe_spec spec = {WF_I64, WF_NAN_PROPAGATE};
        require(wf_describe_async(context, &spec, in.memory, n, description, stream));
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replayable, graph, 0));
        for (int replay = 0; replay < 1000; replay++) {
            if (replay % 100 == 0) {
                const std::vector<int64_t> values = weights(n, replay);
                in.put(values);
                std::memset(results, 0xfe, 3 * sizeof *results);
                require(cudaGraphLaunch(replayable, stream));
                require(cudaStreamSynchronize(stream));
                assert_int_equal(results[0], sum_of(values));
                assert_int_equal(results[1], sum_of({values.begin(), values.begin() + long(n / 2)}));
                assert_int_equal(results[2], 0);
                assert_int_equal(description->count, n);
                assert_int_equal(description->sum.i64, sum_of(values));
            } else {
                require(cudaGraphLaunch(replayable, stream));
            }
        }
        require(cudaStreamSynchronize(stream));
        require(cudaGraphExecDestroy(replayable));
        require(cudaGraphDestroy(graph));
        wf_context_forget_stream(context, stream);
        require(cudaFreeHost(results));
        require(cudaFreeHost(description));
    }
    require(cudaStreamDestroy(stream));
}

// Of any exponent, each once with either sign; what is left is the one in the middle.
std::vector<double> cancelling(size_t pairs, double left) {
    std::vector<double> values(2 * pairs + 1, left);
    for (size_t i = 0; i < pairs; i++) {
        values[i] = std::ldexp(1 + double(i % 1021) / 1024, int(i * 37 % 1900) - 950);
        values[values.size() - 1 - i] = -values[i];
    }
    return values;
}

// Each call reads what the one before it has written, so none may begin before that has ended, though kernels may start
// early: of one tile, of a cluster tile and of many, in turn, with copies between, in a stream and in a graph.
template <class T>
void sum_results(wf_type type, cudaStream_t stream, bool is_captured) {
    constexpr size_t lengths[] = {2, 100, 4096, 20000, 9, 300000, 40000, 1000, 1500000};
    constexpr size_t most = 1500000, calls = 120;
    const wf_reduce_spec spec = {type, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
    std::vector<T> values(most), sums(most + 1);
    for (size_t i = 0; i < most; i++) {
        values[i] = T(int64_t(i * i % 2003) - 1000);
        sums[i + 1] = sums[i] + values[i]; // whole numbers that both types have
    }
    T *arrays[2], got = 0;
    for (T *&array : arrays) {
        require(cudaMalloc(reinterpret_cast<void **>(&array), most * sizeof(T)));
        require(cudaMemcpy(array, values.data(), most * sizeof(T), cudaMemcpyHostToDevice));
    }
    T first = values[0]; // of the array that is summed next
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replayable = nullptr;
    if (is_captured)
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (size_t k = 0; k < calls; k++) {
        const size_t n = lengths[k % std::size(lengths)];
        T *const from = arrays[k % 2], *const to = arrays[(k + 1) % 2];
        require(wf_reduce_async(context, &spec, from, n, k % 5 == 4 ? to + 1 : to, bytes_of_result(&spec), stream));
        if (k % 5 == 4) { // by way of another cell, which gets its own value back
            require(cudaMemcpyAsync(to, to + 1, sizeof(T), cudaMemcpyDeviceToDevice, stream));
            require(cudaMemcpyAsync(to + 1, to + 2004, sizeof(T), cudaMemcpyDeviceToDevice, stream));
        }
        first += sums[n] - sums[1];
    }
    require(cudaMemcpyAsync(&got, arrays[calls % 2], sizeof got, cudaMemcpyDeviceToHost, stream));
    if (is_captured) {
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replayable, graph, 0));
        require(cudaGraphLaunch(replayable, stream));
    }
    require(cudaStreamSynchronize(stream));
    assert_true(got == first);
    if (is_captured) {
        require(cudaGraphExecDestroy(replayable));
        require(cudaGraphDestroy(graph));
    }
    wf_context_forget_stream(context, stream);
    for (T *const array : arrays)
        require(cudaFree(array));
}

void test_sums_of_results(void **) {
    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    for (int round = 0; round < 20; round++)
        for (const bool is_captured : {false, true}) {
            sum_results<int64_t>(WF_I64, stream, is_captured);
            sum_results<double>(WF_F64, stream, is_captured);
        }
    require(cudaStreamDestroy(stream));
}

// A copy that takes a while, to an array of the program's own: the last count elements of what is copied.
struct slow_copy {
    static constexpr size_t bytes = size_t(256) << 20, count = 5000;
    char *from[2], *to = nullptr;
    int64_t sums[2];

    slow_copy() {
        require(cudaMalloc(reinterpret_cast<void **>(&to), bytes));
        for (int k = 0; k < 2; k++) {
            const std::vector<int64_t> values = weights(count, k + 1);
            sums[k] = sum_of(values);
            require(cudaMalloc(reinterpret_cast<void **>(&from[k]), bytes));
            require(cudaMemcpy(from[k] + bytes - count * sizeof(int64_t), values.data(), count * sizeof(int64_t),
                               cudaMemcpyHostToDevice));
        }
    }
    slow_copy(const slow_copy &) = delete;
    ~slow_copy() {
        for (char *const memory : {from[0], from[1], to})
            (void)cudaFree(memory);
    }
    void start(int k, cudaStream_t stream) const {
        require(cudaMemcpyAsync(to, from[k % 2], bytes, cudaMemcpyDeviceToDevice, stream));
    }
    const void *array() const { return to + bytes - count * sizeof(int64_t); }
};

// What is queued in another stream, and is waited for, by whatever way.
void test_waiting_for_other_streams(void **) {
    const slow_copy copy;
    cudaStream_t stream, other;
    cudaEvent_t copied;
    int64_t *queued, awaited = 0; // pinned
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    require(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    require(cudaEventCreate(&copied));
    require(cudaMallocHost(reinterpret_cast<void **>(&queued), sizeof *queued));
    for (int k = 0; k < 10; k++) {
        // The context's own stream waits for this one, as all do that are not told otherwise.
        copy.start(k, cudaStreamLegacy);
        require(wf_reduce(context, &sum, copy.array(), copy.count, &awaited, bytes_of_result(&sum)));
        assert_int_equal(awaited, copy.sums[k % 2]);

        copy.start(k + 1, cudaStreamLegacy);
        require(
            wf_reduce_async(context, &sum, copy.array(), copy.count, queued, bytes_of_result(&sum), cudaStreamLegacy));
        require(cudaStreamSynchronize(cudaStreamLegacy));
        assert_int_equal(*queued, copy.sums[(k + 1) % 2]);

        require(wf_reduce_async(context, &sum, copy.array(), copy.count, queued, bytes_of_result(&sum), stream));
        require(cudaStreamSynchronize(stream)); // it reads what is copied to next
        require(wf_reduce_async(context, &sum, nullptr, 0, queued, bytes_of_result(&sum), stream));
        copy.start(k, other);
        require(cudaEventRecord(copied, other));
        require(cudaStreamWaitEvent(stream, copied, 0));
        require(wf_reduce_async(context, &sum, copy.array(), copy.count, queued, bytes_of_result(&sum), stream));
        require(cudaStreamSynchronize(stream));
        assert_int_equal(*queued, copy.sums[k % 2]);
    }
    wf_context_forget_stream(context, stream);
    wf_context_forget_stream(context, cudaStreamLegacy);
    require(cudaFreeHost(queued));
    require(cudaEventDestroy(copied));
    require(cudaStreamDestroy(stream));
    require(cudaStreamDestroy(other));
}

// Each graph sums what the one before it, or a launch between, has left; it forks and joins within.
void test_graphs_in_turn(void **) {
    constexpr size_t n = 20000, replays = 50;
    const std::vector<int64_t> values = weights(n, 13);
    device_array in(values); // and behind it a cell
    auto *const cells = static_cast<int64_t *>(in.memory);
    int64_t *parts, expected = values[0];
    require(cudaMalloc(reinterpret_cast<void **>(&parts), 2 * sizeof *parts));
    cudaStream_t stream, other;
    cudaEvent_t forked, joined;
    require(cudaStreamCreate(&stream));
    require(cudaStreamCreate(&other));
    require(cudaEventCreate(&forked));
    require(cudaEventCreate(&joined));
    const auto capture = [&] {
        cudaGraph_t graph;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        require(wf_reduce_async(context, &sum, cells, n, &parts[0], bytes_of_result(&sum), stream));
        require(cudaEventRecord(forked, stream));
        require(cudaStreamWaitEvent(other, forked, 0));
        require(wf_reduce_async(context, &sum, cells + 1, n - 1, &parts[1], bytes_of_result(&sum), other));
        require(cudaEventRecord(joined, other));
        require(wf_reduce_async(context, &sum, cells, n, &parts[0], bytes_of_result(&sum), stream));
        require(cudaStreamWaitEvent(stream, joined, 0));
        require(wf_reduce_async(context, &sum, parts, 2, cells, bytes_of_result(&sum), stream));
        require(cudaStreamEndCapture(stream, &graph));
        return graph;
    };
    const cudaGraph_t graph = capture(), again = capture();
    cudaGraphExec_t replayable;
    cudaGraphExecUpdateResultInfo updated;
    require(cudaGraphInstantiate(&replayable, graph, 0));
    require(cudaGraphExecUpdate(replayable, again, &updated)); // the same calls make the same graph
    const int64_t others = sum_of({values.begin() + 1, values.end()});
    for (size_t replay = 0; replay < replays; replay++) {
        require(cudaGraphLaunch(replayable, stream));
        expected = int64_t(uint64_t(expected) + 2 * uint64_t(others));
        if (replay % 3 == 0) {
            require(wf_reduce_async(context, &sum, cells, n, cells + n, bytes_of_result(&sum), stream));
            require(wf_reduce_async(context, &sum, cells + n, 1, cells, bytes_of_result(&sum), stream));
            expected = int64_t(uint64_t(expected) + uint64_t(others));
        }
    }
    int64_t got = 0;
    require(cudaMemcpyAsync(&got, cells, sizeof got, cudaMemcpyDeviceToHost, stream));
    require(cudaStreamSynchronize(stream));
    assert_int_equal(got, expected);
    require(cudaGraphExecDestroy(replayable));
    require(cudaGraphDestroy(graph));
    require(cudaGraphDestroy(again));
    wf_context_forget_stream(context, stream);
    wf_context_forget_stream(context, other);
    require(cudaFree(parts));
    for (const cudaEvent_t event : {forked, joined})
        require(cudaEventDestroy(event));
    for (const cudaStream_t each : {stream, other})
        require(cudaStreamDestroy(each));
}

// A sort takes many launches, of which each reads what the one before it has written.
void test_captured_sorts(void **) {
    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    const wf_sort_spec spec = {WF_I64, 0, 0};
    for (const size_t n : {size_t(5), size_t(4097), size_t(100000), size_t(1000003)}) {
        const std::vector<int64_t> values = weights(n, 11);
        std::vector<int64_t> sorted = values, got(n + 1);
        std::sort(sorted.begin(), sorted.end());
        sorted.push_back(sum_of(values));
        device_array in(values);
        cudaGraph_t graph;
        cudaGraphExec_t replayable;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        require(wf_sort_async(context, &spec, in.memory, nullptr, n, stream));
        require(wf_reduce_async(context, &sum, in.memory, n, static_cast<int64_t *>(in.memory) + n,
                                bytes_of_result(&sum), stream));
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replayable, graph, 0));
        for (int replay = 0; replay < 20; replay++) {
            in.put(values);
            require(cudaGraphLaunch(replayable, stream));
            require(cudaMemcpyAsync(got.data(), in.memory, (n + 1) * sizeof(int64_t), cudaMemcpyDeviceToHost, stream));
            require(cudaStreamSynchronize(stream));
            assert_true(got == sorted);
        }
        require(cudaGraphExecDestroy(replayable));
        require(cudaGraphDestroy(graph));
        wf_context_forget_stream(context, stream);
    }
    require(cudaStreamDestroy(stream));
}

// Rows within tiles, one after the other, and all at once; and selections in one launch, in rounds, and by a sort.
void test_captured_rows(void **) {
    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    const wf_sort_spec spec = {WF_I64, 0, 0};
    for (const size_t length : {size_t(70), size_t(3000), size_t(10007)})
        for (const size_t rows : {size_t(2), size_t(9)})
            for (const size_t k : {size_t(7), length * 3 / 4}) {
                const std::vector<int64_t> values = weights(rows * length, 13);
                std::vector<int64_t> sorted = values, largest, got(rows * length), selected(rows * k);
                for (size_t row = 0; row < rows; row++) {
                    const auto begin = sorted.begin() + ptrdiff_t(row * length), end = begin + ptrdiff_t(length);
                    std::sort(begin, end);
                    largest.insert(largest.end(), std::make_reverse_iterator(end),
                                   std::make_reverse_iterator(end) + ptrdiff_t(k));
                }
                device_array in(values), best(largest);
                const wf_top_k_spec largest_k = {WF_I64, 0, k, 0, {}};
                cudaGraph_t graph;
                cudaGraphExec_t replayable;
                require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
                require(wf_top_k_async(context, &largest_k, in.memory, rows, length, best.memory, nullptr, stream));
                require(wf_sort_rows_async(context, &spec, in.memory, nullptr, rows, length, stream));
                require(cudaStreamEndCapture(stream, &graph));
                require(cudaGraphInstantiate(&replayable, graph, 0));
                for (int replay = 0; replay < 5; replay++) {
                    in.put(values);
                    require(cudaGraphLaunch(replayable, stream));
                    require(cudaMemcpyAsync(got.data(), in.memory, got.size() * sizeof(int64_t), cudaMemcpyDeviceToHost,
                                            stream));
                    require(cudaMemcpyAsync(selected.data(), best.memory, selected.size() * sizeof(int64_t),
                                            cudaMemcpyDeviceToHost, stream));
                    require(cudaStreamSynchronize(stream));
                    assert_true(got == sorted && selected == largest);
                }
                require(cudaGraphExecDestroy(replayable));
                require(cudaGraphDestroy(graph));
                wf_context_forget_stream(context, stream);
            }
    require(cudaStreamDestroy(stream));
}

// A scan, sums by index and sums by key, whose tiles keep words in the stream's room between launches.
void test_captured_by_key(void **) {
    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    const size_t bins = 37;
    const wf_scatter scatter = {bins, WF_I64, 0, {}};
    wf_scan_spec scan = {};
    scan.reduce = sum;
    for (const size_t n : {size_t(1000), size_t(20000), size_t(300007)}) {
        const std::vector<int64_t> values = weights(n, 5);
        std::vector<int64_t> scanned(n), of_bins(bins), of_runs((n + 9) / 10), got_scan(n), got_bins(bins),
            got_runs(of_runs.size()), found(1), indices(n), keys(n);
        for (size_t i = 0; i < n; i++) {
            indices[i] = int64_t(i * 7 % (bins + 3)); // some are outside of the bins
            keys[i] = int64_t(i / 10);
            scanned[i] = values[i] + (i > 0 ? scanned[i - 1] : 0);
            of_runs[i / 10] += values[i];
            if (size_t(indices[i]) < bins)
                of_bins[size_t(indices[i])] += values[i];
        }
        device_array in(values), to_scan(got_scan), to_bins(got_bins), to_runs(got_runs), runs(found);
        device_array where(indices), by(keys), unique(keys);
        cudaGraph_t graph;
        cudaGraphExec_t replayable;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        require(wf_scan_async(context, &scan, in.memory, n, to_scan.memory, stream));
        require(wf_scatter_reduce_async(context, &sum, &scatter, where.memory, in.memory, n, to_bins.memory,
                                        bins * sizeof(int64_t), stream));
        require(wf_reduce_by_key_async(context, &sum, WF_I64, by.memory, in.memory, n, unique.memory, to_runs.memory,
                                       of_runs.size() * sizeof(int64_t), static_cast<uint64_t *>(runs.memory), stream));
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replayable, graph, 0));
        for (int replay = 0; replay < 5; replay++) {
            to_scan.put(std::vector<int64_t>(n));
            to_bins.put(std::vector<int64_t>(bins));
            to_runs.put(std::vector<int64_t>(of_runs.size()));
            require(cudaGraphLaunch(replayable, stream));
            require(cudaStreamSynchronize(stream));
            require(cudaMemcpy(got_scan.data(), to_scan.memory, n * sizeof(int64_t), cudaMemcpyDeviceToHost));
            require(cudaMemcpy(got_bins.data(), to_bins.memory, bins * sizeof(int64_t), cudaMemcpyDeviceToHost));
            require(
                cudaMemcpy(got_runs.data(), to_runs.memory, of_runs.size() * sizeof(int64_t), cudaMemcpyDeviceToHost));
            require(cudaMemcpy(found.data(), runs.memory, sizeof(int64_t), cudaMemcpyDeviceToHost));
            assert_true(got_scan == scanned && got_bins == of_bins && got_runs == of_runs);
            assert_true(size_t(found[0]) == of_runs.size());
        }
        require(cudaGraphExecDestroy(replayable));
        require(cudaGraphDestroy(graph));
        wf_context_forget_stream(context, stream);
    }
    require(cudaStreamDestroy(stream));
}

// What floats are summed with by default keeps more in a stream's workspace than other reductions do. In one launch, in
// pieces of host memory, and captured, the sum is the same.
void test_exact_by_default(void **) {
    const wf_reduce_spec exact = {WF_F64, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
    const std::vector<double> large = cancelling((size_t(75) << 20) / sizeof(double), 0x1p-1000);
    double result = 0;
    require(wf_reduce(context, &exact, large.data(), large.size(), &result, bytes_of_result(&exact)));
    assert_true(result == 0x1p-1000);

    cudaStream_t stream;
    require(cudaStreamCreate(&stream));
    for (const size_t pairs : {size_t(0), size_t(3), size_t(1000), size_t(500000)}) {
        const std::vector<double> values = cancelling(pairs, -0x1p-1074);
        double *in, *queued; // the latter pinned
        require(cudaMalloc(reinterpret_cast<void **>(&in), values.size() * sizeof *in));
        require(cudaMallocHost(reinterpret_cast<void **>(&queued), 2 * sizeof *queued));
        require(cudaMemcpy(in, values.data(), values.size() * sizeof *in, cudaMemcpyHostToDevice));
        cudaGraph_t graph;
        cudaGraphExec_t replayable;
        require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        require(wf_reduce_async(context, &exact, in, values.size(), &queued[0], bytes_of_result(&exact), stream));
        require(wf_reduce_async(context, &exact, in, pairs, &queued[1], bytes_of_result(&exact), stream));
        require(cudaStreamEndCapture(stream, &graph));
        require(cudaGraphInstantiate(&replayable, graph, 0));
        double half = 0;
        require(wf_reduce(context, &exact, values.data(), pairs, &half, bytes_of_result(&exact)));
        for (int replay = 0; replay < 20; replay++) {
            queued[0] = queued[1] = 7;
            require(cudaGraphLaunch(replayable, stream));
            require(wf_reduce(context, &exact, in, values.size(), &result, bytes_of_result(&exact))); // beside it
            require(cudaStreamSynchronize(stream));
            assert_true(result == -0x1p-1074 && queued[0] == result);
            assert_memory_equal(&queued[1], &half, sizeof half);
        }
        require(cudaGraphExecDestroy(replayable));
        require(cudaGraphDestroy(graph));
        wf_context_forget_stream(context, stream);
        require(cudaFree(in));
        require(cudaFreeHost(queued));
    }
    require(cudaStreamDestroy(stream));
}

// Threads with streams of their own, and blocking calls between, all with one context.
void test_threads(void **) {
    enum { THREADS = 8, ROUNDS = 300 };
    std::vector<std::thread> threads;
    std::vector<int> wrong(THREADS, 0);
    for (int t = 0; t < THREADS; t++)
        threads.emplace_back([&wrong, t] {
            cudaStream_t stream;
            const size_t n = 20000 + size_t(t) * 77777;
            const std::vector<int64_t> values = weights(n, t);
            int64_t *in, *queued, awaited = 0;
            bool right = cudaStreamCreate(&stream) == cudaSuccess &&
                         cudaMalloc(reinterpret_cast<void **>(&in), n * sizeof *in) == cudaSuccess &&
                         cudaMallocHost(reinterpret_cast<void **>(&queued), sizeof *queued) == cudaSuccess &&
                         cudaMemcpy(in, values.data(), n * sizeof *in, cudaMemcpyHostToDevice) == cudaSuccess;
            for (int round = 0; right && round < ROUNDS; round++) {
                *queued = 0;
                right = wf_reduce_async(context, &sum, in, n, queued, bytes_of_result(&sum), stream) == WF_OK &&
                        wf_reduce(context, &sum, in, n, &awaited, bytes_of_result(&sum)) == WF_OK &&
                        cudaStreamSynchronize(stream) == cudaSuccess && *queued == sum_of(values) && awaited == *queued;
            }
            wrong[size_t(t)] = !right;
            wf_context_forget_stream(context, stream);
            (void)cudaStreamDestroy(stream);
        });
    for (std::thread &thread : threads)
        thread.join();
    for (const int each : wrong)
        assert_int_equal(each, 0);
}

// A fold of host memory goes in parts, between which those of other threads run.
void test_parts_beside_others(void **) {
    const std::vector<int64_t> large = weights((size_t(150) << 20) / sizeof(int64_t) + 3, 7);
    const std::vector<int64_t> small = weights(500000, 9);
    device_array in(small);
    const wf_reduce_spec narrow = {WF_I32, WF_SUM, WF_ACCUMULATE_DEFAULT, WF_NAN_PROPAGATE, WF_ACCURACY_BEST};
    uint32_t halves = 0;
    for (const int64_t value : small)
        halves += uint32_t(uint64_t(value)) + uint32_t(uint64_t(value) >> 32);
    bool done = false, right = true;
    std::thread other([&] {
        while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
            uint32_t result = 0;
            right =
                right &&
                wf_reduce(context, &narrow, in.memory, 2 * small.size(), &result, bytes_of_result(&narrow)) == WF_OK &&
                result == halves;
        }
    });
    for (int round = 0; round < 20; round++) {
        int64_t result = 0;
        const wf_status status = wf_reduce(context, &sum, large.data(), large.size(), &result, bytes_of_result(&sum));
        right = right && status == WF_OK && result == sum_of(large);
    }
    __atomic_store_n(&done, true, __ATOMIC_RELEASE);
    other.join();
    assert_true(right);
}

// More streams than there are places: told, nothing lost, and given back.
void test_places(void **) {
    std::vector<cudaStream_t> streams(80);
    device_array in(weights(1000, 1));
    int64_t *result = static_cast<int64_t *>(in.memory) + in.count;
    wf_status status = WF_OK;
    for (cudaStream_t &stream : streams) {
        require(cudaStreamCreate(&stream));
        const wf_status here =
            wf_reduce_async(context, &sum, in.memory, in.count, result, bytes_of_result(&sum), stream);
        status = here != WF_OK ? here : status;
    }
    assert_int_equal(status, WF_OUT_OF_MEMORY);
    assert_non_null(std::strstr(wf_last_error(), "wf_context_forget_stream"));
    require(cudaDeviceSynchronize());
    for (const cudaStream_t stream : streams)
        wf_context_forget_stream(context, stream);
    require(wf_reduce_async(context, &sum, in.memory, in.count, result, bytes_of_result(&sum), streams.back()));
    require(cudaDeviceSynchronize());
    wf_context_forget_stream(context, streams.back());
    for (const cudaStream_t stream : streams)
        require(cudaStreamDestroy(stream));
}

// An error of the program's own calls is no business of wavefold's, and stays to be found.
void test_errors_of_the_program(void **) {
    device_array in(weights(1000, 1));
    int64_t result = 42;
    assert_int_not_equal(cudaSetDevice(9999), cudaSuccess);
    require(wf_reduce(context, &sum, in.memory, in.count, &result, bytes_of_result(&sum)));
    assert_int_equal(result, sum_of(weights(1000, 1)));
    assert_int_not_equal(cudaGetLastError(), cudaSuccess);
}

// A kernel that broke the device's context is reported, whoever launched it, and the result is untouched. This is the
// last test: nothing runs after it.
void test_broken_device(void **) {
    device_array in(weights(1000, 1));
    int64_t result = 42;
    void *nowhere = reinterpret_cast<void *>(uintptr_t(0x10000));
    require(wf_reduce_async(context, &sum, nowhere, 1000, in.memory, bytes_of_result(&sum), nullptr));
    for (int call = 0; call < 2; call++) {
        assert_int_equal(wf_reduce(context, &sum, in.memory, in.count, &result, bytes_of_result(&sum)),
                         WF_DEVICE_ERROR);
        assert_int_equal(result, 42);
    }
    assert_int_not_equal(cudaDeviceSynchronize(), cudaSuccess);
}

} // namespace

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "no CUDA device: skipped\n");
        return 77;
    }
    if (wf_context_create(&context, "nvidia:0") != WF_OK) {
        std::fprintf(stderr, "test_streams: %s\n", wf_last_error());
        return 1;
    }
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_of_every_kind),
        cmocka_unit_test(test_pieces_of_host_memory),
        cmocka_unit_test(test_replays),
        cmocka_unit_test(test_sums_of_results),
        cmocka_unit_test(test_captured_sorts),
        cmocka_unit_test(test_captured_rows),
        cmocka_unit_test(test_captured_by_key),
        cmocka_unit_test(test_waiting_for_other_streams),
        cmocka_unit_test(test_graphs_in_turn),
        cmocka_unit_test(test_exact_by_default),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_parts_beside_others),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_errors_of_the_program),
        cmocka_unit_test(test_broken_device),
    };
    const int failed = cmocka_run_group_tests(tests, nullptr, nullptr);
    wf_context_destroy(context);
    return failed;
}
