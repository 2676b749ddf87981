// Every kernel for every type and operator: the one place where kernels are instantiated, those of wf_reduce by way of
// reduce/reduce_launches.hpp.
//
// Kernels come from WF_KERNEL_MAP (src/backend.h, src/ladder/ladder_map.h), which says what each is built for. Every
// combination costs a compilation for each GPU architecture, so watch build time and module size.
#ifndef WAVEFOLD_LAUNCHERS_HPP
#define WAVEFOLD_LAUNCHERS_HPP

#include "backend.h"
#include "message/message.hip"
#include "reduce/reduce_launches.hpp"
#include "scan/add_prefixes.hip"

#include "progression/01_simple_1.hip"
#include "progression/02_simple_2.hip"
#include "progression/03_tiled_1.hip"
#include "progression/04_tiled_2.hip"
#include "progression/05_tiled_3.hip"
#include "progression/06_tiled_4.hip"
#include "progression/07_cascade.hip"
#include "progression/08_unrolled_wave.hip"
#include "progression/09_unrolled_full.hip"
#include "progression/10_cascade_unrolled.hip"
#include "progression/11_wave_two_pass.hip"
#include "progression/12_wave_atomic.hip"
#include "progression/13_block_atomic.hip"
#include "progression/14_wave_all_reduce.hip"
#include "progression/15_three_fields.hip"
#include "progression/16_single_block.hip"
#include "progression/17_multi_block.hip"
#include "progression/18_last_block.hip"
#include "progression/19_grid_stride_atomic.hip"
#include "progression/20_single_block_ordered.hip"
#include "progression/21_last_block_ordered.hip"
#include "progression/22_wave_tile.hip"
#include "progression/23_wave_tile_ordered.hip"
#include "progression/24_wave_tile_padded.hip"
#include "progression/25_wave_registers.hip"
#include "progression/26_block_by_waves.hip"
#include "progression/27_hillis_steele.hip"
#include "progression/28_blelloch.hip"
#include "progression/29_look_back.hip"
#include "progression/30_bitonic.hip"
#include "progression/31_bitonic_registers.hip"

namespace wf {

// One function per shape of wf_launch: unpacks it into views and launches. Those of wf_reduce: reduce_launches.hpp.
template <class T, auto Kernel, class Queue>
void launch_IN_PLACE(const wf_launch &what, Queue queue) {
    const array_view<T> data(static_cast<T *>(what.data), what.data_count);
    const array_view<T> tail(static_cast<T *>(what.tail), 1);
    launch_on(queue, Kernel, what.tiles, what.tile_size, 0, data, tail, what.first, what.stride, what.window);
}

template <class T, auto Kernel, class Queue>
void launch_TILED(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.tiles, what.tile_size, what.tile_size * sizeof(T), source, result);
}

// Tile memory of kernels that fold by waves: a cell per thread, and half a wave more for those that pad.
template <class T>
size_t padded_tile_bytes(const wf_launch &what) {
    return (what.tile_size + what.wave_width / 2) * sizeof(T);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_WAVES(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, what.wave_width == narrow_wave ? Narrow : Wide, what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, result);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_TICKET(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> partials(static_cast<T *>(what.partials), what.tiles);
    const array_view<T> result(static_cast<T *>(what.result), 1);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    launch_on(queue, what.wave_width == narrow_wave ? Narrow : Wide, what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, partials, result, ticket);
}

template <class T, auto Kernel, auto Cells, class Queue>
void launch_SCAN(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    const array_view<T> sums(static_cast<T *>(what.partials), what.tiles);
    launch_on(queue, Kernel, what.tiles, what.tile_size, Cells(what.span) * sizeof(T), source, result, sums, what.span,
              what.exclusive != 0);
}

template <class T, auto Kernel, class Queue>
void launch_PREFIXES(const wf_launch &what, Queue queue) {
    const array_view<const T> prefixes(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> data(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, Kernel, what.tiles, what.tile_size, 0, prefixes, data, what.span);
}

template <class T, auto Narrow, auto Wide, class Queue>
void launch_LOOK_BACK(const wf_launch &what, Queue queue) {
    static_assert(tile_status_array<T, narrow_wave>::words == sizeof(T) / WF_STATUS_VALUE_BYTES,
                  "as the library reserves them");
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    const word_view tile_status_words(static_cast<uint64_t *>(what.tile_status), what.tile_status_words);
    const ticket_view ticket(static_cast<unsigned *>(what.ticket), 1);
    launch_on(queue, what.wave_width == narrow_wave ? Narrow : Wide, what.tiles, what.tile_size,
              (what.wave_width + 2) * sizeof(T), source, result, tile_status_words, ticket, what.exclusive != 0,
              what.source == what.result, what.polls);
}

// A kernel with the tile size as a template parameter: one instance for each size from the wave's to the largest.
#define WF_UNROLLED(kernel)                                                                                            \
    template <class T, class Op, unsigned Width>                                                                       \
    auto kernel##_for(unsigned tile_size)->void (*)(array_view<const T>, array_view<T>) {                              \
        switch (tile_size) {                                                                                           \
        case 64:                                                                                                       \
            return kernel<T, Op, Width, 64>;                                                                           \
        case 128:                                                                                                      \
            return kernel<T, Op, Width, 128>;                                                                          \
        case 256:                                                                                                      \
            return kernel<T, Op, Width, 256>;                                                                          \
        case 512:                                                                                                      \
            return kernel<T, Op, Width, 512>;                                                                          \
        case 1024:                                                                                                     \
            return kernel<T, Op, Width, 1024>;                                                                         \
        }                                                                                                              \
        return kernel<T, Op, Width, Width>;                                                                            \
    }
WF_UNROLLED(unrolled_full)
WF_UNROLLED(cascade_unrolled)
#undef WF_UNROLLED

template <class T, auto ForNarrow, auto ForWide, class Queue>
void launch_UNROLLED(const wf_launch &what, Queue queue) {
    const array_view<const T> source(static_cast<const T *>(what.source), what.source_count);
    const array_view<T> result(static_cast<T *>(what.result), what.result_count);
    launch_on(queue, (what.wave_width == narrow_wave ? ForNarrow : ForWide)(what.tile_size), what.tiles, what.tile_size,
              padded_tile_bytes<T>(what), source, result);
}

// How keys of the type are coded (see key_order).
template <class U>
key_order<U> key_order_of(const wf_launch &what) {
    constexpr U sign = U(1) << (8 * sizeof(U) - 1);
    constexpr U nans = (U(1) << (sizeof(U) == 4 ? 23 : 52)) - 1; // mantissas other than infinity's
    const U reverse = what.descending != 0 ? ~U(0) : U(0);
    if (what.type == WF_F32 || what.type == WF_F64)
        return {U(~sign), sign, nans, reverse};
    return {0, what.type == WF_I32 || what.type == WF_I64 ? sign : U(0), 0, reverse};
}

template <class U, class V, class Launch>
void launch_sort(const wf_launch &what, const Launch &launch) {
    const size_t n = what.source_count;
    const key_order<U> order = key_order_of<U>(what);
    const sort_source<U, V> source = {{static_cast<const U *>(what.source), n},
                                      {static_cast<const V *>(what.source_values), what.source_values ? n : 0},
                                      order,
                                      what.is_first == 0};
    const sort_target<U, V> target = {
        {static_cast<U *>(what.result), what.result_count},
        {static_cast<V *>(what.result_values), what.result_values ? what.result_count : 0},
        order,
        what.is_last == 0};
    const sort_pass pass = {what.first, what.block, what.stride};
    launch(source, target, pass);
}

template <class U, class V, auto Kernel, class Queue>
void launch_BITONIC(const wf_launch &what, Queue queue) {
    launch_sort<U, V>(what, [&](auto... arguments) {
        launch_on(queue, Kernel, what.tiles, what.tile_size, 2 * what.tile_size * sizeof(record<U, V>), arguments...);
    });
}

template <class Record>
constexpr unsigned register_tile_bits = WF_REGISTER_TILE_BITS(sizeof(Record));

template <class U, class V, auto Kernel, class Queue>
void launch_REGISTERS(const wf_launch &what, Queue queue) {
    using tile = register_tile<record<U, V>, register_tile_bits<record<U, V>>>;
    static_assert(register_bits == WF_REGISTER_BITS, "what the library launches");
    launch_sort<U, V>(what, [&](auto... arguments) {
        launch_early_on(queue, Kernel, what.tiles, what.tile_size, tile::bytes, arguments...);
    });
}

template <void (*Narrow)(wf_message_part), void (*Wide)(wf_message_part), class Queue>
void launch_MESSAGE(const wf_launch &what, Queue queue) {
    launch_on(queue, what.wave_width == narrow_wave ? Narrow : Wide, what.tiles, what.wave_width,
              WF_STATE_WORDS * sizeof(int64_t), *what.message);
}

template <class Queue>
using launcher = void (*)(const wf_launch &, Queue);

// The launcher for a kernel; null if the kernel is not built for the group. Of sorts, T is the word of the keys and Op
// that of the values.
template <unsigned Group, class T, class Op, class Queue>
launcher<Queue> launcher_of(wf_kernel kernel) {
#define WF_LAUNCHER_IN_PLACE(function, loads) &launch_IN_PLACE<T, function<T, Op>, Queue>
#define WF_LAUNCHER_TILED(function, loads) &launch_TILED<T, function<T, Op>, Queue>
#define WF_LAUNCHER_WAVES(function, loads)                                                                             \
    &launch_WAVES<T, function<T, Op, narrow_wave, loads>, function<T, Op, wide_wave, loads>, Queue>
#define WF_LAUNCHER_TICKET(function, loads)                                                                            \
    &launch_TICKET<T, function<T, Op, narrow_wave, loads>, function<T, Op, wide_wave, loads>, Queue>
#define WF_LAUNCHER_SCAN(function, loads) &launch_SCAN<T, function<T, Op>, function##_cells<T>, Queue>
#define WF_LAUNCHER_PREFIXES(function, loads) &launch_PREFIXES<T, function<T, Op>, Queue>
#define WF_LAUNCHER_LOOK_BACK(function, loads)                                                                         \
    &launch_LOOK_BACK<T, function<T, Op, narrow_wave, loads>, function<T, Op, wide_wave, loads>, Queue>
#define WF_LAUNCHER_UNROLLED(function, loads)                                                                          \
    &launch_UNROLLED<T, function##_for<T, Op, narrow_wave>, function##_for<T, Op, wide_wave>, Queue>
#define WF_LAUNCHER_NONE(function, loads) nullptr
#define WF_LAUNCHER_REDUCE(function, loads) nullptr  // see reduce_launcher
#define WF_LAUNCHER_EXACT(function, loads) nullptr   // see exact_launcher
#define WF_LAUNCHER_MESSAGE(function, loads) nullptr // see message_launcher
#define WF_LAUNCHER_BITONIC(function, loads) &launch_BITONIC<T, Op, function<T, Op>, Queue>
#define WF_LAUNCHER_REGISTERS(function, loads)                                                                         \
    &launch_REGISTERS<T, Op, function<T, Op, register_tile_bits<record<T, Op>>, loads>, Queue>
#define WF_RETURN_LAUNCHER(name, shape, function, loads, folds)                                                        \
    case WF_KERNEL_##name:                                                                                             \
        if constexpr ((WF_FOLDS_##folds & Group) != 0)                                                                 \
            return WF_LAUNCHER_##shape(function, loads);                                                               \
        else                                                                                                           \
            return nullptr;
    switch (kernel) {
        WF_KERNEL_MAP(WF_RETURN_LAUNCHER)
    case WF_KERNEL_COUNT:
        break;
    }
#undef WF_RETURN_LAUNCHER
#undef WF_LAUNCHER_REDUCE
#undef WF_LAUNCHER_MESSAGE
#undef WF_LAUNCHER_EXACT
#undef WF_LAUNCHER_NONE
#undef WF_LAUNCHER_REGISTERS
#undef WF_LAUNCHER_BITONIC
#undef WF_LAUNCHER_UNROLLED
#undef WF_LAUNCHER_LOOK_BACK
#undef WF_LAUNCHER_PREFIXES
#undef WF_LAUNCHER_SCAN
#undef WF_LAUNCHER_TICKET
#undef WF_LAUNCHER_WAVES
#undef WF_LAUNCHER_TILED
#undef WF_LAUNCHER_IN_PLACE
    return nullptr; // no kernel
}

template <class T, class Queue>
launcher<Queue> ordered_launcher(const wf_launch &what) {
    constexpr unsigned group = WF_FOLDS_ORDERED & ~WF_FOLDS_CORE;
    if (what.op == WF_MATMUL)
        return launcher_of<group, matrix<T>, matmul<T>, Queue>(what.kernel);
    return launcher_of<group, affine_map<T>, affine<T>, Queue>(what.kernel);
}

template <class T, class Queue>
launcher<Queue> core_launcher(const wf_launch &what) {
    if (what.op == WF_SUM)
        return launcher_of<WF_FOLDS_CORE, T, sum<T>, Queue>(what.kernel);
    if (what.op == WF_MIN)
        return launcher_of<WF_FOLDS_CORE, T, min<T>, Queue>(what.kernel);
    if (what.op == WF_MAX)
        return launcher_of<WF_FOLDS_CORE, T, max<T>, Queue>(what.kernel);
    if constexpr (!std::is_same_v<T, int64_t>) {
        if (wf_op_is_ordered(what.op))
            return ordered_launcher<T, Queue>(what);
    }
    return nullptr; // what rungs do not fold
}

// Narrow and wide: the 4-byte and the 8-byte accumulator of the element's kind.
template <class Element, class Narrow, class Wide, template <class, class> class Op, class Queue>
launcher<Queue> accumulating_launcher(const wf_launch &what) {
    const bool is_wide = what.accumulator == WF_I64 || what.accumulator == WF_U64 || what.accumulator == WF_F64;
    if constexpr (sizeof(Element) <= 4) {
        if (!is_wide)
            return &launch_REDUCE<Op<Element, Narrow>, Queue>;
    }
    return &launch_REDUCE<Op<Element, Wide>, Queue>;
}

// What has no sign is its magnitude.
template <class Element>
constexpr wf_term term_for(wf_term term) {
    return std::is_unsigned_v<Element> && term == WF_TERM_MAGNITUDE ? WF_TERM_ELEMENT : term;
}

#define WF_TERM_SUM(ENUM, expression)                                                                                  \
    template <class Element, class Accumulator>                                                                        \
    using sum_of_##ENUM = adds<Element, Accumulator, term_for<Element>(WF_TERM_##ENUM)>;
WF_TERM_MAP(WF_TERM_SUM)
#undef WF_TERM_SUM

template <class Element, class Narrow, class Wide, class Queue>
launcher<Queue> sum_launcher(const wf_launch &what) {
    if constexpr (!is_float<Element>) {
        if (what.accumulator == WF_F64) // a mean
            return &launch_REDUCE<adds<Element, double>, Queue>;
    }
    switch (wf_facts_of_op(what.op).term) {
#define WF_TERM_CASE(ENUM, expression)                                                                                 \
    case WF_TERM_##ENUM:                                                                                               \
        return accumulating_launcher<Element, Narrow, Wide, sum_of_##ENUM, Queue>(what);
        WF_TERM_MAP(WF_TERM_CASE)
#undef WF_TERM_CASE
    }
    return nullptr;
}

template <class Element, class Queue>
launcher<Queue> bitwise_launcher(const wf_launch &what) {
    if constexpr (std::is_integral_v<Element>) {
        using bits = std::make_unsigned_t<Element>;
        return what.op == WF_XOR ? &launch_REDUCE<bits_xor<bits>, Queue> : &launch_REDUCE<bits_or<bits>, Queue>;
    } else {
        return nullptr;
    }
}

// Numbers with a sign by the kernels of those without one, for fewer kernels: see turned_signs.
template <class Element, class Queue>
launcher<Queue> extreme_launcher(const wf_launch &what) {
    if constexpr (std::is_integral_v<Element> && std::is_signed_v<Element>) {
        return extreme_launcher<std::make_unsigned_t<Element>, Queue>(what);
    } else {
        const wf_op_facts facts = wf_facts_of_op(what.op);
        return facts.has_index     ? &launch_REDUCE<first_extreme<Element>, Queue>
               : facts.values == 2 ? &launch_REDUCE<extremes<Element>, Queue>
                                   : &launch_REDUCE<extreme<Element>, Queue>;
    }
}

template <class Element, class Narrow, class Wide, class Queue>
launcher<Queue> wide_launcher(const wf_launch &what) {
    switch (wf_facts_of_op(what.op).op_class) {
    case WF_CLASS_SUM:
        return sum_launcher<Element, Narrow, Wide, Queue>(what);
    case WF_CLASS_PRODUCT:
        return accumulating_launcher<Element, Narrow, Wide, multiplies, Queue>(what);
    case WF_CLASS_EXTREME:
        return extreme_launcher<Element, Queue>(what);
    case WF_CLASS_BITWISE:
        return bitwise_launcher<Element, Queue>(what);
    case WF_CLASS_ORDERED: // another kernel's
        return nullptr;
    }
    return nullptr;
}

template <class Element, class Queue>
launcher<Queue> exact_launcher(const wf_launch &what) {
    if constexpr (is_float<Element>) {
        if (wf_facts_of_op(what.op).term != WF_TERM_SQUARE)
            return &launch_EXACT<Element, false, Queue>;
        if constexpr (sizeof(Element) < 8)
            return &launch_EXACT<Element, true, Queue>;
    }
    return nullptr; // sums of integers are exact as they are
}

template <class Element, class Narrow, class Wide, class Queue>
launcher<Queue> reduce_launcher(const wf_launch &what) {
    if (what.kernel == WF_KERNEL_describe)
        return &launch_DESCRIBE<Element, Queue>;
    if (what.kernel == WF_KERNEL_exact)
        return exact_launcher<Element, Queue>(what);
    return wide_launcher<Element, Narrow, Wide, Queue>(what);
}

template <class Queue>
launcher<Queue> reduce_launcher(const wf_launch &what) {
    switch (what.type) {
    case WF_F32:
        return reduce_launcher<float, float, double, Queue>(what);
    case WF_F64:
        return reduce_launcher<double, float, double, Queue>(what);
    case WF_F16:
        return reduce_launcher<f16, float, double, Queue>(what);
    case WF_BF16:
        return reduce_launcher<bf16, float, double, Queue>(what);
    case WF_I8:
        return reduce_launcher<int8_t, int32_t, int64_t, Queue>(what);
    case WF_I16:
        return reduce_launcher<int16_t, int32_t, int64_t, Queue>(what);
    case WF_I32:
        return reduce_launcher<int32_t, int32_t, int64_t, Queue>(what);
    case WF_I64:
        return reduce_launcher<int64_t, int32_t, int64_t, Queue>(what);
    case WF_U8:
        return reduce_launcher<uint8_t, uint32_t, uint64_t, Queue>(what);
    case WF_U16:
        return reduce_launcher<uint16_t, uint32_t, uint64_t, Queue>(what);
    case WF_U32:
        return reduce_launcher<uint32_t, uint32_t, uint64_t, Queue>(what);
    case WF_U64:
        return reduce_launcher<uint64_t, uint32_t, uint64_t, Queue>(what);
    case WF_TYPE_COUNT:
        break;
    }
    return nullptr; // no type
}

template <class U, class Queue>
launcher<Queue> sort_launcher(const wf_launch &what) {
    switch (what.value_bytes) {
    case 0:
        return launcher_of<WF_FOLDS_KEYS, U, no_value, Queue>(what.kernel);
    case 4:
        return launcher_of<WF_FOLDS_KEYS, U, uint32_t, Queue>(what.kernel);
    case 8:
        return launcher_of<WF_FOLDS_RECORDS & ~WF_FOLDS_KEYS, U, uint64_t, Queue>(what.kernel);
    }
    return nullptr; // no values of so many bytes
}

template <class Queue>
launcher<Queue> find_sort_launcher(const wf_launch &what) {
    switch (what.type) {
    case WF_F32:
    case WF_I32:
    case WF_U32:
        return sort_launcher<uint32_t, Queue>(what);
    case WF_F64:
    case WF_I64:
    case WF_U64:
        return sort_launcher<uint64_t, Queue>(what);
    case WF_F16:
    case WF_BF16:
    case WF_I8:
    case WF_I16:
    case WF_U8:
    case WF_U16:
    case WF_TYPE_COUNT:
        break;
    }
    return nullptr; // keys have 4 or 8 bytes
}

// Null for every other kernel.
template <class Queue>
launcher<Queue> message_launcher(const wf_launch &what) {
    return what.kernel == WF_KERNEL_message_write
               ? &launch_MESSAGE<message_write<narrow_wave>, message_write<wide_wave>, Queue>
           : what.kernel == WF_KERNEL_message_read
               ? &launch_MESSAGE<message_read<narrow_wave>, message_read<wide_wave>, Queue>
               : nullptr;
}

inline bool is_sort(wf_kernel kernel) {
    static const unsigned groups[] = {
#define WF_GROUPS(name, shape, function, loads, folds) WF_FOLDS_##folds,
        WF_KERNEL_MAP(WF_GROUPS)
#undef WF_GROUPS
    };
    return (groups[kernel] & WF_FOLDS_RECORDS) != 0;
}

// The launcher for a request; null if it is outside the table.
template <class Queue>
launcher<Queue> find_launcher(const wf_launch &what) {
    if (what.message != nullptr)
        return message_launcher<Queue>(what);
    if (what.kernel == WF_KERNEL_wavefold || what.kernel == WF_KERNEL_describe || what.kernel == WF_KERNEL_exact)
        return reduce_launcher<Queue>(what);
    if (is_sort(what.kernel))
        return find_sort_launcher<Queue>(what);
    switch (what.type) {
    case WF_F32:
        return core_launcher<float, Queue>(what);
    case WF_F64:
        return core_launcher<double, Queue>(what);
    case WF_I32:
        return core_launcher<int32_t, Queue>(what);
    case WF_I64:
        return core_launcher<int64_t, Queue>(what);
    case WF_F16:
    case WF_BF16:
    case WF_I8:
    case WF_I16:
    case WF_U8:
    case WF_U16:
    case WF_U32:
    case WF_U64:
    case WF_TYPE_COUNT:
        break;
    }
    return nullptr; // only wf_reduce folds these
}

} // namespace wf
#endif
