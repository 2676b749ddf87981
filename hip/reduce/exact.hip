// exact: the sum of floats, rounded once.
//
// Idea:   each thread adds its terms to a window, a long integer of its own, which holds what most arrays have. What
//         lies outside goes to longer integers in the tile's memory. Integers add up to the same whatever the order.
// Limit:  memory; for small arrays the rounding comes on top.
// Change: wavefold's value of a tile becomes a window, and tiles that have more than that leave it in device memory.
//
// What it calls: exact_terms.hpp (a thread's part), exact_columns.hpp (the tile's), exact_finish.hpp, exact_short.hpp
// (what one tile takes at once), and what wavefold does: packed_array.hpp, tile_status.hpp, wave.hpp, atomic.hpp.
#include "exact_finish.hpp"
#include "exact_short.hpp"
#include "exact_terms.hpp"

#include "../tile_status.hpp"
#include "../wave.hpp"

namespace wf {

// Adds up what the threads have, into carried pieces; every lane of the tile's first wave has that. Uses a cell of each
// wave. A barrier must lie between two calls.
template <unsigned Width>
__device__ __forceinline__ exact_part tile_sum(const tiled_index &tidx, const tile_static<exact_part> &tile_data,
                                               exact_part part) {
    const auto add_up = [&tidx, &part]() {
        wave_sum<Width>(tidx, part.pieces);
        part.flags = (ballot<Width>(tidx, (part.flags & exact_others) != 0) != 0 ? exact_others : 0u) |
                     (ballot<Width>(tidx, (part.flags & exact_spilled) != 0) != 0 ? exact_spilled : 0u);
    };
    add_up();
    if (lane_of<Width>(tidx) == 0)
        tile_data[wave_of<Width>(tidx)] = part;
    tidx.barrier.wait();
    if (wave_of<Width>(tidx) == 0) {
        part = tidx.local < tidx.tile_size / Width ? exact_part(tile_data[tidx.local]) : exact_part{};
        carry(part.pieces);
        add_up();
        carry(part.pieces);
    }
    return part;
}

// What tiles share is as for reduce(), and what want.words points to: zeros between folds. On an H200 three tiles at
// once, which leaves 80 registers for a thread, are faster than four with 64, and than two with 128.
template <class Element, bool Squares, bool InF64, unsigned Width, bool Aligned>
__global__ void WF_BOUNDS(WF_EXACT_TILE, 3)
    exact(packed_array<Element, Aligned> source, typename float_layout<Element>::bits keep, exact_request want,
          word_view tile_status_words, ticket_view ticket, reduce_result<void> to) {
    using terms = exact_terms<Element, Squares, InF64>;
    using columns = typename terms::columns;
    const tiled_index tidx;
    constexpr unsigned behind_waves = WF_EXACT_TILE / Width * unsigned(sizeof(exact_part) / 4);
    const tile_static<exact_part> tile_data(tidx); // a cell of each wave; behind them number, base, and columns
    const tile_static<unsigned> tile_number(tidx);
    const columns misfits(tidx, behind_waves + 2);
    const bool joins = tidx.tiles > 1, leads = tidx.local == 0;
    const unsigned number = joins && leads ? count_up(ticket) : 0;
    const auto tell_host = [&] {
        if (leads && to.word != nullptr) {
            system_fence();
            write_word_for_host(to.word, to.number);
        }
    };

    // Told as seldom, so that it stands at the kernel's end: longer sums do not fetch it on their way.
    if constexpr (InF64 && sizeof(Element) < 8)
        if (__builtin_expect(want.is_usual != 0 && is_short(tidx, source), 0) &&
            add_short<terms, Width>(tidx, source, keep, want, to.result))
            return tell_host();

    constexpr unsigned in_flight = loads_in_flight, all_packs = terms::template all_of<in_flight>;
    const unsigned threads = tidx.tiles * tidx.tile_size, thread = thread_of(tidx), lane = lane_of<Width>(tidx);
    const unsigned count = source.packs() + source.edges();
    const window_sample<terms, Element, Width, Aligned> sample(tidx, source); // before what it is needed for
    // Packs that lie across aligned addresses follow each other in a wave, as in reduce_packs().
    const bool in_runs = !Aligned && count >= in_flight * threads;
    const unsigned step = in_runs ? Width : threads;
    unsigned first = wave_uniform(in_runs ? (thread - lane) * in_flight : thread - lane); // the same in all its lanes
    element_pack<Element> packs[in_flight];
    load_some(source, first + lane, step, packs);
    if (wave_of<Width>(tidx) == 0) {
        const int guess = sample.base(tidx);
        if (leads) {
            tile_number[behind_waves + 1] = unsigned(guess);
            misfits.begin();
        }
    }
    tidx.barrier.wait();
    int base = int(unsigned(tile_number[behind_waves + 1]));
    unsigned hopeless = 0; // so many groups more are not to be tried
    // That these are the same in all lanes: AMD's scalar registers are not enough.
    hide_origin(base);
    hide_origin(keep);
    hide_origin(hopeless);
    terms mine(misfits, keep, base);
    while (first < count) {
        const unsigned taken = first + lane;
        const bool tries = hopeless == 0;
        unsigned left = all_packs;
        first += in_flight * threads;
        if (tries) {
            mine.take(packs);
            if (first < count)
                load_some(source, first + lane, step, packs); // while what was taken is added
            left = mine.template add_taken<in_flight>();
        }
        if (__builtin_expect(ballot<Width>(tidx, !tries || left != 0) != 0, 0)) {
            load_some(source, taken, step, packs); // those that were taken out of a cache: registers are too few
            if (tries && left != 0)
                left = mine.add_one_by_one(packs, left);
            // Where most lanes' groups do not fit, those that follow seldom do.
            constexpr unsigned before_next_try = 31;
            const uint64_t lanes_left = ballot<Width>(tidx, left != 0);
            hopeless = !tries ? hopeless - 1 : count_lanes(lanes_left) > Width / 2 ? before_next_try : 0;
            if (lanes_left != 0)
                mine.template add_to_columns<Width>(tidx, packs, left);
            if (first < count && hopeless == 0)
                load_some(source, first + lane, step, packs);
        }
    }
    if (leads)
        tile_number[behind_waves] = number; // not before: that took as long as the elements
    exact_part part;
    const wide in_window = mine.sum();
    split(in_window, part.pieces);
    // NaN that are to be ignored are no other terms.
    bool others = (mine.spilled() && want.ignores_nan == 0) || !is_zero(in_window);
    for (unsigned p = thread; !others && p < count; p += threads) { // the first element tells, unless it is -0
        element_pack<Element> again[1];
        load_some(source, p, threads, again);
        others = mine.any_but_minus_zero(again[0], want.ignores_nan != 0);
    }
    part.flags = (mine.spilled() ? exact_spilled : 0u) | (others ? exact_others : 0u);
    part = tile_sum<Width>(tidx, tile_data, part);

    // The first wave knows what the tile has.
    if (__builtin_expect(wave_of<Width>(tidx) == 0 && (part.flags & exact_spilled) != 0, 0)) {
        misfits.template add_to<Width>(tidx, array_view<int64_t>(want.words, WF_SUM_WORDS));
        device_fence();
        wave_barrier();
        if (leads)
            device_fence(); // who sees what this thread publishes sees what the others have added
    }
    if (joins) {
        const tile_status_array<exact_value, true> states(tile_status_words);
        if (leads) {
            exact_value value;
            memcpy(value.words, part.pieces, sizeof value.words);
            value.words[0] |= part.flags;
            states.publish(tidx.tile, tile_status::aggregate, value);
        }
        if (tile_number[behind_waves] != tidx.tiles - 1)
            return;
        // The tile that drew the last number goes on.
        if (leads)
            ticket[0] = 0;
        tidx.barrier.wait(); // between two folds of the tile
        part = {};
        constexpr unsigned at_a_time = 4; // loads that wait for each other would take as many times as long
#pragma unroll 1
        for (unsigned t = tidx.local; t < tidx.tiles; t += at_a_time * tidx.tile_size) {
            exact_value values[at_a_time];
            tile_status status[at_a_time] = {};
#pragma unroll
            for (unsigned k = 0; k < at_a_time; k++)
                if (t + k * tidx.tile_size < tidx.tiles)
                    status[k] = states.load(t + k * tidx.tile_size, values[k]);
#pragma unroll
            for (unsigned k = 0; k < at_a_time; k++) {
                const unsigned other = t + k * tidx.tile_size;
                if (other >= tidx.tiles)
                    break;
                while (status[k] == tile_status::invalid) {
                    let_others_run();
                    status[k] = states.load(other, values[k]);
                }
                constexpr uint32_t all_flags = exact_others | exact_spilled;
                part.flags |= values[k].words[0] & all_flags;
                values[k].words[0] &= ~all_flags;
                for (unsigned i = 0; i < exact_pieces; i++)
                    part.pieces[i] += values[k].words[i];
                states.clear(other);
            }
            carry(part.pieces);
        }
        if ((part.flags & exact_spilled) != 0)
            device_fence(); // the words of those tiles are there
        part = tile_sum<Width>(tidx, tile_data, part);
    }
    if (wave_of<Width>(tidx) != 0)
        return;
    for (uint32_t &piece : part.pieces)
        hide_origin(piece); // as the base

    const tile_static<int64_t> words(tidx); // in place of the columns
    if (finish_exact_sum<Element, Width>(tidx, want, joined(part.pieces), part.flags, base, words, misfits.first_cell(),
                                         to.result)) {
        if (want.is_usual == 0 && to.word != nullptr) { // all lanes write a state
            system_fence();
            wave_barrier();
        }
        tell_host();
    }
}

} // namespace wf
