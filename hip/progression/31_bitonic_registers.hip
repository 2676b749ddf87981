// bitonic_registers: the network of bitonic, four steps at a time in registers.
//
// Idea:   a thread holds the 16 records whose places differ in four bits; the four steps along these bits need nobody
//         else. Then the tile deals its records anew through tile memory, for the next four bits.
// Limit:  memory traffic: up to eight long strides in two accesses per element, all that fit into a tile in another two.
// Change: bitonic's launch per long stride, and its barrier per step in tile memory.
#include "../sort.hpp"
#include "../tile.hpp"

namespace wf {

constexpr unsigned held_bits = 4, held = 1u << held_bits;

template <unsigned TileBits>
constexpr unsigned held_threads = 1u << (TileBits - held_bits);

// The thread's share of a tile of 2^TileBits records. A layout is named by its lowest bit, Low: slot s of a thread holds
// a place whose bits from Low on are s; the bits below and above are the thread's number. For a merge's first step, which
// compares mirror images, the upper half of the slots counts the bits below Low backwards.
template <class Record, unsigned TileBits>
class held_records {
    using cells = spaced_cells<Record>;

  public:
    static constexpr unsigned top = TileBits - held_bits; // the layout of a merge's first four steps
    static constexpr size_t bytes = cells::spaced(1u << TileBits) * sizeof(Record);

    __device__ __forceinline__ explicit held_records(const tiled_index &tidx) : tidx_(tidx), tile_data_(tidx) {}

    // Takes records from, or leaves them at, where position(place) says.
    template <unsigned Low, class Source, class Position>
    __device__ __forceinline__ void load(const Source &source, const Position &position, bool is_mirrored = false) {
#pragma unroll
        for (unsigned s = 0; s < held; s++)
            records_[s] = source[position(place<Low>(s, is_mirrored))];
    }
    template <unsigned Low, class Target, class Position>
    __device__ __forceinline__ void store(const Target &target, const Position &position, bool is_mirrored = false) {
#pragma unroll
        for (unsigned s = 0; s < held; s++)
            target.store(position(place<Low>(s, is_mirrored)), records_[s]);
    }

    // Deals the tile's records anew. One barrier does: a thread writes the cells that it alone has read.
    template <unsigned From, unsigned To>
    __device__ __forceinline__ void deal(bool was_mirrored, bool is_mirrored) {
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
    __device__ __forceinline__ void merge_held(bool is_mirrored) {
        if (is_mirrored)
            step<(1u << Steps) - 1>();
        else
            step<(1u << Steps) / 2>();
        if constexpr (Steps > 1)
            merge_held<Steps - 1>(false);
    }

    // The steps along the places' lowest Bits bits; leaves layout 0.
    template <unsigned From, unsigned Bits>
    __device__ __forceinline__ void merge(bool was_mirrored, bool is_mirrored) {
        constexpr unsigned low = Bits > held_bits ? Bits - held_bits : 0;
        deal<From, low>(was_mirrored, is_mirrored);
        merge_held<Bits - low>(is_mirrored);
        if constexpr (low > 0)
            merge<low, low>(is_mirrored, false);
    }

    // All merges from blocks of 2^Bits on, from and to layout 0.
    template <unsigned Bits>
    __device__ __forceinline__ void sort() {
        if constexpr (Bits <= held_bits)
            merge_held<Bits>(true);
        else
            merge<0, Bits>(false, true);
        if constexpr (Bits < TileBits)
            sort<Bits + 1>();
    }

  private:
    template <unsigned Low>
    __device__ __forceinline__ unsigned thread_bits(unsigned slot, bool is_mirrored) const {
        constexpr unsigned below = (1u << Low) - 1;
        const unsigned backwards = is_mirrored && slot >= held / 2 ? below : 0;
        return ((tidx_.local & ~below) << held_bits) | ((tidx_.local ^ backwards) & below);
    }
    template <unsigned Low>
    __device__ __forceinline__ unsigned place(unsigned slot, bool is_mirrored) const {
        return thread_bits<Low>(slot, is_mirrored) | slot << Low;
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

// Sorts tiles.
template <class U, class V, unsigned TileBits, unsigned>
__global__ void __launch_bounds__(held_threads<TileBits>)
    bitonic_held_sort(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    using tile = held_records<record<U, V>, TileBits>;
    tile records(tidx);
    const size_t begin = (pass.first_tile + tidx.tile) << TileBits;
    const auto position = [=](unsigned place) { return begin + place; };

    records.template load<tile::top>(source, position);
    records.template deal<tile::top, 0>(false, false);
    records.template sort<1>();
    records.template deal<0, tile::top>(false, false);
    records.template store<tile::top>(target, position);
}

// The steps of a merge that stay within a tile.
template <class U, class V, unsigned TileBits, unsigned>
__global__ void __launch_bounds__(held_threads<TileBits>)
    bitonic_held_merge(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    using tile = held_records<record<U, V>, TileBits>;
    tile records(tidx);
    const size_t begin = (pass.first_tile + tidx.tile) << TileBits;
    const auto position = [=](unsigned place) { return begin + place; };

    records.template load<tile::top>(source, position);
    records.template merge_held<held_bits>(false);
    records.template merge<tile::top, tile::top>(false, false);
    records.template deal<0, tile::top>(false, false);
    records.template store<tile::top>(target, position);
}

// Four or eight steps of a merge across tiles: rows of neighbours, a stride from each other, are a tile. The first step of
// a merge takes the rows of the upper half from the mirrored place in their stride.
template <class U, class V, unsigned TileBits, unsigned Deals>
__global__ void __launch_bounds__(held_threads<TileBits>)
    bitonic_held_across(sort_source<U, V> source, sort_target<U, V> target, sort_pass pass) {
    const tiled_index tidx;
    using tile = held_records<record<U, V>, TileBits>;
    tile records(tidx);
    constexpr unsigned last = tile::top - (Deals - 1) * held_bits; // the last layout; and the bits of a row
    constexpr unsigned rows = 1u << (Deals * held_bits);
    const bool is_mirrored = pass.stride * rows == pass.block;
    const size_t number = pass.first_tile + tidx.tile;
    const size_t begin_of_row = (number << last) & (pass.stride - 1);
    const size_t begin = ((number << last) - begin_of_row) * rows;
    const size_t begin_of_upper_row = is_mirrored ? pass.stride - (size_t(1) << last) - begin_of_row : begin_of_row;
    const auto position = [=](unsigned place) {
        const unsigned row = place >> last, column = place & ((1u << last) - 1);
        return begin + row * pass.stride + (row < rows / 2 ? begin_of_row : begin_of_upper_row) + column;
    };

    records.template load<tile::top>(source, position, is_mirrored);
    records.template merge_held<held_bits>(is_mirrored);
    if constexpr (Deals > 1) {
        records.template deal<tile::top, last>(is_mirrored, false);
        records.template merge_held<held_bits>(false);
    }
    records.template store<last>(target, position, Deals == 1 && is_mirrored);
}

} // namespace wf
