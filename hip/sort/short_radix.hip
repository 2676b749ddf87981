// short_radix: a radix sort within one tile, of all digits. Positions go along with the keys; values go once, in the
// end, as these say.
#include "../atomic.hpp"
#include "radix_count.hip"
#include "radix_tile.hpp"

namespace wf {

// Reads all values before it writes one: the two arrays may be the same.
template <class V, unsigned Rows, class Places>
__device__ __forceinline__ void gather_values(const tiled_index &tidx, const value_arrays &values,
                                              const uint32_t (&positions)[Rows], unsigned rows, const Places &place) {
    const array_view<V> target(static_cast<V *>(values.target), values.count);
    V moved[Rows];
#pragma unroll
    for (unsigned k = 0; k < Rows; k++)
        if (k < rows && place(k) < values.count)
            moved[k] = value_at<V>(values, positions[k]);
    tidx.barrier.wait();
#pragma unroll
    for (unsigned k = 0; k < Rows; k++)
        if (k < rows && place(k) < values.count)
            target[place(k)] = moved[k];
}

template <class U, unsigned Width>
__global__ void __launch_bounds__(radix_threads)
    short_radix(sort_source<U, no_value> source, sort_target<U, no_value> target, value_arrays values,
                radix_digits digits) {
    const tiled_index tidx;
    wait_for_earlier_kernels();
    constexpr unsigned most_rows = WF_RADIX_KEYS(sizeof(U));
    const unsigned rows = (unsigned(source.size()) + radix_threads - 1) / radix_threads;
    radix_tile<U, Width> keys(tidx);
    uint32_t positions[most_rows];

    keys.load(source, 0, rows);
#pragma unroll
    for (unsigned k = 0; k < most_rows; k++)
        positions[k] = keys.place(k, rows);
#pragma unroll 1
    for (unsigned d = 0; d < digits.count; d++) {
        keys.clear_counts();
        tidx.barrier.wait();
        keys.rank(digits[d], keys.count(digits[d], rows), rows);
        keys.place_keys(rows);
        tidx.barrier.wait();
        keys.take_back(positions, rows);
    }

#pragma unroll
    for (unsigned k = 0; k < most_rows; k++)
        if (k < rows && keys.place(k, rows) < target.size())
            target.store(keys.place(k, rows), {keys.key(k)});
    visit_value_word(values.bytes, [&](auto word) {
        gather_values<decltype(word)>(tidx, values, positions, rows, [&](unsigned k) { return keys.place(k, rows); });
    });
}

} // namespace wf
