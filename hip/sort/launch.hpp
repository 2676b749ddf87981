// Launches of sorts: wf_sort, and the rungs that sort. U is the word of the keys, V that of the values.
#ifndef WAVEFOLD_SORT_LAUNCH_HPP
#define WAVEFOLD_SORT_LAUNCH_HPP

#include "progression/30_bitonic.hip"
#include "progression/31_bitonic_registers.hip"
#include "sort/request.h"
#include "visit.hpp"

namespace wf {

// How keys of the type are coded (see key_order).
template <class U>
key_order<U> key_order_of(const wf_sort_request &what) {
    constexpr U sign = U(1) << (8 * sizeof(U) - 1);
    constexpr U nans = (U(1) << (sizeof(U) == 4 ? 23 : 52)) - 1; // mantissas other than infinity's
    const U reverse = what.descending != 0 ? ~U(0) : U(0);
    if (what.type == WF_F32 || what.type == WF_F64)
        return {U(~sign), sign, nans, reverse};
    return {0, what.type == WF_I32 || what.type == WF_I64 ? sign : U(0), 0, reverse};
}

template <class U, class V, class Launch>
void launch_sort(const wf_sort_request &what, const Launch &launch) {
    const size_t n = what.count;
    const key_order<U> order = key_order_of<U>(what);
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

template <class Queue>
using sort_launcher = void (*)(const wf_sort_request &, Queue);

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
    }
    return nullptr;
}

template <class U, class Queue>
sort_launcher<Queue> sort_launcher_of_values(const wf_sort_request &what) {
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

// Null for keys that are neither 4 nor 8 bytes long.
template <class Queue>
sort_launcher<Queue> find_launcher(const wf_sort_request &what) {
    return visit_type<sort_launcher<Queue>>(what.type, [&](auto tag) -> sort_launcher<Queue> {
        constexpr size_t bytes = sizeof(typename decltype(tag)::type);
        if constexpr (bytes == 4)
            return sort_launcher_of_values<uint32_t, Queue>(what);
        else if constexpr (bytes == 8)
            return sort_launcher_of_values<uint64_t, Queue>(what);
        else
            return nullptr;
    });
}

} // namespace wf
#endif
