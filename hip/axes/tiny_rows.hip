// Reductions along axes: rows of up to 16 bytes, one behind the other without gaps.
//
// Idea:   neighbouring lanes have neighbouring rows, each of which is one load, and several of them: results are stored
//         side by side.
// Limit:  memory; results are as many bytes as elements, or more.
#include "../atomic.hpp"
#include "axes_arguments.hpp"

namespace wf {

// The rows that one lane takes, each of this many bytes.
constexpr unsigned tiny_rows_of_a_lane(unsigned bytes) {
    return bytes < 8 ? 8 : 4;
}

// Length: elements of a row, a power of two. The address of each row is a multiple of its size.
template <class Op, unsigned Width, unsigned Length>
__device__ __forceinline__ void reduce_tiny_rows(const axes_arguments<Op> &given) {
    using element = typename Op::element;
    constexpr unsigned at_once = tiny_rows_of_a_lane(Length * sizeof(element));
    const tiled_index tidx;
    const uint64_t first = (given.first_tile + tidx.tile) * (axes_tile * at_once) + tidx.local;
    const int64_t result_stride = given.kept.length != 0 ? given.kept.axis[0].result_stride : 0;
    const auto row_of = [&](unsigned k) { return first + k * axes_tile; };
    const auto target_of = [&](unsigned k) -> row_target {
        return {true, given.result_origin + uint64_t(int64_t(row_of(k)) * result_stride), Length, 0};
    };

    wait_for_earlier_kernels();
    pack<element, Length> loaded[at_once] = {};
#pragma unroll
    for (unsigned k = 0; k < at_once; k++)
        if (row_of(k) < given.rows)
            loaded[k] = given.source.template load<Length>(given.origin + row_of(k) * Length);
    uint32_t lost = 0; // a bit for each row
#pragma unroll
    for (unsigned k = 0; k < at_once; k++) {
        if (row_of(k) >= given.rows)
            continue;
        auto total = Op::identity();
        given.op.add(total, loaded[k].element, 0, 1);
        bool is_lost = false;
        if constexpr (may_be_lost<Op>)
            is_lost = Op::is_lost(total);
        if (is_lost)
            lost |= 1u << k;
        else
            store_value(given, target_of(k), total);
    }
    if constexpr (may_be_lost<Op>) {
        for (unsigned k = 0; k < at_once; k++) {
            const bool is_lost = (lost >> k & 1) != 0;
            if (ballot<Width>(tidx, is_lost) == 0)
                continue;
            const auto each = [&](const auto &visit) {
                if (is_lost)
                    for (unsigned i = 0; i < Length; i++)
                        visit(element(given.source[given.origin + row_of(k) * Length + i]));
            };
            store_by_digits<Width>(tidx, given, 1, terms_of(given.op, each), target_of(k), is_lost);
        }
    }
}

template <class Op, unsigned Width, unsigned Length>
__device__ __forceinline__ void reduce_tiny_rows_of(const axes_arguments<Op> &given) {
    if (given.length == Length)
        return reduce_tiny_rows<Op, Width, Length>(given);
    if constexpr (Length > 1)
        reduce_tiny_rows_of<Op, Width, Length / 2>(given);
}

template <class Op, unsigned Width>
__global__ void __launch_bounds__(axes_tile) axes_tiny_rows(axes_arguments<Op> given) {
    reduce_tiny_rows_of<Op, Width, 16 / sizeof(typename Op::element)>(given);
}

} // namespace wf
