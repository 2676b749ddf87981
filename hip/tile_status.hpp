// Tile status of a launch whose tiles wait for each other's values: a single-pass reduction or scan (CUB:
// ScanTileState, rocPRIM: lookback_scan_state).
//
//   publish(tile, status, value)   writes a tile's status and value
//   load(tile, value)              reads them; the value stays as it is while the status is invalid
//   clear(tile)                    writes zeros, which are the invalid status
//
// Each 64-bit word holds 32 bits of status and 32 bits of value. A value is valid when all its words carry the same
// status; the words need no order among them. So there is no fence, and no atomic operation, between a tile's value and
// who waits for it.
#ifndef WAVEFOLD_TILE_STATUS_HPP
#define WAVEFOLD_TILE_STATUS_HPP

#include "atomic.hpp"

#include <cstring>

namespace wf {

enum class tile_status : uint32_t {
    invalid,   // zeros: nothing is published
    aggregate, // the fold of the tile's own elements
    inclusive  // the fold of those and of all tiles before
};

// A tile's words lie side by side; or WordByWord the first words of all tiles do, then the second ones, for threads
// that read a tile each. (That takes look_back more registers than gfx906 has.)
template <class T, bool WordByWord = false>
class tile_status_array {
  public:
    static constexpr unsigned words = sizeof(T) / sizeof(uint32_t); // of a tile

    explicit __device__ __forceinline__ tile_status_array(const word_view &cells)
        : cells_(cells), tiles_(unsigned(cells.size()) / words) {}

    __device__ __forceinline__ void publish(unsigned tile, tile_status status, T value) const {
        uint32_t parts[words];
        memcpy(parts, &value, sizeof value);
#pragma unroll
        for (unsigned k = 0; k < words; k++)
            write_word(cells_, index_of(tile, k), uint64_t(status) << 32 | parts[k]);
    }
    __device__ __forceinline__ void clear(unsigned tile) const {
#pragma unroll
        for (unsigned k = 0; k < words; k++)
            write_word(cells_, index_of(tile, k), 0);
    }
    __device__ __forceinline__ tile_status load(unsigned tile, T &value) const {
        uint32_t parts[words];
        uint32_t first_status = 0;
        bool agree = true; // else the tile is about to publish its inclusive value
#pragma unroll
        for (unsigned k = 0; k < words; k++) {
            const uint64_t word = read_word(cells_, index_of(tile, k));
            const auto status_here = uint32_t(word >> 32);
            first_status = k == 0 ? status_here : first_status;
            agree = agree && status_here == first_status;
            parts[k] = uint32_t(word);
        }
        const tile_status status = agree ? tile_status(first_status) : tile_status::invalid;
        if (status != tile_status::invalid)
            memcpy(&value, parts, sizeof value);
        return status;
    }

  private:
    __device__ __forceinline__ size_t index_of(unsigned tile, unsigned word) const {
        return WordByWord ? size_t(word) * tiles_ + tile : size_t(tile) * words + word;
    }

    word_view cells_;
    unsigned tiles_; // there is room for
};

} // namespace wf
#endif
