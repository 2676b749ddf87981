// CUDA's and HIP's cooperative groups: cooperative_groups.h.
//
// A group of lanes of a wave is a mask: its words are those of masks.hpp, so lanes of it that do not come are found as
// with masks. A tile of 32 lanes is half of a wave of 64.
#ifndef WAVEFOLD_HOST_TRY_WORDS_GROUPS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_GROUPS_HPP

#include "words.hpp"

namespace wf::tried {

[[noreturn]] void refuse_grid_barrier(const place &at);
void refuse_wide_tile(unsigned size, const place &at);

// The lanes of the wave that are in this lane's tile of size lanes. A tile wider than the wave is reported.
inline uint64_t tile_mask(unsigned size, const place &at) {
    const auto width = unsigned(warpSize);
    if (size > width)
        refuse_wide_tile(size, at);
    const unsigned lanes = size < width ? size : width;
    const uint64_t first_lanes = lanes < 64 ? (uint64_t(1) << lanes) - 1 : ~uint64_t(0);
    return first_lanes << lane_in_wave() / lanes * lanes;
}

inline unsigned rank_in(uint64_t mask, unsigned lane) {
    return unsigned(__builtin_popcountll(mask & ((uint64_t(1) << lane) - 1)));
}
// The lane of this rank.
inline unsigned lane_of(uint64_t mask, unsigned rank) {
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return unsigned(__builtin_ctzll(mask));
}
// Bits of ranks, from bits of lanes.
inline uint64_t ranks_of(uint64_t mask, uint64_t lanes) {
    uint64_t ranks = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1)
        ranks |= (lanes >> __builtin_ctzll(mask) & 1) << rank++;
    return ranks;
}

} // namespace wf::tried

namespace cooperative_groups {

using wf::tried::of_mask;

class thread_group {
  public:
    void sync(WF_TRY_PLACE) const {
        if (is_block_)
            wf::tried::tile_barrier(at);
        else
            wf::tried::wave_barrier(of_mask(mask_), at);
    }
    unsigned thread_rank() const {
        return is_block_ ? threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)
                         : wf::tried::rank_in(mask_, wf::tried::lane_in_wave());
    }
    unsigned num_threads() const {
        return is_block_ ? blockDim.x * blockDim.y * blockDim.z : unsigned(__builtin_popcountll(mask_));
    }
    unsigned size() const { return num_threads(); }
    bool is_valid() const { return true; }
    uint64_t wf_mask() const { return mask_; }

  protected:
    thread_group(bool is_block, uint64_t mask) : is_block_(is_block), mask_(mask) {}

  private:
    bool is_block_;
    uint64_t mask_; // of lanes of the wave
};

class thread_block : public thread_group {
  public:
    thread_block() : thread_group(true, 0) {}
    dim3 group_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
};
inline thread_block this_thread_block() {
    return {};
}

class grid_group {
  public:
    // Tiles run one after the other here.
    void sync(WF_TRY_PLACE) const {
        if (num_blocks() != 1)
            wf::tried::refuse_grid_barrier(at);
        wf::tried::tile_barrier(at);
    }
    bool is_valid() const { return true; }
    unsigned long long block_rank() const {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    unsigned long long thread_rank() const {
        return block_rank() * this_thread_block().size() + this_thread_block().thread_rank();
    }
    unsigned long long num_threads() const { return num_blocks() * this_thread_block().size(); }
    unsigned long long size() const { return num_threads(); }
    dim3 block_index() const { return blockIdx; }
    dim3 dim_blocks() const { return gridDim; }
    dim3 group_dim() const { return gridDim; }
};
inline grid_group this_grid() {
    return {};
}

// What groups of lanes of one wave have.
class lane_group : public thread_group {
  public:
    template <class T>
    WF_TRY_UNRECORDED T shfl(T value, int rank, WF_TRY_PLACE) const {
        return from_rank(value, unsigned(rank) % num_threads(), at);
    }
    template <class T>
    WF_TRY_UNRECORDED T shfl_down(T value, unsigned by, WF_TRY_PLACE) const {
        const unsigned self = thread_rank();
        return from_rank(value, by < num_threads() - self ? self + by : self, at);
    }
    template <class T>
    WF_TRY_UNRECORDED T shfl_up(T value, unsigned by, WF_TRY_PLACE) const {
        const unsigned self = thread_rank();
        return from_rank(value, by <= self ? self - by : self, at);
    }
    template <class T>
    WF_TRY_UNRECORDED T shfl_xor(T value, unsigned by, WF_TRY_PLACE) const {
        const unsigned self = thread_rank();
        return from_rank(value, (self ^ by) < num_threads() ? self ^ by : self, at);
    }
    int any(int mine, WF_TRY_PLACE) const { return wf::tried::polled(mine != 0, of_mask(wf_mask()), at).votes != 0; }
    int all(int mine, WF_TRY_PLACE) const { return wf::tried::polled(mine == 0, of_mask(wf_mask()), at).votes == 0; }
    uint64_t ballot(int mine, WF_TRY_PLACE) const {
        return wf::tried::ranks_of(wf_mask(), wf::tried::polled(mine != 0, of_mask(wf_mask()), at).votes);
    }
    template <class T>
    WF_TRY_UNRECORDED uint64_t match_any(T value, WF_TRY_PLACE) const {
        uint64_t lanes;
        return wf::tried::ranks_of(wf_mask(), wf::tried::equal_lanes(value, &lanes, of_mask(wf_mask()), at));
    }
    template <class T>
    WF_TRY_UNRECORDED uint64_t match_all(T value, int &is_same, WF_TRY_PLACE) const {
        uint64_t lanes;
        const uint64_t equal = wf::tried::equal_lanes(value, &lanes, of_mask(wf_mask()), at);
        is_same = equal == lanes;
        return equal == lanes ? wf::tried::ranks_of(wf_mask(), lanes) : 0;
    }

  protected:
    explicit lane_group(uint64_t mask) : thread_group(false, mask) {}

  private:
    template <class T>
    WF_TRY_UNRECORDED T from_rank(T value, unsigned rank, const wf::tried::place &at) const {
        static_assert(sizeof(T) <= 64, "a shuffle moves up to 64 bytes");
        wf::tried::exchange_values(&value, sizeof(T), wf::tried::lane_of(wf_mask(), rank), of_mask(wf_mask()), at);
        return value;
    }
};

class coalesced_group : public lane_group {
  public:
    explicit coalesced_group(uint64_t mask) : lane_group(mask) {}
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
};
// The lanes that reach it together, as __activemask().
inline coalesced_group coalesced_threads(WF_TRY_PLACE) {
    return coalesced_group(wf::tried::polled(true, {}, at).lanes);
}

template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");

  public:
    explicit thread_block_tile(uint64_t mask) : lane_group(mask) {}
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other> &of) : lane_group(of.wf_mask()) {}
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
    unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &, WF_TRY_PLACE) {
    return thread_block_tile<Size, Parent>(wf::tried::tile_mask(Size, at));
}
// Of a group whose lanes may lie apart, in the order of their ranks.
inline coalesced_group tiled_partition(const coalesced_group &of, unsigned size) {
    uint64_t mask = 0;
    for (unsigned rank = of.thread_rank() / size * size, i = 0; i < size && rank + i < of.size(); i++)
        mask |= uint64_t(1) << wf::tried::lane_of(of.wf_mask(), rank + i);
    return coalesced_group(mask);
}
template <unsigned Size>
coalesced_group tiled_partition(const coalesced_group &of) {
    return tiled_partition(of, Size);
}
inline coalesced_group tiled_partition(const thread_group &of, unsigned size, WF_TRY_PLACE) {
    return of.wf_mask() != 0 ? tiled_partition(coalesced_group(of.wf_mask()), size)
                             : coalesced_group(wf::tried::tile_mask(size, at)); // of a block
}
template <class Label>
WF_TRY_UNRECORDED coalesced_group labeled_partition(const lane_group &of, Label label, WF_TRY_PLACE) {
    uint64_t lanes;
    return coalesced_group(wf::tried::equal_lanes(label, &lanes, of_mask(of.wf_mask()), at));
}
inline coalesced_group binary_partition(const lane_group &of, bool mine, WF_TRY_PLACE) {
    const wf::tried::poll all = wf::tried::polled(mine, of_mask(of.wf_mask()), at);
    return coalesced_group(mine ? all.votes : all.lanes & ~all.votes);
}

template <class Group>
void sync(const Group &group, WF_TRY_PLACE) {
    group.sync(at);
}
inline void sync(const thread_block &group, WF_TRY_PLACE) {
    group.sync(at);
}

} // namespace cooperative_groups

#endif
