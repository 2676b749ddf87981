// Words for sorts in registers: a tile's records, of which each thread holds 16.
#ifndef WAVEFOLD_SORT_REGISTER_TILE_HPP
#define WAVEFOLD_SORT_REGISTER_TILE_HPP

#include "../tile.hpp"
#include "records.hpp"

namespace wf {

constexpr unsigned register_bits = 4, held = 1u << register_bits;

template <unsigned TileBits>
constexpr unsigned register_tile_threads = 1u << (TileBits - register_bits);

// The thread's share of a tile of 2^TileBits records. A layout is named by its lowest bit, Low. Slot s of a thread
// holds a place whose bits from Low on are s; the bits below and above are the thread's number. In a tile of 2^12
// records, with s for the bits of the slot and t for those of the thread:
//
//   bit of the place  11 10  9  8  7  6  5  4  3  2  1  0
//   Low = 0            t  t  t  t  t  t  t  t  s  s  s  s    16 neighbours: strides 1 to 8 are between registers
//   Low = 4            t  t  t  t  s  s  s  s  t  t  t  t    strides 16 to 128
//   Low = 8 (top)      s  s  s  s  t  t  t  t  t  t  t  t    strides 256 to 2048
//
// A step compares places that differ in one bit. If that bit is an s, both are in registers of one thread. exchange()
// goes from one row of the picture to another, through tile memory.
//
// The first step of a merge compares mirror images: for it, the upper half of the slots counts the bits below Low
// backwards.
template <class Record, unsigned TileBits>
class register_tile {
    using cells = spaced_cells<Record>;

  public:
    static constexpr unsigned top = TileBits - register_bits; // the layout of a merge's first four steps
    static constexpr size_t bytes = cells::spaced(1u << TileBits) * sizeof(Record);

    __device__ __forceinline__ explicit register_tile(const tiled_index &tidx) : tidx_(tidx), tile_data_(tidx) {}

    // Takes records from where position(place) says in the array; the next slot's is a step further.
    template <unsigned Low, class Source, class Position>
    __device__ __forceinline__ void load(const Source &source, const Position &position, size_t step,
                                         bool is_mirrored = false) {
        const slots at = slots_at<Low>(position, step, is_mirrored);
        if (at[held - 1] < source.size()) {
#pragma unroll
            for (unsigned s = 0; s < held; s++)
                records_[s] = source.load(at[s]);
        } else {
#pragma unroll
            for (unsigned s = 0; s < held; s++)
                records_[s] = source[at[s]];
        }
    }
    // Leaves them there.
    template <unsigned Low, class Target, class Position>
    __device__ __forceinline__ void store(const Target &target, const Position &position, size_t step,
                                          bool is_mirrored = false) const {
        const slots at = slots_at<Low>(position, step, is_mirrored);
        if (at[held - 1] < target.size()) {
#pragma unroll
            for (unsigned s = 0; s < held; s++)
                target.store(at[s], records_[s]);
        } else {
#pragma unroll
            for (unsigned s = 0; s < held; s++)
                target.store_inside(at[s], records_[s]);
        }
    }

    // From one layout to another (CUB: BlockExchange). One barrier is enough: a thread writes only
    // cells that it alone has read.
    template <unsigned From, unsigned To>
    __device__ __forceinline__ void exchange(bool was_mirrored, bool is_mirrored) {
#pragma unroll
        for (unsigned s = 0; s < held; s++)
            tile_data_[cells::spaced(thread_bits<From>(s, was_mirrored)) + cells::spaced(s << From)] = records_[s];
        tidx_.barrier.wait();
#pragma unroll
        for (unsigned s = 0; s < held; s++)
            records_[s] = tile_data_[cells::spaced(thread_bits<To>(s, is_mirrored)) + cells::spaced(s << To)];
    }

    // The steps along the slots' lowest Steps bits.
    template <unsigned Steps>
    __device__ __forceinline__ void merge_registers(bool is_mirrored) {
        if (is_mirrored)
            step<(1u << Steps) - 1>();
        else
            step<(1u << Steps) / 2>();
        if constexpr (Steps > 1)
            merge_registers<Steps - 1>(false);
    }

    // The steps along the places' lowest Bits bits; leaves layout 0.
    template <unsigned From, unsigned Bits>
    __device__ __forceinline__ void merge(bool is_mirrored, bool was_mirrored = false) {
        constexpr unsigned low = Bits > register_bits ? Bits - register_bits : 0;
        exchange<From, low>(was_mirrored, is_mirrored);
        merge_registers<Bits - low>(is_mirrored);
        if constexpr (low > 0)
            merge<low, low>(false, is_mirrored);
    }

    // All merges, of blocks of 2^Bits and longer, from and to layout 0.
    template <unsigned Bits = 1>
    __device__ __forceinline__ void sort() {
        if constexpr (Bits <= register_bits)
            merge_registers<Bits>(true);
        else
            merge<0, Bits>(true);
        if constexpr (Bits < TileBits)
            sort<Bits + 1>();
    }

  private:
    // The slots' positions in the array.
    struct slots {
        size_t lower, upper, step; // upper: of the slot in the middle

        __device__ __forceinline__ size_t operator[](unsigned slot) const {
            return (slot < held / 2 ? lower : upper) + slot % (held / 2) * step;
        }
    };

    template <unsigned Low, class Position>
    __device__ __forceinline__ slots slots_at(const Position &position, size_t step, bool is_mirrored) const {
        return {position(thread_bits<Low>(0, is_mirrored)),
                position(thread_bits<Low>(held / 2, is_mirrored) | (held / 2) << Low), step};
    }

    // The bits of a place that are the thread's.
    template <unsigned Low>
    __device__ __forceinline__ unsigned thread_bits(unsigned slot, bool is_mirrored) const {
        constexpr unsigned below = (1u << Low) - 1;
        const unsigned backwards = is_mirrored && slot >= held / 2 ? below : 0;
        return ((tidx_.local & ~below) << register_bits) | ((tidx_.local ^ backwards) & below);
    }

    // Compares slots whose numbers differ in the bits of Mask.
    template <unsigned Mask>
    __device__ __forceinline__ void step() {
#pragma unroll
        for (unsigned s = 0; s < held; s++)
            if (s < (s ^ Mask))
                compare_exchange(records_[s], records_[s ^ Mask]);
    }

    const tiled_index &tidx_;
    const tile_static<Record> tile_data_;
    Record records_[held];
};

} // namespace wf
#endif
