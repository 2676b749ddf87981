// look_back: one launch; each tile looks back at those before it.
//
// Idea:   a tile scans its elements in registers and publishes what they fold to. It folds what the tiles before it
//         have published, back to one whose inclusive value is there; then it publishes its own. Each element is read
//         once and written once. A tile that is kept waiting folds the late tile's elements itself (look_back.hpp).
// Limit:  memory; for small arrays the latency of a look back. How far a tile looks depends on timing, and with it
//         which partial results are folded first: sums of floats can differ from run to run, within the depth's bound.
// Beside: hillis_steele
// Change: the launches for the tiles' sums are gone. Tile memory holds a value per wave, not per element.
// Diff:   longer, because a tile also talks to the others, and its own scan goes by rows of lanes (wave_rows.hpp).
#include "../grid.hpp"
#include "../look_back/look_back.hpp"
#include "../look_back/wave_rows.hpp"
#include "../operators.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

template <class T, class Op, unsigned Width, unsigned Packs>
__global__ void __launch_bounds__(largest_tile)
    look_back(array_view<const T> source, array_view<T> result, array_view<uint64_t> tile_status_words,
              ticket_view ticket, bool exclusive, bool in_place, unsigned polls) {
    using cut = stretches<T, Width, Packs>;
    const tiled_index tidx;
    const tile_static<T> tile_data(tidx);
    const Op fold;
    const tile_status_array<T, Width> states(tile_status_words);
    const unsigned lane = lane_of<Width>(tidx), wave = wave_of<Width>(tidx), waves = tidx.tile_size / Width;

    const unsigned tile_cell = Width, ticket_cell = (Width + 1) * sizeof(T) / sizeof(unsigned);
    const unsigned tile = wave_uniform(draw_number(tidx, ticket, tile_static<unsigned>(tidx), ticket_cell));
    wave_rows<T, Op, Width, Packs> rows(tidx, source, size_t(tile) * waves + wave);
    const T total = rows.scan(tidx, exclusive, fold);
    if (lane == 0)
        tile_data[wave] = total;
    tidx.barrier.wait();

    if (wave == 0) {
        T totals[1] = {lane < waves ? T(tile_data[lane]) : Op::identity()};
        wave_scan<Width>(tidx, totals, fold);
        if (lane < waves)
            tile_data[lane] = totals[0];
        if (lane == waves - 1)
            states.publish(tile, tile_status::aggregate, totals[0]);
        const T before = fold_tiles_before<Width>(tidx, states, tile, polls, fold, [&](unsigned other) {
            return wave_fold_elements<Width>(tidx, source, cut(source).start(size_t(other) * waves),
                                             waves * cut::length, fold);
        });
        if (lane == waves - 1) {
            tile_data[tile_cell] = before;
            states.publish(tile, tile_status::inclusive, fold(before, tile_data[lane]));
        }
        if (in_place)
            device_fence(); // what was published, before any result replaces an element
    }
    tidx.barrier.wait();

    const T tile_before = tile_data[tile_cell];
    rows.store(result, wave == 0 ? tile_before : fold(tile_before, tile_data[wave - 1]), fold);
}

} // namespace wf
