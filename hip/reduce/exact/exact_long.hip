// exact_long: exact.hip for long arrays. Each thread copies its next packs to tile memory while it adds others, and so
// needs fewer registers for loads.
#include "grid_parts.hpp"
#include "thread_sum.hpp"

namespace wf {

template <class Policy>
__global__ void WF_BOUNDS(exact_long_tile, 3 * exact_long_tile) exact_long(const exact_arguments<Policy> arguments) {
    local_arguments<Policy> given = arguments;
    const tiled_index tidx(given.shape);
    const tile_memory<Policy> memory(tidx);
    wait_for_earlier_kernels();
    const typename Policy::window sample(tidx, given.source, false);
    exact_request want = given.want;
    reduce_result<void> to = given.to;
    const typename Policy::extra::operators operators(want, to.number);
    typename Policy::template accumulator<true> extra(tidx, given, want, operators, tile_memory<Policy>::bytes);
    extra.load_sample();
    const unsigned number = draw_tile_number(tidx, given.ticket);

    loads_ahead<Policy> loads(tidx, given.source,
                              Policy::extra::tile_bytes(tile_memory<Policy>::bytes, exact_long_tile));
    thread_sum<Policy, loads_ahead<Policy>> mine(tidx, memory, sample, kept_bits(given), loads, extra);
    mine.add_all();

    const bool leads = is_first_thread(tidx);
    if (leads)
        memory.put_word(number);
    exact_part part = tile_part(tidx, memory, mine.part(given, want.ignores_nan != 0), extra, want.words);
    if (join_tiles(tidx, memory, given, leads, extra, part))
        finish_grid<Policy>(tidx, want, to, leads, extra, part, mine.base());
}

} // namespace wf
