// CUB's reductions and scans of a block and of a wave of 32 lanes: cub/cub.cuh. A block's use its TempStorage as CUB's
// default algorithms do, so that a second use without a barrier is the race that it is on GPUs.
#ifndef WAVEFOLD_HOST_TRY_WORDS_BLOCK_WORDS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_BLOCK_WORDS_HPP

#include "words.hpp"

namespace cub {

struct Sum {
    template <class T>
    WF_TRY_UNRECORDED T operator()(T a, T b) const {
        return T(a + b);
    }
};
struct Max {
    template <class T>
    WF_TRY_UNRECORDED T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T>
    WF_TRY_UNRECORDED T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

} // namespace cub

namespace wf::tried {

constexpr unsigned warp_of_cub = 32;

// The lanes of this thread's group of size lanes of its wave.
inline uint64_t lanes_of_group(unsigned size) {
    const unsigned lane = lane_in_wave();
    return (size < 64 ? (uint64_t(1) << size) - 1 : ~uint64_t(0)) << lane / size * size;
}

// As by shuffles down by 1, 2, 4 ...: valid in the group's first lane. count: lanes that have a value.
template <class T, class Fold>
WF_TRY_UNRECORDED T folded_group(T value, unsigned size, unsigned count, Fold fold, const place &at) {
    T all[widest_wave];
    const unsigned first = lane_in_wave() / size * size, self = lane_in_wave() - first;
    const uint64_t there = gather_values(&value, all, sizeof(T), of_mask(lanes_of_group(size)), at);
    const unsigned lanes = unsigned(__builtin_popcountll(there)), end = count < lanes ? count : lanes;
    T *const of_group = all + first;
    for (unsigned by = 1; by < size; by *= 2)
        for (unsigned i = self; i + by < end; i += 2 * by)
            of_group[i] = fold(of_group[i], of_group[i + by]);
    return of_group[self];
}

// Of the group's lanes up to this one; *before: of those before it, if there are any; *all: of the whole group.
template <class T, class Fold>
WF_TRY_UNRECORDED T scanned_group(T value, unsigned size, Fold fold, T *before, T *all, const place &at) {
    T values[widest_wave];
    const unsigned first = lane_in_wave() / size * size, self = lane_in_wave() - first;
    const uint64_t there = gather_values(&value, values, sizeof(T), of_mask(lanes_of_group(size)), at);
    const unsigned lanes = unsigned(__builtin_popcountll(there));
    T sum = values[first], mine = sum;
    for (unsigned i = 1; i < lanes; i++) {
        if (i == self)
            *before = sum;
        sum = fold(sum, values[first + i]);
        if (i == self)
            mine = sum;
    }
    *all = sum;
    return mine;
}

// An access to tile memory, recorded at the kernel's line.
template <class T>
WF_TRY_UNRECORDED void put(T *cell, T value, const place &at) {
    copy_bytes(cell, &value, sizeof(T), at);
}
template <class T>
WF_TRY_UNRECORDED T get(const T *cell, const place &at) {
    T value;
    copy_bytes(&value, cell, sizeof(T), at);
    return value;
}

inline unsigned thread_of_tile() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

} // namespace wf::tried

namespace cub {

template <class T, int LanesOfWarp = 32>
class WarpReduce {
  public:
    struct TempStorage {};
    explicit WarpReduce(TempStorage &) {}
    template <class Fold>
    T Reduce(T value, Fold fold, int valid = LanesOfWarp, WF_TRY_PLACE) {
        return wf::tried::folded_group(value, LanesOfWarp, unsigned(valid), fold, at);
    }
    T Sum(T value, int valid = LanesOfWarp, WF_TRY_PLACE) {
        return wf::tried::folded_group(value, LanesOfWarp, unsigned(valid), cub::Sum(), at);
    }
};

template <class T, int LanesOfWarp = 32>
class WarpScan {
  public:
    struct TempStorage {};
    explicit WarpScan(TempStorage &) {}
    template <class Fold>
    void InclusiveScan(T value, T &result, Fold fold, WF_TRY_PLACE) {
        T before = value, all = value;
        result = wf::tried::scanned_group(value, LanesOfWarp, fold, &before, &all, at);
    }
    template <class Fold>
    void ExclusiveScan(T value, T &result, T initial, Fold fold, WF_TRY_PLACE) {
        T before = value, all = value;
        wf::tried::scanned_group(value, LanesOfWarp, fold, &before, &all, at);
        result = wf::tried::lane_in_wave() % LanesOfWarp == 0 ? initial : T(fold(initial, before));
    }
    void InclusiveSum(T value, T &result, WF_TRY_PLACE) { InclusiveScan(value, result, Sum(), at); }
    void ExclusiveSum(T value, T &result, WF_TRY_PLACE) { ExclusiveScan(value, result, T(), Sum(), at); }
};

// Valid in thread 0. Each warp leaves its result in TempStorage, and thread 0 combines them behind a barrier.
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
  public:
    struct TempStorage {
        T warps[(X * Y * Z + 31) / 32];
    };
    explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

    template <class Fold>
    WF_TRY_UNRECORDED T Reduce(T value, Fold fold, WF_TRY_PLACE) {
        return reduced(value, X * Y * Z, fold, at);
    }
    template <class Fold>
    WF_TRY_UNRECORDED T Reduce(T value, Fold fold, int valid, WF_TRY_PLACE) {
        return reduced(value, unsigned(valid), fold, at);
    }
    template <int Items, class Fold>
    T Reduce(T (&items)[Items], Fold fold, WF_TRY_PLACE) {
        T value = items[0];
        for (int i = 1; i < Items; i++)
            value = fold(value, items[i]);
        return reduced(value, X * Y * Z, fold, at);
    }
    T Sum(T value, WF_TRY_PLACE) { return reduced(value, X * Y * Z, cub::Sum(), at); }
    T Sum(T value, int valid, WF_TRY_PLACE) { return reduced(value, unsigned(valid), cub::Sum(), at); }
    template <int Items>
    T Sum(T (&items)[Items], WF_TRY_PLACE) {
        return Reduce(items, cub::Sum(), at);
    }

  private:
    template <class Fold>
    WF_TRY_UNRECORDED T reduced(T value, unsigned valid, Fold fold, const wf::tried::place &at) {
        using wf::tried::warp_of_cub;
        const unsigned thread = wf::tried::thread_of_tile(), first = thread / warp_of_cub * warp_of_cub;
        T result = wf::tried::folded_group(value, warp_of_cub, valid > first ? valid - first : 0, fold, at);
        if (thread == first)
            wf::tried::put(&storage_.warps[thread / warp_of_cub], result, at);
        wf::tried::tile_barrier(at);
        if (thread == 0)
            for (unsigned warp = 1; warp * warp_of_cub < valid && warp * warp_of_cub < X * Y * Z; warp++)
                result = fold(result, wf::tried::get(&storage_.warps[warp], at));
        return result;
    }

    TempStorage &storage_;
};

// Each warp leaves the result of all its threads in TempStorage; behind a barrier each thread combines those before it.
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
  public:
    struct TempStorage {
        T warps[(X * Y * Z + 31) / 32];
    };
    explicit BlockScan(TempStorage &storage) : storage_(storage) {}

    template <class Fold>
    WF_TRY_UNRECORDED void InclusiveScan(T value, T &result, Fold fold, WF_TRY_PLACE) {
        T before = value, all = value;
        result = scanned(value, fold, &before, &all, at);
    }
    template <class Fold>
    WF_TRY_UNRECORDED void InclusiveScan(T value, T &result, Fold fold, T &of_all, WF_TRY_PLACE) {
        T before = value, all = value;
        result = scanned(value, fold, &before, &all, at);
        of_all = all;
    }
    template <class Fold>
    WF_TRY_UNRECORDED void ExclusiveScan(T value, T &result, T initial, Fold fold, WF_TRY_PLACE) {
        T before = value, all = value;
        scanned(value, fold, &before, &all, at);
        result = wf::tried::thread_of_tile() == 0 ? initial : T(fold(initial, before));
    }
    template <class Fold>
    WF_TRY_UNRECORDED void ExclusiveScan(T value, T &result, T initial, Fold fold, T &of_all, WF_TRY_PLACE) {
        T before = value, all = value;
        scanned(value, fold, &before, &all, at);
        result = wf::tried::thread_of_tile() == 0 ? initial : T(fold(initial, before));
        of_all = all;
    }
    void InclusiveSum(T value, T &result, WF_TRY_PLACE) { InclusiveScan(value, result, Sum(), at); }
    void InclusiveSum(T value, T &result, T &of_all, WF_TRY_PLACE) { InclusiveScan(value, result, Sum(), of_all, at); }
    void ExclusiveSum(T value, T &result, WF_TRY_PLACE) { ExclusiveScan(value, result, T(), Sum(), at); }
    void ExclusiveSum(T value, T &result, T &of_all, WF_TRY_PLACE) {
        ExclusiveScan(value, result, T(), Sum(), of_all, at);
    }
    template <int Items>
    void InclusiveSum(T (&values)[Items], T (&results)[Items], WF_TRY_PLACE) {
        T all = values[0], before;
        for (int i = 1; i < Items; i++)
            all = T(all + values[i]);
        ExclusiveScan(all, before, T(), Sum(), at);
        for (int i = 0; i < Items; i++)
            results[i] = before = T(before + values[i]);
    }
    template <int Items>
    void ExclusiveSum(T (&values)[Items], T (&results)[Items], WF_TRY_PLACE) {
        T all = values[0], before;
        for (int i = 1; i < Items; i++)
            all = T(all + values[i]);
        ExclusiveScan(all, before, T(), Sum(), at);
        for (int i = 0; i < Items; i++) {
            const T value = values[i];
            results[i] = before;
            before = T(before + value);
        }
    }

  private:
    template <class Fold>
    WF_TRY_UNRECORDED T scanned(T value, Fold fold, T *before, T *all, const wf::tried::place &at) {
        using wf::tried::warp_of_cub;
        const unsigned thread = wf::tried::thread_of_tile(), warp = thread / warp_of_cub;
        T of_warp = value, earlier = value;
        T result = wf::tried::scanned_group(value, warp_of_cub, fold, before, &of_warp, at);
        if (thread % warp_of_cub == 0)
            wf::tried::put(&storage_.warps[warp], of_warp, at);
        wf::tried::tile_barrier(at);
        for (unsigned i = 0; i * warp_of_cub < X * Y * Z; i++) {
            if (i == warp && i != 0) {
                *before = thread % warp_of_cub == 0 ? earlier : T(fold(earlier, *before));
                result = fold(earlier, result);
            }
            const T next = wf::tried::get(&storage_.warps[i], at);
            earlier = i == 0 ? next : T(fold(earlier, next));
        }
        *all = earlier;
        return result;
    }

    TempStorage &storage_;
};

} // namespace cub

#endif
