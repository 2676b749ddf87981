// Words for sorts: records of a key's code and its value, and the arrays that they come from and go to.
#ifndef WAVEFOLD_SORT_RECORDS_HPP
#define WAVEFOLD_SORT_RECORDS_HPP

#include "../tile.hpp"
#include "key_order.hpp"

namespace wf {

// What stands for a value where there is none.
struct no_value {};

// A value shorter than the key is widened to it, so that there is no padding. Aligned, so that a record moves through
// tile memory in whole words: to 8 bytes, as compilers for gfx9 run out of scalar registers with 16.
template <class U, class V>
struct alignas(8) record {
    U key; // its code
    std::conditional_t<(sizeof(U) > sizeof(V)), U, V> value;
};
template <class U>
struct record<U, no_value> {
    U key;
};

template <class T>
__device__ __forceinline__ void swap_if(bool swaps, T &a, T &b) {
    const T first = swaps ? b : a;
    b = swaps ? a : b;
    a = first;
}

// Puts the smaller record first; true if they changed places. Equal ones do not, so that what stands for a missing
// record stays behind all others, also those with the same key. Word by word, so that records stay in registers.
template <class U, class V>
__device__ __forceinline__ bool compare_exchange(record<U, V> &low, record<U, V> &high) {
    const bool swaps = high.key < low.key;
    swap_if(swaps, low.key, high.key);
    if constexpr (!std::is_same_v<V, no_value>)
        swap_if(swaps, low.value, high.value);
    return swaps;
}

// Where a pass over the array takes its records from.
template <class U, class V>
struct sort_source {
    array_view<const U> keys;
    array_view<const V> values; // none if positions stand for them
    key_order<U> order;
    bool is_encoded; // by an earlier pass

    __device__ __forceinline__ size_t size() const { return keys.size(); }
    // Of keys alone.
    __device__ __forceinline__ sort_source section(size_t begin, size_t count) const {
        return {keys.section(begin, count), values, order, is_encoded};
    }
    __device__ __forceinline__ record<U, V> load(size_t i) const {
        record<U, V> loaded = {};
        const U key = keys[i];
        loaded.key = is_encoded ? key : order.encode(key);
        if constexpr (!std::is_same_v<V, no_value>)
            loaded.value = values.size() != 0 ? V(values[i]) : V(i);
        return loaded;
    }
    // Behind the end are records that nothing comes behind.
    __device__ __forceinline__ record<U, V> operator[](size_t i) const {
        if (i < size())
            return load(i);
        record<U, V> missing = {};
        missing.key = U(~U(0));
        return missing;
    }
};

// Where it leaves them.
template <class U, class V>
struct sort_target {
    array_view<U> keys;
    array_view<V> values;
    key_order<U> order;
    bool stays_encoded; // for a later pass

    __device__ __forceinline__ size_t size() const { return keys.size(); }
    __device__ __forceinline__ void store(size_t i, const record<U, V> &stored) const {
        keys[i] = stays_encoded ? stored.key : order.decode(stored.key);
        if constexpr (!std::is_same_v<V, no_value>)
            values[i] = V(stored.value);
    }
    // Drops what lies behind the end.
    __device__ __forceinline__ void store_inside(size_t i, const record<U, V> &stored) const {
        if (i < size())
            store(i, stored);
    }
};

// Which part of the sort a launch does. Lengths are powers of two.
struct sort_pass {
    size_t first_tile; // the number of the launch's first tile: large passes take several launches
    size_t block;      // the length to which sorted halves are merged
    size_t stride;     // the distance, or the shortest one, of the elements compared
};

} // namespace wf
#endif
