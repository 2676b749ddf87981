// CUB's side of bench/shapes.py: reductions of rows of equal length by cub::DeviceSegmentedReduce, in a shared library
// that Python loads. Sums have wavefold's result types; sums of bf16 are accumulated in f32.
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda_bf16.h>
#include <wavefold.h>

#include <cstdint>
#include <type_traits>

namespace {

constexpr int unsupported = -1; // every other status is a cudaError_t

struct request {
    void *temporary; // nullptr: only temporary_bytes is written
    size_t &temporary_bytes;
    const void *in;
    void *out;
    int64_t rows;
    int columns;
    cudaStream_t stream;
};

template <class T>
const T *input(const request &rows) {
    return static_cast<const T *>(rows.in);
}

template <class Result>
Result *output(const request &rows) {
    return static_cast<Result *>(rows.out);
}

// Before CUB 3.1 every overload of Sum and ArgMax takes at least seven arguments.
template <class T, class = void>
struct has_fixed_sum : std::false_type {};
template <class T>
struct has_fixed_sum<T, std::void_t<decltype(cub::DeviceSegmentedReduce::Sum(
                            std::declval<void *>(), std::declval<size_t &>(), std::declval<const T *>(),
                            std::declval<T *>(), int64_t(), int()))>> : std::true_type {};

template <class T, class = void>
struct has_fixed_argmax : std::false_type {};
template <class T>
struct has_fixed_argmax<T, std::void_t<decltype(cub::DeviceSegmentedReduce::ArgMax(
                               std::declval<void *>(), std::declval<size_t &>(), std::declval<const T *>(),
                               std::declval<cuda::std::pair<int, T> *>(), int64_t(), int()))>> : std::true_type {};

struct first_of_row {
    int columns;
    __host__ __device__ int operator()(int row) const { return row * columns; }
};

// Offsets are computed, not read: no traffic of CUB's side but the elements.
auto offsets(const request &rows) {
    return thrust::make_transform_iterator(thrust::make_counting_iterator(0), first_of_row{rows.columns});
}

template <class T, class Result, class Op, class Init>
int reduce(bool is_fixed, const request &rows, Op op, Init init) {
    if (!is_fixed)
        return cub::DeviceSegmentedReduce::Reduce(rows.temporary, rows.temporary_bytes, input<T>(rows),
                                                  output<Result>(rows), rows.rows, offsets(rows), offsets(rows) + 1, op,
                                                  init, rows.stream);
    if constexpr (has_fixed_sum<T>::value)
        return cub::DeviceSegmentedReduce::Reduce(rows.temporary, rows.temporary_bytes, input<T>(rows),
                                                  output<Result>(rows), rows.rows, rows.columns, op, init, rows.stream);
    return unsupported;
}

template <class T, class Result, class Accumulator>
int sum(bool is_fixed, const request &rows) {
    using plus = cuda::std::plus<std::conditional_t<std::is_same_v<T, Accumulator>, void, Accumulator>>;
    return reduce<T, Result>(is_fixed, rows, plus(), Accumulator(0));
}

template <class T>
int max(bool is_fixed, const request &rows) {
    return reduce<T, T>(is_fixed, rows, cuda::maximum<>(), cuda::std::numeric_limits<T>::lowest());
}

template <class T>
int argmax(bool is_fixed, const request &rows) {
    if (!is_fixed)
        return cub::DeviceSegmentedReduce::ArgMax(rows.temporary, rows.temporary_bytes, input<T>(rows),
                                                  output<cub::KeyValuePair<int, T>>(rows), rows.rows, offsets(rows),
                                                  offsets(rows) + 1, rows.stream);
    if constexpr (has_fixed_argmax<T>::value)
        return cub::DeviceSegmentedReduce::ArgMax(rows.temporary, rows.temporary_bytes, input<T>(rows),
                                                  output<cuda::std::pair<int, T>>(rows), rows.rows, rows.columns,
                                                  rows.stream);
    return unsupported;
}

template <class T, class Result, class Accumulator>
int reduce_by(wf_op op, bool is_fixed, const request &rows) {
    switch (op) {
    case WF_SUM:
        return sum<T, Result, Accumulator>(is_fixed, rows);
    case WF_MAX:
        return max<T>(is_fixed, rows);
    case WF_ARGMAX:
        return argmax<T>(is_fixed, rows);
    default:
        return unsupported;
    }
}

template <class T>
constexpr size_t bytes_of_argmax() {
    static_assert(sizeof(cub::KeyValuePair<int, T>) == sizeof(cuda::std::pair<int, T>), "Python reads both alike");
    return sizeof(cub::KeyValuePair<int, T>);
}

} // namespace

extern "C" {

unsigned bench_shapes_cub_version() {
    return CUB_VERSION;
}

const char *bench_shapes_error(int status) {
    return status == unsupported ? "this CUB has no such reduction" : cudaGetErrorString(cudaError_t(status));
}

// Of one result of argmax: a 32-bit index, then the value.
size_t bench_shapes_argmax_bytes(wf_type type) {
    switch (type) {
    case WF_F32:
        return bytes_of_argmax<float>();
    case WF_F64:
        return bytes_of_argmax<double>();
    case WF_BF16:
        return bytes_of_argmax<__nv_bfloat16>();
    case WF_I32:
        return bytes_of_argmax<int32_t>();
    case WF_U8:
        return bytes_of_argmax<uint8_t>();
    default:
        return 0;
    }
}

// Queues a reduction of every row. is_fixed: CUB gets the length of a row, else offsets. temporary == NULL: reports
// *temporary_bytes and queues nothing. Counts of elements have 32 bits, with which CUB is fastest.
int bench_shapes_reduce_rows(wf_op op, wf_type type, int is_fixed, void *temporary, size_t *temporary_bytes,
                             const void *in, void *out, int64_t rows, int64_t columns, cudaStream_t stream) {
    if (columns > 0 && rows > INT32_MAX / columns)
        return unsupported;
    const request request = {temporary, *temporary_bytes, in, out, rows, int(columns), stream};
    switch (type) {
    case WF_F32:
        return reduce_by<float, float, float>(op, is_fixed != 0, request);
    case WF_F64:
        return reduce_by<double, double, double>(op, is_fixed != 0, request);
    case WF_BF16:
        return reduce_by<__nv_bfloat16, __nv_bfloat16, float>(op, is_fixed != 0, request);
    case WF_I32:
        return reduce_by<int32_t, int32_t, int32_t>(op, is_fixed != 0, request);
    case WF_U8:
        return reduce_by<uint8_t, uint64_t, uint64_t>(op, is_fixed != 0, request);
    default:
        return unsupported;
    }
}
}
