// row_list: where the rows or segments that are sorted begin and end, and where their results go.
#ifndef WAVEFOLD_SORT_ROW_LIST_HPP
#define WAVEFOLD_SORT_ROW_LIST_HPP

#include "../tile.hpp"
#include "sort/row_list.h"

namespace wf {

struct sorted_row {
    size_t begin, count; // in the source
    size_t target, kept; // in the target
    size_t first;        // the first element's position in the row
};

// See wf_row_list, whose fields these are.
struct row_list {
    const void *offsets;
    uint32_t has_long_offsets;
    size_t rows, stride, length, parts, part_length, kept, shortest, longest;

    __device__ __forceinline__ size_t offset(size_t i) const {
        if (has_long_offsets != 0)
            return array_view<const uint64_t>(static_cast<const uint64_t *>(offsets), rows + 1)[i];
        return array_view<const uint32_t>(static_cast<const uint32_t *>(offsets), rows + 1)[i];
    }
    // Of no elements if the launch leaves it as it is.
    __device__ __forceinline__ sorted_row part(size_t number) const {
        sorted_row found = {0, 0, 0, 0, 0};
        if (offsets != nullptr) {
            found.begin = offset(number);
            found.count = offset(number + 1) - found.begin;
        } else {
            const size_t row = parts == 1 ? number : number / parts;
            found.first = (number - row * parts) * part_length;
            found.begin = row * stride + found.first;
            found.count = length - found.first < part_length ? length - found.first : part_length;
        }
        if (found.count < shortest || found.count > longest)
            found.count = 0;
        found.target = kept == 0 ? found.begin : number * kept;
        found.kept = kept == 0 || kept > found.count ? found.count : kept;
        return found;
    }
    // The number of the row, or that of the segment + 1: 0 for what lies before the first segment.
    __device__ __forceinline__ size_t row_of(size_t place) const {
        if (offsets == nullptr)
            return place / stride;
        size_t begin = 0, end = rows + 1; // of the offsets that are not known to be larger than place
        while (begin < end) {
            const size_t middle = begin + (end - begin) / 2;
            if (offset(middle) <= place)
                begin = middle + 1;
            else
                end = middle;
        }
        return begin;
    }
};

} // namespace wf
#endif
