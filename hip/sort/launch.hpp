// Launches of sorts: wf_sort, and the rungs that sort. U is the word of the keys, V that of the values.
#ifndef WAVEFOLD_SORT_LAUNCH_HPP
#define WAVEFOLD_SORT_LAUNCH_HPP

#include "progression/30_bitonic.hip"
#include "progression/31_bitonic_registers.hip"
#include "progression/37_radix.hip"
#include "sort/rank_rows.hip"
#include "sort/request.h"
#include "sort/row_order.hip"
#include "sort/short_radix.hip"
#include "visit.hpp"

namespace wf {

template <class U, class V, class Launch>
void launch_sort(const wf_sort_request &what, const Launch &launch) {
    const size_t n = what.count;
    const key_order<U> order = key_order_of<U>(what.type, what.descending != 0);
    const sort_source<U, V> source = {{static_cast<const U *>(what.source_keys), n},
                                      {static_cast<const V *>(what.source_values), what.source_values ? n : 0},
                                      order,
                                      what.is_first == 0};
    const sort_target<U, V> target = {{static_cast<U *>(what.keys), n},
                                      {static_cast<V *>(what.values), what.values ? n : 0},
                                      order,
                                      what.is_last == 0};
    const sort_pass pass = {what.first_tile, what.block, what.stride};
    launch(source, target, pass);
}

// Two records of each thread in tile memory.
template <class U, class V, auto Kernel, class Queue>
void launch_bitonic(const wf_sort_request &what, Queue queue) {
    const wf_launch_head &head = what.head;
    launch_sort<U, V>(what, [&](auto... arguments) {
        launch_on(queue, Kernel, head.tiles, head.tile_size, 2 * head.tile_size * sizeof(record<U, V>), arguments...);
    });
}

template <class Record>
constexpr unsigned register_tile_bits = WF_REGISTER_TILE_BITS(sizeof(Record));

template <class U, class V, auto Kernel, class Queue>
void launch_bitonic_registers(const wf_sort_request &what, Queue queue) {
    using tile = register_tile<record<U, V>, register_tile_bits<record<U, V>>>;
    static_assert(register_bits == WF_REGISTER_BITS, "what the library launches");
    launch_sort<U, V>(what, [&](auto... arguments) {
        launch_early_on(queue, Kernel, what.head.tiles, what.head.tile_size, tile::bytes, arguments...);
    });
}

inline radix_digits digits_of(const wf_sort_request &what) {
    return {what.begin_bit, what.end_bit, what.digit_bits, what.passes};
}

// Elements of the target.
inline size_t results_of(const wf_sort_request &what) {
    return what.result_count != 0 ? what.result_count : what.count;
}

inline value_arrays values_of(const wf_sort_request &what) {
    return {what.source_values, what.values, size_t(what.count), results_of(what), what.value_bytes};
}

template <class U>
sort_source<U, no_value> keys_from(const wf_sort_request &what) {
    return {{static_cast<const U *>(what.source_keys), what.count},
            {nullptr, 0},
            key_order_of<U>(what.type, what.descending != 0),
            what.is_first == 0};
}

template <class U>
sort_target<U, no_value> keys_to(const wf_sort_request &what) {
    return {{static_cast<U *>(what.keys), what.keys ? results_of(what) : 0},
            {nullptr, 0},
            key_order_of<U>(what.type, what.descending != 0),
            what.is_last == 0};
}

template <class U, class Queue>
void launch_radix_count(const wf_sort_request &what, Queue queue) {
    const size_t words = what.passes * digit_values;
    launch_on(queue, what.head.wave_width == narrow_wave ? radix_count<U, narrow_wave> : radix_count<U, wide_wave>,
              what.head.tiles, what.head.tile_size, words * sizeof(uint32_t),
              array_view<const U>(static_cast<const U *>(what.source_keys), what.count),
              key_order_of<U>(what.type, what.descending != 0), digits_of(what),
              array_view<int64_t>(static_cast<int64_t *>(what.counts), words),
              array_view<uint64_t>(static_cast<uint64_t *>(what.starts), words),
              ticket_view(static_cast<unsigned *>(what.ticket), 1));
}

template <class U, bool HasValues, class Queue>
void launch_radix(const wf_sort_request &what, Queue queue) {
    const bool is_narrow = what.head.wave_width == narrow_wave;
    const radix_pass pass = {digits_of(what)[what.number],
                             what.number,
                             unsigned(what.first_tile),
                             unsigned(what.first_tile) + what.head.tiles - 1,
                             what.polls,
                             {static_cast<const uint64_t *>(what.starts), digit_values},
                             {static_cast<uint64_t *>(what.next_starts), digit_values},
                             {static_cast<uint64_t *>(what.tile_status), what.tile_status_words},
                             {static_cast<unsigned *>(what.ticket), 1}};
    launch_early_on(queue, is_narrow ? radix<U, HasValues, narrow_wave> : radix<U, HasValues, wide_wave>,
                    what.head.tiles, what.head.tile_size,
                    is_narrow ? radix_memory<U, narrow_wave>::bytes : radix_memory<U, wide_wave>::bytes,
                    keys_from<U>(what), keys_to<U>(what), values_of(what), pass);
}

inline row_list rows_of(const wf_sort_request &what) {
    const wf_row_list &list = what.list;
    return {list.offsets,     list.offset_bytes == 8 ? 1u : 0u,
            list.rows,        list.stride,
            list.length,      list.parts,
            list.part_length, list.kept,
            list.shortest,    list.longest};
}

template <class U, bool HasValues, class Queue>
void launch_short_radix(const wf_sort_request &what, Queue queue) {
    using word = std::conditional_t<sizeof(U) <= 2, uint32_t, U>; // see short_radix
    const bool is_narrow = what.head.wave_width == narrow_wave;
    launch_early_on(queue, is_narrow ? short_radix<U, HasValues, narrow_wave> : short_radix<U, HasValues, wide_wave>,
                    what.head.tiles, what.head.tile_size,
                    is_narrow ? radix_memory<word, narrow_wave>::bytes : radix_memory<word, wide_wave>::bytes,
                    keys_from<U>(what), keys_to<U>(what), values_of(what), digits_of(what), rows_of(what),
                    size_t(what.first_tile));
}

template <class U, class Queue>
void launch_rank(const wf_sort_request &what, Queue queue) {
    const compared_bits<U> bits = {what.begin_bit, U(U(~U(0)) >> (8 * sizeof(U) - (what.end_bit - what.begin_bit)))};
    launch_early_on(queue, what.head.wave_width == narrow_wave ? rank_rows<U, narrow_wave> : rank_rows<U, wide_wave>,
                    what.head.tiles, what.head.tile_size, 0, keys_from<U>(what), keys_to<U>(what), values_of(what),
                    bits, rows_of(what), size_t(what.first_tile) * (rank_threads / what.lanes), what.lanes);
}

template <class Order>
array_view<const Order> order_of(const wf_sort_request &what) {
    return {static_cast<const Order *>(what.order), what.order ? what.count : 0};
}

template <class Order, class Queue>
void launch_number(const wf_sort_request &what, Queue queue) {
    launch_on(queue, number_rows<Order>, what.head.tiles, what.head.tile_size, 0, order_of<Order>(what),
              array_view<Order>(static_cast<Order *>(what.keys), what.count), rows_of(what));
}

template <class Order, class Queue>
void launch_move(const wf_sort_request &what, Queue queue) {
    launch_on(queue, move_values<Order>, what.head.tiles, what.head.tile_size, 0, order_of<Order>(what),
              values_of(what), rows_of(what));
}

template <class Queue>
void launch_longest(const wf_sort_request &what, Queue queue) {
    const bool is_narrow = what.head.wave_width == narrow_wave;
    launch_on(queue, is_narrow ? longest_segment<narrow_wave> : longest_segment<wide_wave>, what.head.tiles,
              what.head.tile_size, what.head.tile_size * sizeof(int64_t),
              array_view<int64_t>(static_cast<int64_t *>(what.keys), 1), rows_of(what));
}

template <class Queue>
using sort_launcher = void (*)(const wf_sort_request &, Queue);

// Numbers of elements have 4 or 8 bytes.
template <class Order, class Queue>
sort_launcher<Queue> order_launcher_of(wf_sort_pass pass) {
    switch (pass) {
    case WF_SORT_NUMBER:
        return &launch_number<Order, Queue>;
    case WF_SORT_MOVE:
        return &launch_move<Order, Queue>;
    case WF_SORT_LONGEST:
        if constexpr (sizeof(Order) == 8)
            return &launch_longest<Queue>;
        break;
    default:
        break;
    }
    return nullptr;
}

// Null for the passes of networks.
template <class U, class Queue>
sort_launcher<Queue> radix_launcher_of(const wf_sort_request &what) {
    switch (what.pass) {
    case WF_SORT_RADIX_COUNT:
        return &launch_radix_count<U, Queue>;
    case WF_SORT_RADIX:
        return what.value_bytes == 0 ? &launch_radix<U, false, Queue> : &launch_radix<U, true, Queue>;
    case WF_SORT_RADIX_SHORT:
        if constexpr (sizeof(U) > 2) // shorter keys share words with their places
            if (what.value_bytes == 0 && what.list.kept == 0)
                return &launch_short_radix<U, false, Queue>;
        return &launch_short_radix<U, true, Queue>;
    case WF_SORT_RANK:
        return &launch_rank<U, Queue>;
    default:
        if constexpr (sizeof(U) >= 4)
            return order_launcher_of<U, Queue>(what.pass);
        return nullptr;
    }
}

template <class U, class V, class Queue>
sort_launcher<Queue> sort_launcher_of_pass(wf_sort_pass pass) {
    constexpr unsigned bits = register_tile_bits<record<U, V>>;
    constexpr bool has_network = sizeof(V) <= sizeof(uint32_t); // in tile memory, for the ladder alone
    switch (pass) {
    case WF_SORT_TILE:
        if constexpr (has_network)
            return &launch_bitonic<U, V, bitonic_tile<U, V>, Queue>;
        break;
    case WF_SORT_STEP:
        if constexpr (has_network)
            return &launch_bitonic<U, V, bitonic_step<U, V>, Queue>;
        break;
    case WF_SORT_REGISTERS_SORT:
        return &launch_bitonic_registers<U, V, bitonic_registers_sort<U, V, bits, 1>, Queue>;
    case WF_SORT_REGISTERS_MERGE:
        return &launch_bitonic_registers<U, V, bitonic_registers_merge<U, V, bits, 1>, Queue>;
    case WF_SORT_REGISTERS_ACROSS_4:
        return &launch_bitonic_registers<U, V, bitonic_registers_across<U, V, bits, 1>, Queue>;
    case WF_SORT_REGISTERS_ACROSS_8:
        return &launch_bitonic_registers<U, V, bitonic_registers_across<U, V, bits, 2>, Queue>;
    default:
        return nullptr;
    }
    return nullptr;
}

template <class U, class Queue>
sort_launcher<Queue> network_launcher_of(const wf_sort_request &what) {
    switch (what.value_bytes) {
    case 0:
        return sort_launcher_of_pass<U, no_value, Queue>(what.pass);
    case 4:
        return sort_launcher_of_pass<U, uint32_t, Queue>(what.pass);
    case 8:
        return sort_launcher_of_pass<U, uint64_t, Queue>(what.pass);
    }
    return nullptr; // values have 0, 4 or 8 bytes
}

// Networks take keys of 4 and 8 bytes.
template <class U, class Queue>
sort_launcher<Queue> sort_launcher_of(const wf_sort_request &what) {
    const sort_launcher<Queue> radix = radix_launcher_of<U, Queue>(what);
    if constexpr (sizeof(U) >= 4)
        return radix != nullptr ? radix : network_launcher_of<U, Queue>(what);
    else
        return radix;
}

template <class Queue>
sort_launcher<Queue> find_launcher(const wf_sort_request &what) {
    switch (wf_bytes_of_type(what.type)) {
    case 1:
        return sort_launcher_of<uint8_t, Queue>(what);
    case 2:
        return sort_launcher_of<uint16_t, Queue>(what);
    case 4:
        return sort_launcher_of<uint32_t, Queue>(what);
    case 8:
        return sort_launcher_of<uint64_t, Queue>(what);
    }
    return nullptr;
}

} // namespace wf
#endif
