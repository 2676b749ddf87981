// The side of CUB in bench/scans_sorts.py: scans and radix sorts, in a shared library that Python loads, by wf_type.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <wavefold.h>

#include <cstdint>

namespace {

constexpr int unsupported = -1; // every other status is a cudaError_t

template <class T>
int scan(void *temporary, size_t *bytes, const void *in, void *out, uint64_t count, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(temporary, *bytes, static_cast<const T *>(in), static_cast<T *>(out), count,
                                         stream);
}

template <class T>
int sort(void *temporary, size_t *bytes, const void *keys, void *sorted, const void *values, void *moved,
         uint64_t count, cudaStream_t stream) {
    const auto *const from = static_cast<const T *>(keys);
    auto *const to = static_cast<T *>(sorted);
    if (values == nullptr)
        return cub::DeviceRadixSort::SortKeys(temporary, *bytes, from, to, count, 0, 8 * int(sizeof(T)), stream);
    return cub::DeviceRadixSort::SortPairs(temporary, *bytes, from, to, static_cast<const uint32_t *>(values),
                                           static_cast<uint32_t *>(moved), count, 0, 8 * int(sizeof(T)), stream);
}

} // namespace

extern "C" {

int bench_scan(int type, void *temporary, size_t *bytes, const void *in, void *out, uint64_t count, void *stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    switch (type) {
    case WF_F32:
        return scan<float>(temporary, bytes, in, out, count, on);
    case WF_F64:
        return scan<double>(temporary, bytes, in, out, count, on);
    case WF_I32:
        return scan<int32_t>(temporary, bytes, in, out, count, on);
    case WF_I64:
        return scan<int64_t>(temporary, bytes, in, out, count, on);
    default:
        return unsupported;
    }
}

// values: of 4 bytes; nullptr: keys alone.
int bench_sort(int type, void *temporary, size_t *bytes, const void *keys, void *sorted, const void *values,
               void *moved, uint64_t count, void *stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    switch (type) {
    case WF_F32:
        return sort<float>(temporary, bytes, keys, sorted, values, moved, count, on);
    case WF_U32:
        return sort<uint32_t>(temporary, bytes, keys, sorted, values, moved, count, on);
    case WF_U64:
        return sort<uint64_t>(temporary, bytes, keys, sorted, values, moved, count, on);
    case WF_U8:
        return sort<uint8_t>(temporary, bytes, keys, sorted, values, moved, count, on);
    case WF_U16:
        return sort<uint16_t>(temporary, bytes, keys, sorted, values, moved, count, on);
    default:
        return unsupported;
    }
}

int bench_cub_version() {
    return CUB_VERSION;
}
}
