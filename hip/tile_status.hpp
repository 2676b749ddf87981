// Tile status of a launch whose tiles wait for each other's values: a single-pass reduction or scan (CUB:
// ScanTileState, rocPRIM: lookback_scan_state).
//
//   publish(tile, status, value)   writes a tile's status and value
//   load(tile, value)              reads them; the value stays as it is while the status is invalid
//   clear(tile)                    writes zeros, which are the invalid status
//
// Each 64-bit word holds 32 bits of status and 32 bits of value. Where the hardware reads two words at once, and values
// have more than 32 bits, each two words hold 32 bits of status and 96 of value. A value is valid when all of these
// units carry the same status; they need no order among them. So there is no fence, and no atomic operation, between a
// tile's value and who waits for it. (By units of two words exact sums of 2^14 to 2^22 elements took 1 to 2 % less on
// an H200.)
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

// A tile's units lie side by side; or UnitByUnit the first units of all tiles do, then the second ones, for threads
// that read a tile each. (That takes look_back more registers than gfx906 has.) Width: on the host device waves of 32
// lanes do as NVIDIA's, others as AMD's.
template <class T, unsigned Width, bool UnitByUnit = false>
class tile_status_array {
  public:
    static constexpr unsigned words = sizeof(T) / sizeof(uint32_t); // of a tile, at the most

    explicit __device__ __forceinline__ tile_status_array(const word_view &cells)
        : cells_(cells), tiles_(unsigned(cells.size()) / words) {}

    __device__ __forceinline__ void publish(unsigned tile, tile_status status, T value) const {
        uint32_t parts[units * in_unit] = {};
        memcpy(parts, &value, sizeof value);
#pragma unroll
        for (unsigned k = 0; k < units; k++)
            write_unit(tile, k, status, parts + k * in_unit);
    }
    __device__ __forceinline__ void clear(unsigned tile) const {
        const uint32_t zeros[in_unit] = {};
#pragma unroll
        for (unsigned k = 0; k < units; k++)
            write_unit(tile, k, tile_status::invalid, zeros);
    }
    __device__ __forceinline__ tile_status load(unsigned tile, T &value) const {
        uint32_t parts[units * in_unit];
        uint32_t first_status = 0;
        bool agree = true; // else the tile is about to publish its inclusive value
#pragma unroll
        for (unsigned k = 0; k < units; k++) {
            const uint32_t status_here = read_unit(tile, k, parts + k * in_unit);
            first_status = k == 0 ? status_here : first_status;
            agree = agree && status_here == first_status;
        }
        const tile_status status = agree ? tile_status(first_status) : tile_status::invalid;
        if (status != tile_status::invalid)
            memcpy(&value, parts, sizeof value);
        return status;
    }

  private:
    static constexpr bool in_pairs = has_word_pairs && Width == 32 && words > 1;
    static constexpr unsigned in_unit = in_pairs ? 3 : 1, units = (words + in_unit - 1) / in_unit;

    __device__ __forceinline__ size_t index_of(unsigned tile, unsigned unit) const {
        const size_t index = UnitByUnit ? size_t(unit) * tiles_ + tile : size_t(tile) * units + unit;
        return in_pairs ? 2 * index : index;
    }
    __device__ __forceinline__ void write_unit(unsigned tile, unsigned unit, tile_status status,
                                               const uint32_t *parts) const {
        const uint64_t word = uint64_t(status) << 32 | parts[0];
        if constexpr (in_pairs)
            write_pair(cells_, index_of(tile, unit), {word, uint64_t(parts[2]) << 32 | parts[1]});
        else
            write_word(cells_, index_of(tile, unit), word);
    }
    // Its status.
    __device__ __forceinline__ uint32_t read_unit(unsigned tile, unsigned unit, uint32_t *parts) const {
        word_pair pair = {0, 0};
        if constexpr (in_pairs) {
            pair = read_pair(cells_, index_of(tile, unit));
            parts[1] = uint32_t(pair.second);
            parts[2] = uint32_t(pair.second >> 32);
        } else {
            pair.first = read_word(cells_, index_of(tile, unit));
        }
        parts[0] = uint32_t(pair.first);
        return uint32_t(pair.first >> 32);
    }

    word_view cells_;
    unsigned tiles_; // there is room for
};

} // namespace wf
#endif
