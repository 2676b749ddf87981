#include "launched.hpp"

#include "algebra.h"
#include "axes/second_array.h"
#include "by_key/request.h"
#include "ladder/request.h"
#include "look_back/request.h"
#include "message/request.h"
#include "reduce/request.h"
#include "scan/request.h"
#include "sort/request.h"
#include "wavefold_sum.h"

namespace wf::host {
namespace {

size_t element_bytes(wf_type type, wf_op op) {
    return wf_bytes_of_type(type) * wf_facts_of_op(op).scalars;
}

launched_array array_of(const char *name, const void *data, uint64_t count, size_t element) {
    return {name, const_cast<void *>(data), static_cast<size_t>(count * element), element};
}

launched_array ticket_of(void *ticket) {
    return array_of("ticket", ticket, 1, sizeof(unsigned));
}

launched_array tile_status_of(void *words, uint64_t count) {
    return array_of("tile_status", words, count, sizeof(uint64_t));
}

launched describe(const wf_reduce_request &what) {
    static const char *const kernels[] = {"wavefold", "exact", "describe", "last_block_ordered"};
    const size_t element = element_bytes(what.type, what.op);
    const bool is_state = what.kind == WF_REDUCE_EXACT && what.exact_result != WF_EXACT_ROUNDED;
    const size_t result_bytes = what.kind == WF_REDUCE_DESCRIBE ? sizeof(wf_description)
                                : is_state                      ? sizeof(wf_sum_state)
                                                                : element;
    launched found;
    found.kernel = kernels[what.kind];
    found.type = what.type;
    found.published = {ticket_of(what.ticket), tile_status_of(what.tile_status, what.tile_status_words),
                       array_of("sum_words", what.sum_words, WF_SUM_WORDS, sizeof(int64_t))};
    found.arrays = {array_of("source", what.source, what.source_count, element),
                    {"result", what.result, result_bytes, element},
                    array_of("partials", what.partials, what.head.tiles, element)};
    return found;
}

launched describe(const wf_axes_request &what) {
    static const char *const kernels[] = {"axes_rows",          "axes_columns",       "axes_tiny_rows",
                                          "axes_join_parts",    "axes_ordered_rows",  "axes_segments",
                                          "axes_long_segments", "axes_join_segments", "axes_describe_rows"};
    const size_t element = element_bytes(what.type, what.op);
    const auto at = [](const void *of, int64_t offset, size_t bytes) {
        return const_cast<char *>(static_cast<const char *>(of)) + offset * int64_t(bytes);
    };
    launched found;
    found.kernel = kernels[what.regime];
    found.type = what.type;
    if (what.second != nullptr && what.length != 0) {
        const wf_axes_second &second = *what.second;
        const size_t bytes = second.use == WF_SECOND_MASK ? 1 : element;
        if (what.regime == WF_AXES_ROWS || what.regime == WF_AXES_SEGMENTS || what.regime == WF_AXES_LONG_SEGMENTS)
            found.kernel = "axes_pair_rows";
        if (second.use != WF_SECOND_NORM)
            found.arrays.push_back(array_of("second", at(second.source, second.lowest, bytes),
                                            uint64_t(second.highest - second.lowest) + 1, bytes));
    }
    if (what.length != 0)
        found.arrays.push_back(array_of("source", at(what.source, what.lowest, element),
                                        uint64_t(what.highest - what.lowest) + 1, element));
    found.arrays.push_back(array_of("result", at(what.result, what.lowest_result, what.result_bytes),
                                    uint64_t(what.highest_result - what.lowest_result) + 1, what.result_bytes));
    found.arrays.push_back(array_of("partials", what.partials, what.all_values, wf_axes_value_bytes(&what)));
    return found;
}

launched describe(const wf_scan_request &what) {
    const auto at = [](const void *of, int64_t offset, size_t bytes) {
        return const_cast<char *>(static_cast<const char *>(of)) + offset * int64_t(bytes);
    };
    launched found;
    found.kernel = what.lanes != 0 ? "scan_rows" : "scan_fixed_order";
    found.type = what.type;
    if (what.ticket != nullptr)
        found.published = {ticket_of(what.ticket), array_of("words", what.words, WF_SCAN_WORDS, sizeof(uint64_t)),
                           tile_status_of(what.tile_status, 2 * what.half_words)};
    found.arrays = {array_of("source", at(what.source, what.lowest, what.element_bytes),
                             uint64_t(what.highest - what.lowest) + 1, what.element_bytes),
                    array_of("result", at(what.result, what.lowest_result, what.result_bytes),
                             uint64_t(what.highest_result - what.lowest_result) + 1, what.result_bytes)};
    return found;
}

launched describe(const wf_look_back_request &what) {
    const size_t element = element_bytes(what.type, what.op);
    launched found;
    found.kernel = "look_back";
    found.type = what.type;
    found.published = {ticket_of(what.ticket), tile_status_of(what.tile_status, what.tile_status_words)};
    found.arrays = {array_of("source", what.source, what.count, element),
                    array_of("result", what.result, what.count, element)};
    return found;
}

launched describe(const wf_by_key_request &what) {
    static const char *const kernels[] = {
#define WF_STEP_NAME(NAME, name) #name,
        WF_BY_KEY_STEP_MAP(WF_STEP_NAME)
#undef WF_STEP_NAME
    };
    launched found;
    found.kernel = kernels[what.step];
    const uint64_t offsets = what.offsets == nullptr ? 0 : 1 + (what.bins != 0 ? what.bins : what.room);
    const size_t result = what.step == WF_BY_KEY_JOIN   ? what.element_bytes
                          : what.step == WF_BY_KEY_BINS ? sizeof(uint32_t)
                                                        : sizeof(uint64_t);
    found.arrays = {
        array_of("source", what.source, what.count, what.element_bytes),
        array_of("first", what.first, what.first_count, what.element_bytes),
        array_of("unique_keys", what.unique_keys, what.room, what.element_bytes),
        array_of("offsets", what.offsets, offsets, sizeof(uint64_t)),
        array_of("result", what.result, what.step == WF_BY_KEY_COUNT_INDICES ? what.bins : what.results, result)};
    return found;
}

launched describe(const wf_sort_request &what) {
    static const char *const kernels[] = {
#define WF_PASS_NAME(NAME, name) #name,
        WF_SORT_PASS_MAP(WF_PASS_NAME)
#undef WF_PASS_NAME
    };
    const size_t element = wf_bytes_of_type(what.type);
    launched found;
    found.kernel = kernels[what.pass];
    found.type = what.type;
    if (what.pass == WF_SORT_RADIX_COUNT || what.pass == WF_SORT_RADIX)
        found.published = {ticket_of(what.ticket), tile_status_of(what.tile_status, what.tile_status_words)};
    const bool is_count = what.pass == WF_SORT_RADIX_COUNT;
    const uint64_t words = uint64_t(is_count ? what.passes : 1) * WF_RADIX_VALUES;
    const uint64_t results = what.result_count != 0 ? what.result_count : what.count;
    found.arrays = {array_of("counts", what.counts, uint64_t(what.passes) * WF_RADIX_VALUES, sizeof(int64_t)),
                    array_of("starts", what.starts, words, sizeof(uint64_t)),
                    array_of("next_starts", what.next_starts, words, sizeof(uint64_t)),
                    array_of("source", what.source_keys, what.count, element),
                    array_of("result", what.keys, results, element),
                    array_of("source_values", what.source_values, what.count, what.value_bytes),
                    array_of("result_values", what.values, results, what.value_bytes),
                    array_of("order", what.order, what.count, element),
                    array_of("offsets", what.list.offsets, what.list.rows + 1, what.list.offset_bytes)};
    return found;
}

launched describe(const wf_message_request &what) {
    launched found;
    found.kernel = what.reads != 0 ? "message_read" : "message_write";
    return found;
}

launched describe(const wf_ladder_request &what) {
    const size_t element = element_bytes(what.type, what.op);
    launched found;
    found.kernel = what.kernel;
    found.type = what.type;
    found.published = {ticket_of(what.ticket)};
    found.arrays = {
        array_of("data", what.data, what.data_count, element),
        array_of("tail", what.tail, 1, element),
        array_of("source", what.source, what.source_count, element),
        array_of("result", what.result, what.result_count, element),
        array_of("partials", what.partials, what.partial_count != 0 ? what.partial_count : what.head.tiles, element),
        array_of("ends", what.ends, what.ends != nullptr ? what.result_count : 0, sizeof(uint64_t))};
    return found;
}

} // namespace

launched describe_launch(wf_algorithm algorithm, const void *request) {
    switch (algorithm) {
#define WF_DESCRIBE_LAUNCH(NAME, name, request_type)                                                                   \
    case WF_ALGORITHM_##NAME:                                                                                          \
        return describe(*static_cast<const request_type *>(request));
        WF_ALGORITHM_MAP(WF_DESCRIBE_LAUNCH)
#undef WF_DESCRIBE_LAUNCH
    case WF_ALGORITHM_COUNT:
        break;
    }
    return {};
}

} // namespace wf::host
