// A wave's stretch of an array, held in registers, row by row: of each row, every lane has a pack of neighbours. Loads
// and stores of a row are then whole lines of memory, 16 bytes per lane, with no detour through tile memory.
#ifndef WAVEFOLD_LOOK_BACK_WAVE_ROWS_HPP
#define WAVEFOLD_LOOK_BACK_WAVE_ROWS_HPP

#include "../tile.hpp"
#include "../wave.hpp"

namespace wf {

// How an array is cut for waves of Width lanes that hold Packs packs of 16 bytes together, however many they are; half
// as much of elements that are as large as a pack, whose scan takes registers besides. The first stretch starts where a
// pack is aligned, which can be up to a pack before the array.
template <class T, unsigned Width, unsigned Packs>
struct stretches {
    static constexpr unsigned neighbours = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
    static constexpr unsigned rows = Packs / Width * (sizeof(T) < 16 ? 16 : 8) / (neighbours * sizeof(T));
    static constexpr unsigned row_length = Width * neighbours;
    static constexpr unsigned length = rows * row_length;

    size_t shift;    // elements by which the first one starts before the array
    bool is_aligned; // else no pack is: the array's address is no multiple of the element's size

    explicit __device__ __forceinline__ stretches(const array_view<const T> &source) {
        const size_t past = source.template past_aligned<neighbours>();
        is_aligned = past < neighbours;
        shift = is_aligned ? past : 0;
    }
    // The first index of a stretch. Indices before the array wrap round to ones behind its end, so that one comparison
    // finds both.
    __device__ __forceinline__ size_t start(size_t number) const { return number * length - shift; }
};

template <class T, class Op, unsigned Width, unsigned Packs>
class wave_rows {
    using cut = stretches<T, Width, Packs>;

  public:
    __device__ __forceinline__ wave_rows(const tiled_index &tidx, const array_view<const T> &source, size_t number)
        : cut_(source), size_(source.size()), first_(cut_.start(number) + lane_of<Width>(tidx) * cut::neighbours) {
        const size_t start = cut_.start(number);
        is_whole_ = start < size_ && size_ - start >= cut::length;
        if (is_whole_ && cut_.is_aligned) {
#pragma unroll
            for (unsigned r = 0; r < cut::rows; r++)
                packs_[r] = source.template load<cut::neighbours>(index(r, 0));
        } else {
#pragma unroll
            for (unsigned r = 0; r < cut::rows; r++)
#pragma unroll
                for (unsigned k = 0; k < cut::neighbours; k++)
                    packs_[r].element[k] = index(r, k) < size_ ? T(source[index(r, k)]) : Op::identity();
        }
    }

    // Scans the stretch: each pack, then the packs of a row, then the rows. Returns the fold of all, the same in every
    // lane. Exclusive: element i is left out of result i.
    __device__ __forceinline__ T scan(const tiled_index &tidx, bool exclusive, const Op &fold) {
        T pack_totals[cut::rows];
#pragma unroll
        for (unsigned r = 0; r < cut::rows; r++) {
#pragma unroll
            for (unsigned k = 1; k < cut::neighbours; k++)
                packs_[r].element[k] = fold(packs_[r].element[k - 1], packs_[r].element[k]);
            pack_totals[r] = packs_[r].element[cut::neighbours - 1];
        }
        wave_scan<Width>(tidx, pack_totals, fold);
        T total = Op::identity();
#pragma unroll
        for (unsigned r = 0; r < cut::rows; r++) {
            const T lanes_before = shuffle_up<Width>(tidx, pack_totals[r], 1);
            const T before = lane_of<Width>(tidx) == 0 ? total : fold(total, lanes_before);
#pragma unroll
            for (unsigned k = 0; k < cut::neighbours; k++)
                packs_[r].element[k] = fold(before, packs_[r].element[k]);
            if (exclusive) {
#pragma unroll
                for (unsigned k = cut::neighbours - 1; k > 0; k--)
                    packs_[r].element[k] = packs_[r].element[k - 1];
                packs_[r].element[0] = before;
            }
            total = fold(total, broadcast<Width>(pack_totals[r], Width - 1));
        }
        return total;
    }

    // Writes the scan, with what comes before the stretch folded in.
    __device__ __forceinline__ void store(const array_view<T> &result, T before, const Op &fold) {
#pragma unroll
        for (unsigned r = 0; r < cut::rows; r++)
#pragma unroll
            for (unsigned k = 0; k < cut::neighbours; k++)
                packs_[r].element[k] = fold(before, packs_[r].element[k]);
        if (is_whole_ && result.template past_aligned<cut::neighbours>() == cut_.shift) {
#pragma unroll
            for (unsigned r = 0; r < cut::rows; r++)
                result.template store<cut::neighbours>(index(r, 0), packs_[r]);
        } else {
#pragma unroll
            for (unsigned r = 0; r < cut::rows; r++)
#pragma unroll
                for (unsigned k = 0; k < cut::neighbours; k++)
                    if (index(r, k) < size_)
                        result[index(r, k)] = packs_[r].element[k];
        }
    }

  private:
    __device__ __forceinline__ size_t index(unsigned row, unsigned neighbour) const {
        return first_ + row * cut::row_length + neighbour;
    }

    cut cut_;
    size_t size_;   // of the array
    size_t first_;  // this lane's first index
    bool is_whole_; // all of the stretch lies in the array
    pack<T, cut::neighbours> packs_[cut::rows];
};

} // namespace wf
#endif
