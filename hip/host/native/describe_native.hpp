// Descriptions: count, sum, extremes, mean and variance, with one look at memory; what follows looks at the chunk
// again, which is then in the nearest cache. Of floats, sum and mean are exact, rounded once.
#ifndef WAVEFOLD_HOST_NATIVE_DESCRIBE_NATIVE_HPP
#define WAVEFOLD_HOST_NATIVE_DESCRIBE_NATIVE_HPP

#include "arithmetic.hpp"
#include "exact_native.hpp"
#include "extremes.hpp"
#include "integer_moments.hpp"
#include "native.hpp"
#include "simd.hpp"
#include "wavefold_sum.h"

namespace wf::host::native {
namespace {

struct moments {
    uint64_t count = 0;
    // The mean is the sum of these. As one number it would be off by its last place, which a variance can be small
    // beside; pivots that lie close have an exact difference.
    double pivot = 0, beyond = 0;
    double squares = 0; // of the distances from the mean, summed

    // Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance", (2.1).
    void join(const moments &next) {
        if (next.count == 0)
            return;
        if (count == 0) {
            *this = next;
            return;
        }
        const double mine = static_cast<double>(count), theirs = static_cast<double>(next.count);
        const double apart = (next.pivot - pivot) + (next.beyond - beyond), all = mine + theirs;
        beyond += apart * (theirs / all);
        squares += next.squares + apart * apart * (mine / all) * theirs;
        count += next.count;
    }
};

// Distances of floats from a pivot.
template <class T>
struct distances {
    static constexpr size_t width = lane_count<double>;
    double pivot;
    auto lanes_at(const char *in) const { return lift<double, T, width>(in) - pivot; }
    double at(const char *in) const { return lift_one<double, T>(in) - pivot; }
};

// The moments about some pivot, corrected for that not being the mean.
template <class T, size_t... I>
inline moments moments_about(const distances<T> &from, const char *in, size_t count, std::index_sequence<I...>) {
    constexpr size_t width = lane_count<double>;
    constexpr size_t step = width * sizeof(T);
    using vector = lanes<double, width>;
    vector sums[sizeof...(I)] = {(static_cast<void>(I), vector{})...};
    vector squares[sizeof...(I)] = {(static_cast<void>(I), vector{})...};
    const auto take = [&](size_t i, const char *at) __attribute__((always_inline)) {
        const vector distance = from.lanes_at(at);
        sums[i] += distance;
        squares[i] += distance * distance;
    };
    size_t left = count;
    for (; left >= sizeof...(I) * width; left -= sizeof...(I) * width, in += sizeof...(I) * step)
        (take(I, in + I * step), ...);
    for (; left >= width; left -= width, in += step)
        take(0, in);
    for (size_t i = 1; i < sizeof...(I); i++) {
        sums[0] += sums[i];
        squares[0] += squares[i];
    }
    double sum = fold_lanes<double, width>(sums[0], add());
    double square = fold_lanes<double, width>(squares[0], add());
    for (; left > 0; left--, in += sizeof(T)) {
        const double distance = from.at(in);
        sum += distance;
        square += distance * distance;
    }
    const double n = static_cast<double>(count);
    const double about_mean = square - sum * (sum / n);
    return {count, from.pivot, sum / n, about_mean < 0 ? 0 : about_mean}; // NaN stays
}

template <class T>
struct description {
    using sum_type = std::conditional_t<is_float<T>, double, uint64_t>;
    using block = std::conditional_t<is_float<T>, double, std::conditional_t<(sizeof(T) <= 2), uint32_t, uint64_t>>;
    struct piece {
        extremes<T> found;
        std::conditional_t<is_float<T>, moments, integer_moments<T>> about;
    };

    // Of a chunk of floats without NaN, whose sum is known. The pivot lies among them: equal ones have distances of 0,
    // not such as the sum's rounding makes, whose squares could be beyond the largest double. Of finite elements the
    // sum may be infinite, or, of some whose distances' squares are, NaN.
    static moments moments_of(const char *in, size_t count, double sum, const range<T> &range) {
        const double least = number(ranks<T>::of(range.least)).f64, most = number(ranks<T>::of(range.most)).f64;
        const double mean = sum / static_cast<double>(count), pivot = mean < least ? least : mean > most ? most : mean;
        return moments_about<T>({pivot}, in, count, std::make_index_sequence<4>());
    }

    static void fold(const job &what, uint64_t begin, uint64_t end, partial *to, wf_sum_state *exact) {
        piece here;
        if constexpr (is_float<T>)
            wf_start_state(exact);
        else
            static_cast<void>(exact);
        here.found =
            extremes_of<T, wanted::both>(what, begin, end, [&](const char *in, size_t count, const range<T> &range) {
                const auto sum = fold_elements<T, block, sum_type, add, WF_TERM_ELEMENT, false>(in, count);
                if constexpr (is_float<T>) {
                    add_chunk_exactly<T>(in, count, exact);
                    here.about.join(moments_of(in, count, sum, range));
                } else {
                    here.about.add_chunk(in, count, range, sum);
                }
            });
        static_assert(sizeof here <= sizeof to->bytes, "a piece must hold it");
        __builtin_memcpy(to->bytes, &here, sizeof here);
    }

    static wf_number number(typename ranks<T>::rank stored) {
        wf_number wide;
        if constexpr (is_float<T>)
            wide.f64 = lift_one<double, T>(reinterpret_cast<const char *>(&stored));
        else if constexpr (std::is_signed_v<T>)
            wide.i64 = stored;
        else
            wide.u64 = stored;
        return wide;
    }

    static double rounded(wf_sum_state sum, bool averages) {
        return bits_as<double>(wf_round_state(&sum, averages, WF_F64));
    }

    static void finish(const job &what, const partial *pieces, size_t count, const wf_sum_state &exact,
                       wf_description *result) {
        const double nan = __builtin_nan("");
        piece all;
        for (size_t i = 0; i < count; i++) {
            const auto next = load<piece>(reinterpret_cast<const char *>(pieces[i].bytes));
            all.found.join(next.found);
            all.about.join(next.about);
        }
        const bool is_nan = all.found.nan_chunk != nowhere;
        const place<T> least = least_or_most(what, all.found, true, true),
                       most = least_or_most(what, all.found, false, true);
        wf_description made = {};
        if constexpr (is_float<T>)
            made.count = is_nan ? what.count : all.about.count;
        else
            made.count = all.about.count();
        made.min = number(least.stored);
        made.max = number(most.stored);
        made.argmin = least.index;
        made.argmax = most.index;
        if constexpr (is_float<T>) {
            made.sum.f64 = is_nan ? nan : rounded(exact, false);
            made.mean = rounded(exact, true);
            const bool has_infinity = made.min.f64 - made.min.f64 != 0 || made.max.f64 - made.max.f64 != 0;
            double squares = __builtin_fabs(all.about.squares); // of one number they may be -0
            if (__builtin_isnan(squares))
                squares = __builtin_inf(); // of finite elements alone, it comes of what is beyond the largest double
            made.variance = has_infinity ? nan : squares / static_cast<double>(made.count);
        } else {
            static_cast<void>(exact);
            made.sum.u64 = all.about.wrapped_sum();
            made.mean = all.about.mean();
            made.variance = all.about.variance();
        }
        if (is_nan || made.count == 0)
            made.mean = made.variance = nan;
        *result = made;
    }
};

} // namespace
} // namespace wf::host::native
#endif
