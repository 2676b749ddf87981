// Extremes and where they stand: min, max, minmax, argmin, argmax.
//
// An element's rank is a signed or unsigned integer that grows with it, so that extremes of every type are extremes of
// integers. Floats of one sign are ordered as their bits are; -0 ranks right below +0, and NaN beyond the infinities:
// those with the sign bit below, the others above. So the least and the largest rank of a chunk also tell whether it
// has a NaN.
//
// Where an extreme stands is not looked for on the way: it is enough to know its chunk, and to search that in the end.
#ifndef WAVEFOLD_HOST_NATIVE_EXTREMES_HPP
#define WAVEFOLD_HOST_NATIVE_EXTREMES_HPP

#include "../default_float_environment.hpp"
#include "arithmetic.hpp"
#include "native.hpp"
#include "simd.hpp"

namespace wf::host::native {
namespace {

constexpr uint64_t nowhere = ~uint64_t(0);

// Two extremes and a rank take so many instructions that a core looks ahead over few loads. Measured (Xeon, Sapphire
// Rapids; EPYC): from memory 12 to 20 % faster by 4 KiB, another 1 % by 8, and from the cache no slower. As with
// ask_ahead, what is not there may be asked for.
constexpr size_t bytes_before_need = 8192;

template <class T>
struct ranks {
    using rank = std::conditional_t<
        is_float<T>, std::conditional_t<sizeof(T) == 8, int64_t, std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>,
        T>;
    static constexpr unsigned bits = 8 * sizeof(rank);
    static constexpr rank most = std::is_signed_v<rank> ? rank((uint64_t(1) << (bits - 1)) - 1) : rank(~uint64_t(0));
    static constexpr rank least = rank(~most);
    // Of floats alone: IEEE 754's formats; bf16 is the upper half of a binary32.
    static constexpr unsigned fraction_bits = std::is_same_v<T, f16>    ? 10
                                              : std::is_same_v<T, bf16> ? 7
                                              : sizeof(T) == 8          ? 52
                                                                        : 23 % bits;
    static constexpr rank infinity = rank(most ^ rank((uint64_t(1) << fraction_bits) - 1));
    static constexpr rank quiet_nan = rank(infinity | rank(uint64_t(1) << (fraction_bits - 1)));

    // Of the element's bits, or of a vector of them; its own inverse.
    template <class A>
    static A of(A stored) {
        if constexpr (is_float<T>)
            return A(stored ^ ((stored >> (bits - 1)) & most));
        else
            return stored;
    }
    static bool is_nan(rank of_element) {
        return is_float<T> && (of_element > infinity || of_element < rank(~infinity));
    }
};

template <class T>
struct range {
    using rank = typename ranks<T>::rank;
    rank least = ranks<T>::most, most = ranks<T>::least;

    bool has_nan() const { return ranks<T>::is_nan(least) || ranks<T>::is_nan(most); }
};

struct lesser {
    template <class A>
    A operator()(A a, A b) const {
        return a < b ? a : b;
    }
};
struct greater {
    template <class A>
    A operator()(A a, A b) const {
        return a > b ? a : b;
    }
};

// Which extremes are asked for.
enum class wanted { least, most, both };

// By ranks. What was not asked for is left as it was, but of floats, where both tell of NaN.
template <class T, wanted Wanted, size_t... I>
inline range<T> range_by_ranks(const char *in, size_t count, std::index_sequence<I...>) {
    using rank = typename ranks<T>::rank;
    constexpr size_t width = lane_count<rank>;
    using vector = lanes<rank, width>;
    constexpr bool wants_least = Wanted != wanted::most || is_float<T>,
                   wants_most = Wanted != wanted::least || is_float<T>;
    range<T> all;
    if (count >= width) {
        vector least[sizeof...(I)] = {(static_cast<void>(I), all_of<rank, width>(ranks<T>::most))...};
        vector most[sizeof...(I)] = {(static_cast<void>(I), all_of<rank, width>(ranks<T>::least))...};
        const auto take = [&](size_t i, const char *at) __attribute__((always_inline)) {
            __builtin_prefetch(at + bytes_before_need);
            const vector here = ranks<T>::of(load<vector>(at));
            if constexpr (wants_least)
                least[i] = lesser()(least[i], here);
            if constexpr (wants_most)
                most[i] = greater()(most[i], here);
        };
        for (; count >= sizeof...(I) * width; count -= sizeof...(I) * width, in += sizeof...(I) * sizeof(vector))
            (take(I, in + I * sizeof(vector)), ...);
        for (; count >= width; count -= width, in += sizeof(vector))
            take(0, in);
        for (size_t i = 1; i < sizeof...(I); i++) {
            least[0] = lesser()(least[0], least[i]);
            most[0] = greater()(most[0], most[i]);
        }
        all.least = fold_lanes<rank, width>(least[0], lesser());
        all.most = fold_lanes<rank, width>(most[0], greater());
    }
    for (; count > 0; count--, in += sizeof(rank)) {
        const rank here = ranks<T>::of(load<rank>(in));
        all.least = lesser()(all.least, here);
        all.most = greater()(all.most, here);
    }
    return all;
}

// One extreme of floats by their values, for which there is one instruction: 2.5 for each vector in place of 5. Values
// do not tell -0 from +0, so the signs are kept: where the least is a zero, none is set but of -0, and where the most
// is, none is clear but of +0. False if there is a NaN. The CPU must be in its usual modes.
template <class T, wanted Wanted, size_t... I>
__attribute__((noinline)) bool extreme_by_value(const char *in, size_t count, range<T> *of, std::index_sequence<I...>) {
    constexpr bool wants_least = Wanted == wanted::least;
    using rank = typename ranks<T>::rank;
    constexpr size_t width = lane_count<T>, step = 2 * sizeof...(I) * width; // vectors go in pairs
    using vector = lanes<T, width>;
    using words = lanes<rank, width>;
    const std::conditional_t<wants_least, lesser, greater> pick;
    const std::conditional_t<wants_least, bit_or, bit_and> join;
    T found = load<T>(in);
    rank signs = load<rank>(in);
    bool has_nan = false;
    if (count >= step) {
        vector best[2 * sizeof...(I)] = {(static_cast<void>(I), all_of<T, width>(found))...,
                                         (static_cast<void>(I), all_of<T, width>(found))...};
        words sign[sizeof...(I)] = {(static_cast<void>(I), all_of<rank, width>(signs))...};
        nan_watch<T> nan;
        const auto take = [&](size_t i, const char *at) __attribute__((always_inline)) {
            __builtin_prefetch(at + bytes_before_need);
            __builtin_prefetch(at + bytes_before_need + sizeof(vector));
            const vector first = in_register(load<vector>(at)), second = in_register(load<vector>(at + sizeof(vector)));
            best[2 * i] = pick(first, best[2 * i]);
            best[2 * i + 1] = pick(second, best[2 * i + 1]);
            sign[i] = join(sign[i], join(bits_as<words>(first), bits_as<words>(second)));
            nan.look(first, second);
        };
        for (; count >= step; count -= step, in += step * sizeof(T))
            (take(I, in + 2 * I * sizeof(vector)), ...);
        for (size_t i = 1; i < 2 * sizeof...(I); i++)
            best[0] = pick(best[0], best[i]);
        for (size_t i = 1; i < sizeof...(I); i++)
            sign[0] = join(sign[0], sign[i]);
        has_nan = nan.any();
        found = fold_lanes<T, width>(best[0], pick);
        signs = fold_lanes<rank, width>(sign[0], join);
    }
    for (; count > 0; count--, in += sizeof(T)) {
        const T here = load<T>(in);
        found = pick(here, found);
        signs = join(signs, load<rank>(in));
        has_nan |= here != here;
    }
    const rank stored = found == 0 ? rank(signs & ranks<T>::least) : bits_as<rank>(found);
    of->least = of->most = ranks<T>::of(stored); // as a range, of what was asked for alone
    return !has_nan;
}

template <class T, wanted Wanted>
range<T> range_of(const char *in, size_t count) {
    if constexpr (std::is_floating_point_v<T> && has_float_environment && Wanted != wanted::both) {
        range<T> of;
        if (extreme_by_value<T, Wanted>(in, count, &of, std::make_index_sequence<4>()))
            return of;
    }
    return range_by_ranks<T, Wanted>(in, count, std::make_index_sequence<4>());
}

// The index of the first element with this rank, of which there is one among count.
template <class T>
size_t find_rank(const char *in, size_t count, typename ranks<T>::rank wanted) {
    using rank = typename ranks<T>::rank;
    constexpr size_t width = lane_count<rank>;
    constexpr size_t block = 8; // vectors looked at together
    const rank stored = ranks<T>::of(wanted);
    const auto vector = all_of<rank, width>(stored);
    // Whether it is in one of so many vectors from element i on.
    const auto is_in = [&](size_t i, size_t vectors) __attribute__((always_inline)) {
        auto hits = vector != vector;
        for (size_t j = 0; j < vectors; j++)
            hits |= load<lanes<rank, width>>(in + (i + j * width) * sizeof(rank)) == vector;
        return fold_lanes<uint64_t, lane_count<uint64_t>>(bits_as<lanes<uint64_t, lane_count<uint64_t>>>(hits),
                                                          bit_or()) != 0;
    };
    size_t i = 0;
    while (count - i >= block * width && !is_in(i, block))
        i += block * width;
    while (count - i >= width && !is_in(i, 1))
        i += width;
    while (load<rank>(in + i * sizeof(rank)) != stored)
        i++;
    return i;
}

// The index of the first NaN, of which there is one.
template <class T>
size_t find_nan(const char *in) {
    using rank = typename ranks<T>::rank;
    size_t i = 0;
    while (!ranks<T>::is_nan(ranks<T>::of(load<rank>(in + i * sizeof(rank)))))
        i++;
    return i;
}

// Copies the elements that are no NaN; how many those are.
template <class T>
size_t drop_nan(const char *in, size_t count, char *to) {
    using rank = typename ranks<T>::rank;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const rank bits = load<rank>(in + i * sizeof(rank));
        __builtin_memcpy(to + kept * sizeof(rank), &bits, sizeof bits);
        kept += !ranks<T>::is_nan(ranks<T>::of(bits));
    }
    return kept;
}

// The extremes of a piece, and the first elements of the chunks in which each stands first.
template <class T>
struct extremes : range<T> {
    uint64_t least_chunk = nowhere, most_chunk = nowhere, nan_chunk = nowhere;

    void take(const range<T> &of_chunk, uint64_t chunk) {
        if (least_chunk == nowhere || of_chunk.least < this->least) {
            this->least = of_chunk.least;
            least_chunk = chunk;
        }
        if (most_chunk == nowhere || of_chunk.most > this->most) {
            this->most = of_chunk.most;
            most_chunk = chunk;
        }
    }
    // With what lies behind.
    void join(const extremes &next) {
        if (nan_chunk == nowhere)
            nan_chunk = next.nan_chunk;
        if (next.least_chunk != nowhere && (least_chunk == nowhere || next.least < this->least)) {
            this->least = next.least;
            least_chunk = next.least_chunk;
        }
        if (next.most_chunk != nowhere && (most_chunk == nowhere || next.most > this->most)) {
            this->most = next.most;
            most_chunk = next.most_chunk;
        }
    }
};

// Goes through a piece by chunks: each(in, count, range) is called for every chunk as it is, or with its NaN dropped,
// unless those propagate: then the first one ends it.
template <class T, wanted Wanted, class Each>
inline extremes<T> extremes_of(const job &what, uint64_t begin, uint64_t end, const Each &each) {
    constexpr size_t chunk = chunk_bytes / sizeof(T);
    extremes<T> found;
    for (uint64_t i = begin; i < end; i += chunk) {
        const char *in = what.in + i * sizeof(T);
        size_t count = end - i < chunk ? end - i : chunk;
        range<T> here = range_of<T, Wanted>(in, count);
        char numbers[is_float<T> ? chunk_bytes : 1];
        if (here.has_nan()) {
            if (what.nan == WF_NAN_PROPAGATE) {
                found.nan_chunk = i;
                break;
            }
            count = drop_nan<T>(in, count, numbers);
            if (count == 0)
                continue;
            in = numbers;
            here = range_of<T, Wanted>(in, count);
        }
        found.take(here, i);
        each(in, count, here);
    }
    return found;
}

// An extreme of the whole array, as it is stored, and its index if that is wanted.
template <class T>
struct place {
    typename ranks<T>::rank stored;
    uint64_t index;
};

template <class T>
place<T> least_or_most(const job &what, const extremes<T> &all, bool want_least, bool want_index) {
    using rank = typename ranks<T>::rank;
    constexpr uint64_t most_count = chunk_bytes / sizeof(T);
    const auto at = [&](uint64_t i) { return what.in + i * sizeof(T); };
    if (all.nan_chunk != nowhere) {
        const uint64_t index = all.nan_chunk + find_nan<T>(at(all.nan_chunk));
        return {load<rank>(at(index)), index};
    }
    const uint64_t chunk = want_least ? all.least_chunk : all.most_chunk;
    const rank found = want_least ? all.least : all.most;
    if (chunk != nowhere) {
        if (!want_index)
            return {ranks<T>::of(found), nowhere};
        const uint64_t left = what.count - chunk;
        return {ranks<T>::of(found), chunk + find_rank<T>(at(chunk), left < most_count ? left : most_count, found)};
    }
    // The identity. Where NaN are passed over, that is what changes nothing: a NaN.
    if constexpr (is_float<T>) {
        const rank infinity = want_least ? ranks<T>::infinity : ranks<T>::of(rank(~ranks<T>::infinity));
        return {what.nan == WF_NAN_IGNORE ? ranks<T>::quiet_nan : infinity, nowhere};
    }
    return {want_least ? ranks<T>::most : ranks<T>::least, nowhere};
}

template <class T>
struct extreme {
    template <wanted Wanted>
    static void fold_for(const job &what, uint64_t begin, uint64_t end, partial *to) {
        const auto found = extremes_of<T, Wanted>(what, begin, end, [](const char *, size_t, const range<T> &) {});
        static_assert(sizeof found <= sizeof to->bytes, "a piece must hold it");
        __builtin_memcpy(to->bytes, &found, sizeof found);
    }
    static void fold(const job &what, uint64_t begin, uint64_t end, partial *to) {
        if (what.op == WF_MINMAX)
            fold_for<wanted::both>(what, begin, end, to);
        else if (what.op == WF_MIN || what.op == WF_ARGMIN)
            fold_for<wanted::least>(what, begin, end, to);
        else
            fold_for<wanted::most>(what, begin, end, to);
    }
    static void finish(const job &what, const partial *pieces, size_t count, void *result) {
        extremes<T> all;
        for (size_t i = 0; i < count; i++)
            all.join(load<extremes<T>>(reinterpret_cast<const char *>(pieces[i].bytes)));
        const bool want_least = what.op != WF_MAX && what.op != WF_ARGMAX;
        const bool want_index = what.op == WF_ARGMIN || what.op == WF_ARGMAX;
        const place<T> first = least_or_most(what, all, want_least, want_index);
        auto *to = static_cast<char *>(result);
        if (want_index) {
            const uint64_t words[2] = {0, first.index}; // the bytes between value and index are 0
            __builtin_memcpy(to, words, sizeof words);
        }
        __builtin_memcpy(to, &first.stored, sizeof first.stored);
        if (what.op == WF_MINMAX) {
            const place<T> second = least_or_most(what, all, false, false);
            __builtin_memcpy(to + sizeof(T), &second.stored, sizeof second.stored);
        }
    }
};

} // namespace
} // namespace wf::host::native
#endif
