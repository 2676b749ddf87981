// What the tiles of one launch tell each other, so that they need no second launch.
//
// Memory ordering. What a tile tells is cut into words of 64 bits, each half value and half what it is, which are read
// and written whole. A value is there when all of its words say the same; nothing orders the words, and nothing needs
// to: no fence, and no atomic operation, stands between a tile's value and who waits for it.
#ifndef WAVEFOLD_TOLD_HPP
#define WAVEFOLD_TOLD_HPP

#include "atomic.hpp"

#include <cstring>

namespace wf {

enum class told : uint32_t { nothing, aggregate, prefix };

// What each tile tells: the fold of its own elements; in a scan then in its place that of all tiles before it too. All
// zeros: nothing.
template <class T>
class tile_states {
  public:
    static constexpr unsigned words = sizeof(T) / sizeof(uint32_t); // of a tile

    explicit __device__ __forceinline__ tile_states(const array_view<uint64_t> &cells) : cells_(cells) {}

    __device__ __forceinline__ void tell(unsigned tile, told what, T value) const {
        uint32_t parts[words];
        memcpy(parts, &value, sizeof value);
#pragma unroll
        for (unsigned k = 0; k < words; k++)
            write_word(cells_, size_t(tile) * words + k, uint64_t(what) << 32 | parts[k]);
    }
    __device__ __forceinline__ void forget(unsigned tile) const {
#pragma unroll
        for (unsigned k = 0; k < words; k++)
            write_word(cells_, size_t(tile) * words + k, 0);
    }
    // value stays as it is if nothing was told.
    __device__ __forceinline__ told ask(unsigned tile, T &value) const {
        uint32_t parts[words];
        uint32_t what_first = 0;
        bool agree = true; // else the tile is about to tell its prefix
#pragma unroll
        for (unsigned k = 0; k < words; k++) {
            const uint64_t word = read_word(cells_, size_t(tile) * words + k);
            const auto what_here = uint32_t(word >> 32);
            what_first = k == 0 ? what_here : what_first;
            agree = agree && what_here == what_first;
            parts[k] = uint32_t(word);
        }
        const told what = agree ? told(what_first) : told::nothing;
        if (what != told::nothing)
            memcpy(&value, parts, sizeof value);
        return what;
    }

  private:
    array_view<uint64_t> cells_;
};

} // namespace wf
#endif
