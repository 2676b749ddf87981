// The side of TBB in bench/scans_sorts_cpu.py: the standard library's parallel scan and sort, in a shared library.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <numeric>

namespace {

template <class T>
void scan(const void *in, void *out, size_t count) {
    const auto *const from = static_cast<const T *>(in);
    std::inclusive_scan(std::execution::par_unseq, from, from + count, static_cast<T *>(out));
}

template <class T>
void sort(void *keys, size_t count) {
    std::stable_sort(std::execution::par_unseq, static_cast<T *>(keys), static_cast<T *>(keys) + count);
}

} // namespace

extern "C" {

void tbb_scan_f32(const void *in, void *out, size_t count) {
    scan<float>(in, out, count);
}
void tbb_scan_f64(const void *in, void *out, size_t count) {
    scan<double>(in, out, count);
}
void tbb_scan_i64(const void *in, void *out, size_t count) {
    scan<int64_t>(in, out, count);
}
void tbb_sort_f32(void *keys, size_t count) {
    sort<float>(keys, count);
}
void tbb_sort_f64(void *keys, size_t count) {
    sort<double>(keys, count);
}
void tbb_sort_u32(void *keys, size_t count) {
    sort<uint32_t>(keys, count);
}
}
