// three_fields: fold x, y and z together.
//
// Idea:   three folds that do not depend on each other are interleaved: while one shuffle is under way the next starts.
// Limit:  memory. Interleaving hides the latency of two waves' folds out of three, and only at the end of each tile.
// Beside: wave_two_pass
// Change: each tile leaves three results. three_fields_apart folds one field after the other, each as wave_two_pass
//         does; three_fields takes each of its steps for all three.
// Diff:   longer, because the file holds two kernels: lay the second beside wave_two_pass, then the first beside
//         the second.
// Fields: the array is taken as three of equal length, one behind the other. Up to two elements are left over, and go
//         to the last.
#include "../grid.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T>
__device__ __forceinline__ array_view<const T> field(const array_view<const T> &source, unsigned number) {
    const size_t length = source.size() / 3;
    return source.section(number * length, number < 2 ? length : source.size() - 2 * length);
}

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) three_fields(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

    T x = strided_fold<Loads>(tidx, field(source, 0), fold);
    T y = strided_fold<Loads>(tidx, field(source, 1), fold);
    T z = strided_fold<Loads>(tidx, field(source, 2), fold);
    wave_reduce_three<Width>(tidx, x, y, z, fold);

    const unsigned waves = tidx.tile_size / Width;
    const unsigned lane = lane_of<Width>(tidx);
    const unsigned wave = wave_of<Width>(tidx);
    if (lane == 0) {
        tile_data[wave] = x;
        tile_data[waves + wave] = y;
        tile_data[2 * waves + wave] = z;
    }
    tidx.barrier.wait();

    if (wave == 0) {
        x = lane < waves ? T(tile_data[lane]) : Op::identity();
        y = lane < waves ? T(tile_data[waves + lane]) : Op::identity();
        z = lane < waves ? T(tile_data[2 * waves + lane]) : Op::identity();
        wave_reduce_three<Width>(tidx, x, y, z, fold);
    }
    if (tidx.local == 0) {
        partials[tidx.tile * 3] = x;
        partials[tidx.tile * 3 + 1] = y;
        partials[tidx.tile * 3 + 2] = z;
    }
}

template <class T, class Op, unsigned Width, unsigned Loads>
__global__ void __launch_bounds__(largest_tile) three_fields_apart(array_view<const T> source, array_view<T> partials) {
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;

#pragma unroll 1 // three copies of the body would need more registers than there are
    for (unsigned number = 0; number < 3; number++) {
        T total = strided_fold<Loads>(tidx, field(source, number), fold);
        total = tile_reduce<Width>(tidx, tile_data, total, fold);
        if (tidx.local == 0)
            partials[tidx.tile * 3 + number] = total;
        tidx.barrier.wait(); // the next field uses the same cells
    }
}

} // namespace wf
