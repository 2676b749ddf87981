// segment_list: where segments begin and end.
#ifndef WAVEFOLD_AXES_SEGMENT_LIST_HPP
#define WAVEFOLD_AXES_SEGMENT_LIST_HPP

#include "axes_arguments.hpp"

namespace wf {

struct segment_range {
    uint64_t begin, end;
};

// Segments of more elements than a chunk are long: in a chunk of the array begins one of them at the most. It marks,
// for each chunk j, itself + 1: in word 2 j if it has elements from the chunk's start on, in word 2 j + 1 if it begins
// later. The values of chunks are numbered alike.
struct segment_list {
    const void *begins, *ends;
    uint64_t count;
    uint32_t has_long_offsets;
    uint64_t most_of_team;      // elements
    uint64_t chunk;             // elements
    array_view<uint64_t> marks; // none: no segment is long

    __device__ __forceinline__ uint64_t offset(const void *of, uint64_t i, uint64_t all) const {
        if (has_long_offsets != 0)
            return array_view<const uint64_t>(static_cast<const uint64_t *>(of), all)[i];
        return array_view<const uint32_t>(static_cast<const uint32_t *>(of), all)[i];
    }
    // Marks the chunks of a long segment, by the lanes that share it.
    __device__ __forceinline__ void mark(uint64_t i, const segment_range &of, unsigned lane, unsigned lanes) const {
        for (uint64_t j = of.begin / chunk + lane; j * chunk < of.end; j += lanes)
            marks[2 * j + (j * chunk < of.begin ? 1 : 0)] = i + 1;
    }
    __device__ __forceinline__ segment_range range(uint64_t i) const {
        if (ends == nullptr)
            return {offset(begins, i, count + 1), offset(begins, i + 1, count + 1)};
        return {offset(begins, i, count), offset(ends, i, count)};
    }
};

} // namespace wf
#endif
