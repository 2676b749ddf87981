// exact: the sum of floats, rounded once.
//
// Idea:   each thread adds its terms to a window, a long integer of its own, which holds what most arrays have. What
//         lies outside goes to longer integers in the tile's memory. Integers add up to the same whatever the order.
// Limit:  memory; for small arrays the rounding comes on top.
// Change: wavefold's value of a tile becomes a window, and tiles that have more than that leave it in device memory.
//
// What it calls: next_packs.hpp (loads ahead), exact_terms.hpp (a thread's part), exact_columns.hpp and
// exact_tile_sum.hpp (the tile's), exact_finish.hpp, exact_short.hpp (what one tile takes at once), exact_beside.hpp
// (what else is folded of the same loads), and what wavefold does: packed_array.hpp, tile_status.hpp, wave.hpp,
// atomic.hpp.
#include "exact_beside.hpp"
#include "exact_short.hpp"
#include "exact_terms.hpp"
#include "next_packs.hpp"

#include "../tile_status.hpp"
#include "../wave.hpp"

namespace wf {

// By the tile's first wave: what its columns have goes to the words of the sum.
template <unsigned Width, class Columns>
__device__ WF_OUT_OF_LINE void spill(Columns columns, int64_t *words) {
    const tiled_index tidx;
    columns.template add_to<Width>(tidx, array_view<int64_t>(words, WF_SUM_WORDS));
    device_fence();
    wave_barrier();
    if (tidx.local == 0)
        device_fence(); // who sees what this thread publishes sees what the others have added
}

// Whether an element of this thread's share is not -0. Usually the first one tells.
template <class Terms, class Element, bool Aligned>
__device__ WF_OUT_OF_LINE bool has_others(const launch_shape shape, const packed_array<Element, Aligned> source,
                                          typename float_layout<Element>::bits keep, bool ignores_nan) {
    const tiled_index tidx(shape);
    const unsigned threads = tidx.tiles * tidx.tile_size, count = source.packs() + source.edges();
    bool others = false;
    for (unsigned p = thread_of(tidx); !others && p < count; p += threads) {
        element_pack<Element> again[1];
        load_some(source, p, threads, again);
        others = Terms::any_but_minus_zero(again[0], keep, ignores_nan);
    }
    return others;
}

template <unsigned Width>
using exact_states = tile_status_array<exact_value, Width, true>;

// What the tiles have published, each thread some of it. Lanes of a wave leave the loop together: what follows takes
// 0.5 us longer where they do not.
template <unsigned Width, class Beside>
__device__ __forceinline__ exact_part published_parts(const tiled_index &tidx, const exact_states<Width> &states,
                                                      Beside &beside) {
    constexpr uint32_t all_flags = exact_others | exact_spilled;
    // Loads that wait for each other take as many times as long, but those of more lie in the way.
    constexpr unsigned tiles_at_a_time = Beside::tiles_at_a_time;
    const unsigned lane = lane_of<Width>(tidx);
    exact_part part = {};
#pragma unroll 1
    for (unsigned first = tidx.local - lane; first < tidx.tiles; first += tiles_at_a_time * tidx.tile_size) {
        exact_value values[tiles_at_a_time];
        typename Beside::published others[tiles_at_a_time];
        bool is_there[tiles_at_a_time] = {};
        const auto load = [&](unsigned other, unsigned k) {
            const bool has_sum = states.load(other, values[k]) != tile_status::invalid;
            is_there[k] = beside.load(other, others[k]) && has_sum;
        };
#pragma unroll
        for (unsigned k = 0; k < tiles_at_a_time; k++)
            if (first + lane + k * tidx.tile_size < tidx.tiles)
                load(first + lane + k * tidx.tile_size, k);
#pragma unroll
        for (unsigned k = 0; k < tiles_at_a_time; k++) {
            const unsigned other = first + lane + k * tidx.tile_size;
            if (other >= tidx.tiles)
                break;
            while (!is_there[k]) {
                let_others_run();
                load(other, k);
            }
            part.flags |= values[k].words[0] & all_flags;
            values[k].words[0] &= ~all_flags;
            for (unsigned i = 0; i < exact_pieces; i++)
                part.pieces[i] += values[k].words[i];
            beside.join(others[k]);
            states.clear(other);
            beside.clear(other);
        }
        wave_barrier();
        carry(part.pieces);
    }
    return part;
}

// Variants: general; general with a fast path for arrays of one tile (short_tile); one cluster tile; long arrays, whose
// packs are copied ahead.
enum exact_arrays : unsigned { exact_any, exact_any_or_short, exact_cluster, exact_long_alone };

// By a cluster tile: what becomes of it, as its first wave knows.
template <unsigned Width, class Window, class Terms, class Element, bool Aligned, class Beside>
__device__ __forceinline__ short_outcome add_cluster(const packed_array<Element, Aligned> &source, Terms mine,
                                                     Beside &beside, typename float_layout<Element>::bits keep,
                                                     void *result) {
    const tiled_index tidx((over_cluster()));
    element_pack<Element> packs[loads_in_flight];
    load_some(source, tidx.local, tidx.tile_size, packs);
    if constexpr (Terms::takes_anywhere)
        return add_short<true, Width>(tidx, source, packs, tidx.local, tidx.tile_size, keep, beside, result);
    else
        return add_short_by_window<true, Width, Window>(tidx, source, packs, tidx.local, tidx.tile_size, mine,
                                                        tile_static<exact_part>(tidx), beside, result);
}

// The sum of a block's terms is 0, of which some are others than -0, or not. true, in its first wave: it is stored.
// Uses a cell for each wave.
template <class Element, unsigned Width>
__device__ __forceinline__ bool sign_zero(const tiled_index &tidx, const tile_static<unsigned> &cells, bool others,
                                          const exact_request &want, void *result) {
    const unsigned lane = lane_of<Width>(tidx);
    const uint64_t who = ballot<Width>(tidx, others);
    if (lane == 0)
        cells[wave_of<Width>(tidx)] = who != 0 ? 1 : 0;
    tidx.barrier.wait();
    if (wave_of<Width>(tidx) != 0)
        return false;
    const unsigned of_wave = lane < tidx.tile_size / Width ? unsigned(cells[lane]) : 0;
    others = ballot<Width>(tidx, of_wave != 0) != 0;
    const wf_float_format to = usual_format<Element>(want);
    if (lane == 0)
        store_sum(result, to, others ? 0 : uint64_t(1) << (to.digits + to.exponent_bits - 1));
    return true;
}

// Of a long array's tile a thread has packs in tile memory: so many threads at the most.
constexpr unsigned exact_long_tile = 256;

// What tiles share is as for reduce(), and what want.words points to: zeros between folds. On an H200 three tiles at
// once, of 256 threads with 80 registers, are faster than four with 64, and than two with 128. Arguments stand in the
// order in which they are needed; but the result's place, which is needed last, shares a line with the ticket.
template <class Element, bool Squares, bool InF64, unsigned Width, bool Aligned, class Beside, unsigned Arrays>
__global__ void WF_BOUNDS(Arrays == exact_long_alone ? exact_long_tile : Beside::largest_tile,
                          Arrays == exact_long_alone ? 3 * exact_long_tile
                          : Arrays == exact_cluster  ? Beside::largest_tile
                                                     : Beside::threads_at_once)
    exact(launch_shape shape, packed_array<Element, Aligned> source, typename float_layout<Element>::bits keep,
          ticket_view ticket, reduce_result<void> to, exact_request want, word_view tile_status_words,
          typename Beside::request besides) {
    using terms = exact_terms<Element, Squares, InF64, Width>;
    using columns = typename terms::columns;
    using window = window_sample<terms, Element, Width, Aligned>;
    if constexpr (Arrays == exact_cluster && !can_cluster)
        return;
    const tiled_index tidx(shape);
    constexpr bool ahead = Arrays == exact_long_alone;
    constexpr unsigned behind_waves = Beside::largest_tile / Width * unsigned(sizeof(exact_part) / 4);
    const tile_static<exact_part> tile_data(tidx); // a cell of each wave; behind them number, base, and columns
    const tile_static<unsigned> tile_number(tidx);
    const columns misfits(tidx, behind_waves + 2);
    const bool joins = tidx.tiles > 1;
    if (Arrays != exact_cluster && !joins) // as reduce_by_one_tile() in reduce.hip
        let_next_kernel_start();
    wait_for_earlier_kernels();
    if (Arrays == exact_cluster)
        let_next_kernel_start();
    const window sample(tidx, source, false); // before what it is needed for
    const typename Beside::operators operators(want, to.number);
    constexpr size_t tile_bytes = sizeof(unsigned) * (behind_waves + 2 + columns::cells);
    typename Beside::template part<Width, Aligned, ahead> beside(tidx, source, want, operators, besides,
                                                                 tile_status_words, tile_bytes);
    beside.sample();
    unsigned local = tidx.local;
    bool leads = local == 0;
    const unsigned number = joins && leads ? count_tile(ticket) : 0; // comes while the elements do
    constexpr unsigned in_flight = loads_in_flight, all_packs = terms::template all_of<in_flight>;
    const unsigned threads = tidx.tiles * tidx.tile_size, thread = thread_of(tidx), lane = lane_of<Width>(tidx);
    const auto tell_host = [&] {
        if (!Beside::ends_in_one_wave && to.word != nullptr) {
            if (lane == 0)
                system_fence(); // behind what this wave has stored: AMD's barriers need not wait for that
            tidx.barrier.wait();
        }
        if (leads && to.word != nullptr) {
            system_fence();
            write_word_for_host(to.word, to.number);
        }
    };
    if constexpr (Beside::keeps_all_bits)
        keep = typename float_layout<Element>::bits(~0ull);
    if constexpr (Arrays == exact_cluster) {
        short_outcome outcome = short_left;
        if (beside.may_be_short())
            outcome = add_cluster<Width, window>(source, terms(misfits, keep), beside, keep, to.result);
        if (tidx.tile != 0)
            return;
        // The rest is left to the first block. Its first wave is ready before the others know.
        if (outcome == short_stored)
            tell_host();
        wave_barrier();
        if (leads)
            tile_number[behind_waves] = outcome;
        tidx.barrier.wait();
        outcome = short_outcome(unsigned(tile_number[behind_waves]));
        if (outcome == short_stored)
            return;
        if (outcome == short_is_zero) {
            const bool others = has_others<terms>(shape, source, keep, false);
            if (sign_zero<Element, Width>(tidx, tile_number, others, want, to.result))
                tell_host();
            return;
        }
        beside.restart();
    }
    const unsigned count = source.packs() + source.edges();
    // What a wave takes at a time lies side by side: of an array that is read from memory that takes 1 to 3 % less.
    const bool in_runs = ahead || count >= in_flight * threads;
    unsigned step = in_runs ? Width : threads;
    opaque(step); // that it is the same in all lanes: AMD's scalar registers are not enough
    unsigned first = wave_uniform(in_runs ? (thread - lane) * in_flight : thread - lane); // the same in all its lanes
    element_pack<Element> packs[in_flight];
    load_some(source, first + lane, step, packs);
    // Behind the loads: what is fetched to go either way comes while they do.
    if constexpr (Arrays == exact_any_or_short) {
        if (beside.may_be_short() && short_tile<false>::holds(tidx, source)) {
            short_outcome outcome = short_left;
            if constexpr (terms::takes_anywhere)
                outcome = add_short<false, Width>(tidx, source, packs, first + lane, step, keep, beside, to.result);
            else
                outcome = add_short_by_window<false, Width, window>(tidx, source, packs, first + lane, step,
                                                                    terms(misfits, keep), tile_data, beside, to.result);
            if (outcome == short_stored)
                return tell_host();
            beside.restart();
        }
    }

    std::conditional_t<ahead, next_packs<Element, in_flight, exact_long_tile>, no_packs_ahead> next_ones(
        tidx, source, Beside::tile_bytes(tile_bytes, exact_long_tile));
    if constexpr (ahead)
        next_ones.start(first + in_flight * threads + lane, step);
    if (wave_of<Width>(tidx) == 0) {
        const int guess = sample.base(tidx);
        if (leads) {
            tile_number[behind_waves + 1] = unsigned(guess);
            misfits.begin();
        }
    }
    beside.begin();
    int base = 0;
    unsigned hopeless = 0; // so many groups more are not to be tried
    opaque(keep);          // as the step
    opaque(hopeless);
    terms mine(misfits, keep);
    const auto wait_for_base = [&] {
        tidx.barrier.wait();
        base = window::holds_all ? sample.base(tidx) : int(unsigned(tile_number[behind_waves + 1]));
        opaque(base);
        mine.put_window(base);
        beside.ready();
    };
    // While a first group is added in f64.
    constexpr bool waits_within = terms::takes_anywhere && !window::holds_all && !Beside::waits_for_sample;
    bool waits = waits_within;
    if constexpr (!waits_within)
        wait_for_base();
#pragma unroll 1
    do { // all threads, for the barrier, though some have nothing
        unsigned groups = 0;
#pragma unroll 1
        do {
            const unsigned taken = first + lane;
            const bool tries = hopeless == 0;
            unsigned left = all_packs;
            first += in_flight * threads;
            groups++;
            if (tries) {
                unsigned next = first + lane;
                // All packs of it. (Ahead a constant would need no capture, which clang tells.)
                bool has_next = !ahead && next + (in_flight - 1) * step < source.packs();
                beside.template take<terms::tells_elements>(packs, taken, step);
                mine.take(packs, beside, [&packs, &source, &next, has_next, step](unsigned p, auto &sum) {
                    sum.compute_before(next); // else all loads come first, and take registers of their own
                    if (has_next)
                        packs[p] = source.template load<words_behind<Element>>(next, p * step);
                });
                if (waits_within && waits) {
                    wait_for_base();
                    waits = false;
                }
                if (!ahead && first < count && !(terms::gives_back && has_next)) { // while what was taken is added
                    if constexpr (terms::gives_back)
                        load_some(source, next, step, packs);
                    else
                        load_more(source, next, step, packs);
                }
                left = mine.template add_taken<in_flight>();
            }
            if (__builtin_expect(ballot<Width>(tidx, !tries || left != 0 || beside.asks_again()) != 0, 0)) {
                // Those that were taken, out of a cache: registers are too few. (Ahead, those not tried are there.)
                if (!ahead || tries)
                    load_more(source, taken, step, packs);
                if (!tries)
                    beside.template take<terms::tells_elements>(packs, taken, step);
                beside.look_again(packs, taken, step);
                if (!tries || left != 0)
                    beside.take_again(packs, taken, step, tries || !terms::tells_elements);
                if (tries && left != 0)
                    left = mine.add_one_by_one(packs, left);
                // Where most lanes' groups do not fit, those that follow seldom do.
                constexpr unsigned before_next_try = 31;
                const uint64_t lanes_left = ballot<Width>(tidx, left != 0);
                hopeless = !tries ? hopeless - 1 : count_lanes(lanes_left) > Width / 2 ? before_next_try : 0;
                if (lanes_left != 0)
                    mine.add_to_columns(tidx, packs, left);
                if (!ahead && first < count && hopeless == 0)
                    load_more(source, first + lane, step, packs);
            }
            if constexpr (ahead) {
                if (first < count) {
                    next_ones.take(first + lane, step, packs);
                    next_ones.start(first + in_flight * threads + lane, step);
                }
            }
        } while (agrees<Width>(tidx, first < count && terms::template has_room<in_flight>(groups)));
        mine.make_room();
    } while (agrees<Width>(tidx, first < count));
    opaque(local); // as the step
    leads = local == 0;
    if (leads)
        tile_number[behind_waves] = number; // not before: that took as long as the elements
    exact_part part;
    const wide in_window = mine.sum();
    split(in_window, part.pieces);
    // NaN that are to be ignored are no other terms.
    bool others = (mine.spilled() && want.ignores_nan == 0) || !is_zero(in_window);
    if (__builtin_expect(!others, 0))
        others = has_others<terms>(shape, source, keep, want.ignores_nan != 0);
    part.flags = (mine.spilled() ? exact_spilled : 0u) | (others ? exact_others : 0u);
    beside.end();
    part = tile_sum<Width>(tidx, tile_data, part, beside, tidx.tile_size, false);

    // The first wave knows what the tile has.
    if (__builtin_expect(wave_of<Width>(tidx) == 0 && (part.flags & exact_spilled) != 0, 0))
        spill<Width>(misfits, want.words);
    if (joins) {
        const exact_states<Width> states(Beside::words_of_sums(tile_status_words, tidx.tiles));
        if (leads) {
            exact_value value;
            memcpy(value.words, part.pieces, sizeof value.words);
            value.words[0] |= part.flags;
            states.publish(tidx.tile, tile_status::aggregate, value);
        }
        beside.publish();
        if (tile_number[behind_waves] != tidx.tiles - 1)
            return;
        // The tile that drew the last number goes on. The others are about to end.
        if (want.lets_next_start != 0)
            let_next_kernel_start();
        if (leads)
            ticket[0] = 0;
        tidx.barrier.wait(); // between two folds of the tile
        part = published_parts<Width>(tidx, states, beside);
        if ((part.flags & exact_spilled) != 0)
            device_fence(); // the words of those tiles are there
        part = tile_sum<Width>(tidx, tile_data, part, beside, tidx.tiles, false);
    }
    if (Beside::ends_in_one_wave && wave_of<Width>(tidx) != 0)
        return;
    for (uint32_t &piece : part.pieces)
        opaque(piece); // as the base

    if (beside.finish(joined(part.pieces), part.flags, base, to.result)) {
        if (Beside::ends_in_one_wave && want.is_usual == 0 && to.word != nullptr) { // all lanes write a state
            system_fence();
            wave_barrier();
        }
        tell_host();
    }
}

} // namespace wf
