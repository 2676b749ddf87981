// wavefold: what wf_reduce runs, for every operator that commutes.
//
// Idea:   last_block with loads of 16 bytes at any byte offset, several in flight; elements are lifted into what the
//         operator folds, and the last tile finishes the result (narrows it, divides a mean, notes an index).
// Limit:  memory; for small arrays the way of a load, a fence and the ticket, and the fetching of instructions.
// Change: last_block's type of elements, of partial results and of the result become three; an array of one tile needs
//         no ticket.
#include "../gather.hpp"
#include "../grid.hpp"
#include "../share.hpp"
#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

// An array may be folded in several launches, one after the other.
struct fold_part {
    uint64_t first;    // the index of this part's first element
    uint64_t whole;    // elements in all parts
    unsigned is_alone; // one tile folds it all
    unsigned is_first, is_last;
};

// Where the result goes, and what tells the host that it is there: the number, in the word (null: nobody waits).
template <class Result>
struct fold_result {
    Result *result;
    uint64_t *word;
    uint64_t number;
};

// partials: what the parts before came to, and a value for each tile. Not for arrays of no elements.
template <class Op, unsigned Width>
__global__ void __launch_bounds__(largest_tile)
    fold(packed_array<typename Op::element> source, Op op, array_view<decltype(Op::identity())> partials,
         ticket_view ticket, fold_part part, fold_result<typename Op::result> to) {
    if (!wave_is<Width>())
        return;
    using value = decltype(Op::identity());
    const tiled_index tidx;
    const tile_static<value> tile_data(tidx);

    share<Op> mine(op);
    gather(tidx, source, mine);
    value total = tile_reduce<Width>(tidx, tile_data, moved(op, mine.total(source, thread_of(tidx)), part.first), op);
    if (part.is_alone == 0) {
        if (tidx.local == 0)
            partials[1 + tidx.tile] = total;
        if (!last_tile(tidx, ticket))
            return;
        total = Op::identity();
        for (unsigned i = tidx.local + part.is_first; i < 1 + tidx.tiles; i += tidx.tile_size)
            total = op(total, partials[i]);
        total = tile_reduce<Width>(tidx, tile_data, total, op);
        if (part.is_last == 0) {
            if (tidx.local == 0)
                partials[0] = total;
            return;
        }
    }
    if (tidx.local != 0)
        return;
    array_view<typename Op::result>(to.result, 1)[0] = op.finish(total, part.whole);
    if (to.word != nullptr) {
        system_fence();
        write_word(word_view(to.word, 1), 0, to.number);
    }
}

// The result of no elements.
template <class Result>
__global__ void __launch_bounds__(largest_tile) fold_none(Result of_none, array_view<Result> result) {
    const tiled_index tidx;
    if (tidx.local == 0)
        result[0] = of_none;
}

} // namespace wf
