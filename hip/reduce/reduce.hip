// wavefold: what wf_reduce runs, for every operator that commutes.
//
// Idea:   loads of 16 bytes at any byte offset, several in flight; elements are lifted into what the operator folds.
//         The tile that starts last waits for the others' values, folds them in the order of tiles, and finishes the
//         result (narrows it, divides a mean, notes an index).
// Limit:  memory; for small arrays the way of a load, of a value from tile to tile, and of the instructions.
// Change: last_block's type of elements, of partial results and of the result become three; its fence and its ticket,
//         which a tile draws when it is done, become a number that it draws while its elements are on the way.
//
// What it calls, in order, in the words of tile.hpp: tiled_index, tile_static (the tile's memory), array_view.
//
//   packed_array                                 the array as packs of 16 bytes and single elements (packed_array.hpp)
//   count_tile(ticket)                           adds 1; says what was there before (atomic.hpp)
//   thread_reduce<Op>                            a thread's accumulator (thread_reduce.hpp)
//   reduce_elements(tidx, source, mine)          gives it the elements that this thread takes (packed_array.hpp)
//   mine.result(source, thread)                  what they came to (thread_reduce.hpp)
//   tile_reduce<Width>(tidx, cells, value, op)   folds a value of each thread; thread 0 has the result (wave.hpp)
//   wait_for_earlier_kernels()                   until what was queued before is done (atomic.hpp)
//   let_next_kernel_start()                      what is queued behind may start (atomic.hpp)
//   publish(), load(), clear()                   of a value that another tile reads, with its status (tile_status.hpp)
//   let_others_run()                             a step of a loop that waits for another tile (atomic.hpp)
//   resolved(op, value, source, first)           what was found, with the array's indices in it (thread_reduce.hpp)
//   op(a, b), op.finish(total, count)            the fold of two values; the result of all (reduce_operators.hpp)
//   reduce_short(), reduce_waves()               reduce_elements and the end of tile_reduce, for an array of one tile
//   system_fence(), write_word_for_host()        order the result before the host's word, and write that (atomic.hpp)
#include "../atomic.hpp"
#include "../tile.hpp"
#include "../tile_status.hpp"
#include "../wave.hpp"
#include "packed_array.hpp"
#include "reduce_result.hpp"
#include "thread_reduce.hpp"

namespace wf {

// An array may be folded in several launches, one after the other.
struct reduce_part {
    uint64_t first; // the index of this part's first element
    uint64_t whole; // elements in all parts
    unsigned is_first, is_last;
};

// The fold of all, where it goes, and that it is there.
template <class Op, class Found>
__device__ __forceinline__ void finish_result(const Op &op, const Found &total, uint64_t count,
                                              const reduce_result<typename Op::result> &to) {
    array_view<typename Op::result>(to.result, 1)[0] = op.finish(total, count);
    if (to.word != nullptr) {
        system_fence();
        write_word_for_host(to.word, to.number);
    }
}

// A kernel's arguments are one: of several, each stands in its name and its notes, which are a fifth of an AMD module.
// What the first loads wait for comes first, and the ticket, which is needed as early, last: so the lines of 64 bytes
// that a processor reads for them are all on their way at once (docs/performance.md).
// Aligned: whether the elements are; a branch would have small folds fetch instructions for nothing.
template <class Op, bool Aligned>
struct reduce_arguments {
    launch_shape shape;
    unsigned is_alone; // one tile folds it all
    unsigned lets_next_start;
    packed_array<typename Op::element, Aligned> source;
    Op op;
    word_view tile_status_words; // zeros between launches
    word_view carry_words;       // the fold of the earlier parts, apart because other reductions may run in between
    reduce_part part;
    reduce_result<typename Op::result> to;
    ticket_view ticket; // 0 between launches
};

// Forward progress: when a tile draws the last number, all others have started, and none waits for another. That tiles
// which have started go on is what every GPU does.
template <class Op, unsigned Width, bool Aligned>
__global__ void WF_BOUNDS(largest_tile_of<Op>, (Aligned ? tiles_at_once_of<Op> * largest_tile_of<Op> : 0))
    reduce(reduce_arguments<Op, Aligned> given) {
    using value = decltype(Op::identity());
    const auto &[shape, is_alone, lets_next_start, source, op, tile_status_words, carry_words, part, to, ticket] =
        given;
    const tiled_index tidx(shape);
    const tile_static<value> tile_data(tidx); // a cell of each wave, and behind them the tile's number
    const tile_static<unsigned> tile_number(tidx);
    const unsigned number_cell = tidx.tile_size / Width * unsigned(sizeof(value) / sizeof(unsigned));
    const bool joins = is_alone == 0, leads = tidx.local == 0;

    wait_for_earlier_kernels();
    const unsigned number = joins && leads ? count_tile(ticket) : 0; // comes while the elements do
    thread_reduce<Op> mine(op);
    reduce_elements(tidx, source, mine);
    value total = mine.result(source, thread_of(tidx));
    if (leads)
        tile_number[number_cell] = number;
    total = tile_reduce<Width>(tidx, tile_data, total, op);

    if (joins) {
        const tile_status_array<value, Width> states(tile_status_words);
        if (leads)
            states.publish(tidx.tile, tile_status::aggregate, total);
        if (tile_number[number_cell] != tidx.tiles - 1)
            return;
        // The tile that drew the last number goes on. The others are about to end.
        if (lets_next_start != 0)
            let_next_kernel_start();
        tidx.barrier.wait(); // between two folds of the tile
        total = Op::identity();
        // All lanes of a wave, or none: lanes that left such a loop early cost 0.3 to 1 us.
        const unsigned lane = lane_of<Width>(tidx);
        for (unsigned first = tidx.local - lane; first < tidx.tiles; first += tidx.tile_size) {
            const bool has_tile = first + lane < tidx.tiles;
            value others = Op::identity();
            if (has_tile)
                while (states.load(first + lane, others) == tile_status::invalid)
                    let_others_run();
            wave_barrier();
            total = op(total, others);
            if (has_tile)
                states.clear(first + lane);
        }
        total = tile_reduce<Width>(tidx, tile_data, total, op);
    }
    if (!leads)
        return;
    found_of<Op> found = resolved(op, total, source, part.first);
    if (joins) {
        ticket[0] = 0;
        const tile_status_array<found_of<Op>, Width> carry(carry_words);
        found_of<Op> before;
        if (part.is_first == 0 && carry.load(0, before) != tile_status::invalid)
            found = op(before, found);
        if (part.is_last == 0) {
            carry.publish(0, tile_status::aggregate, found);
            return;
        }
    }
    finish_result(op, found, part.whole, to);
}

// They fill two lines of an NVIDIA GPU's. The second is read while the elements are on the way, for an operator that is
// needed for these. Else it must not have what is needed last alone: then the array goes there, and both are read at
// once.
template <class Op, bool IsForElements = needed_for_elements<Op>>
struct single_tile_arguments {
    packed_array<typename Op::element, true> source;
    Op op;
    reduce_result<typename Op::result> to;
};
template <class Op>
struct single_tile_arguments<Op, false> {
    reduce_result<typename Op::result> to;
    Op op;
    packed_array<typename Op::element, true> source;
};

template <class Op, unsigned Width, bool Cluster>
__device__ __forceinline__ void reduce_by_one_tile(const tiled_index &tidx, const single_tile_arguments<Op> &given) {
    const auto &source = given.source;
    const auto &op = given.op;
    const tile_static<decltype(Op::identity())> tile_data(tidx); // a cell of each wave
    // Which is better depends on the kernel (docs/experiments.md, "Kernels that start early").
    if constexpr (!Cluster)
        let_next_kernel_start();
    wait_for_earlier_kernels();
    if constexpr (Cluster)
        let_next_kernel_start();
    short_thread_reduce<Op, packed_array<typename Op::element, true>> mine(op, source);
    reduce_short<short_packs<Op>>(tidx, source, mine);
    auto total = wave_reduce<Width>(tidx, mine.result(source, tidx.local), op);
    if constexpr (Cluster)
        total = reduce_cluster_waves<Width>(tidx, tile_data, total, op);
    else if (tidx.tile_size > Width)
        total = reduce_waves<Width>(tidx, tile_data, total, op);
    if (tidx.local == 0)
        finish_result(op, mine.found(total), source.size(), given.to);
}

// The same for an array that one tile folds, in fewer instructions: small folds take as long as these take to be
// fetched. Operators that are seldom used do without it (short_packs).
template <class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile_of<Op>) reduce_single_tile(single_tile_arguments<Op> given) {
    reduce_by_one_tile<Op, Width, false>(tiled_index(), given);
}

// The same by a cluster tile: what waves have goes from processor to processor, with no tile's fold, no device
// memory and no ticket on the way.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile_of<Op>) reduce_cluster_tile(single_tile_arguments<Op> given) {
    if constexpr (can_cluster)
        reduce_by_one_tile<Op, Width, true>(tiled_index(over_cluster()), given);
}

// The result of no elements.
template <class Result>
__global__ void __launch_bounds__(largest_tile) reduce_none(Result of_none, array_view<Result> result) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[0] = of_none;
}

} // namespace wf
