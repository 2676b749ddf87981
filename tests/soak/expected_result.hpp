// What a reduction of a slice has to give, from the slice's facts: by whole numbers of 128 bits, rounded once.
#ifndef WAVEFOLD_SOAK_EXPECTED_RESULT_HPP
#define WAVEFOLD_SOAK_EXPECTED_RESULT_HPP

#include "slice_facts.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>

namespace soak {

using wide = __int128;

inline wide joined(const uint64_t halves[2]) {
    return static_cast<wide>(halves[0]) + (static_cast<wide>(halves[1]) << 32);
}

inline wide squares_of(const facts &of) { // fits for 2^31 floats of 44 bits; of integers the lower 64 bits are right
    unsigned __int128 sum = 0;
    for (int k = 3; k >= 0; k--)
        sum = (sum << 32) + of.squares[k];
    return static_cast<wide>(sum);
}

// number * 2^exponent to nearest even, in the type: as an f64, which holds it.
inline double rounded(wf_type type, wide number, int exponent) {
    const int precision = type == WF_F64 ? 53 : type == WF_F32 ? 24 : type == WF_F16 ? 11 : 8;
    const int last = type == WF_F64 ? -1074 : type == WF_F32 ? -149 : type == WF_F16 ? -24 : -133; // bit that there is
    const bool is_negative = number < 0;
    unsigned __int128 magnitude = is_negative ? -static_cast<unsigned __int128>(number) : number;
    int bits = 0;
    for (unsigned __int128 rest = magnitude; rest != 0; rest >>= 1)
        bits++;
    const int drop = std::max(bits - precision, last - exponent);
    if (drop > 0) {
        const unsigned __int128 one = 1, below = drop > 127 ? magnitude : magnitude & ((one << drop) - 1);
        const unsigned __int128 half = drop > 127 ? ~static_cast<unsigned __int128>(0) : one << (drop - 1);
        magnitude = drop > 127 ? 0 : magnitude >> drop;
        if (below > half || (below == half && (magnitude & 1) != 0))
            magnitude++;
        exponent += drop;
    }
    double value = std::ldexp(static_cast<double>(magnitude), exponent); // at most 53 bits are left
    if (type == WF_F16 && value > 65504)
        value = INFINITY;
    return is_negative ? -value : value;
}

// number * 2^exponent / count, rounded once.
inline double quotient(wf_type type, wide number, int exponent, uint64_t count) {
    const bool is_negative = number < 0;
    unsigned __int128 magnitude = is_negative ? -static_cast<unsigned __int128>(number) : number;
    while (magnitude != 0 && magnitude >> 125 == 0) {
        magnitude <<= 1;
        exponent--;
    }
    wide result = static_cast<wide>(magnitude / count);
    if (magnitude % count != 0)
        result |= 1; // far below what is kept
    return rounded(type, is_negative ? -result : result, exponent);
}

inline void put_float(wf_type type, double value, void *to) {
    if (type == WF_F64) {
        std::memcpy(to, &value, sizeof value);
    } else if (type == WF_F32) {
        const float narrow = static_cast<float>(value);
        std::memcpy(to, &narrow, sizeof narrow);
    } else if (type == WF_F16) {
        const __half narrow = __double2half(value);
        std::memcpy(to, &narrow, sizeof narrow);
    } else {
        const __nv_bfloat16 narrow = __double2bfloat16(value);
        std::memcpy(to, &narrow, sizeof narrow);
    }
}

// An element of the array, from the order in which facts keep it.
inline void put_element(wf_type type, int64_t order, void *to) {
    if (is_float(type)) {
        put_float(type, rounded(WF_F64, order, -form_of(type).fraction_bits), to);
        return;
    }
    const uint64_t bits = is_signed(type) ? uint64_t(order) : uint64_t(order) ^ uint64_t(1) << 63;
    std::memcpy(to, &bits, bytes_of(type));
}

// The result of at least one element, or false: it is none that whole numbers tell.
inline bool expected_result(const wf_reduce_spec &what, const wf_reduction_info &info, const facts &of, uint64_t count,
                            void *result) {
    const int scale = is_float(what.type) ? -form_of(what.type).fraction_bits : 0;
    const wide positive = joined(of.positive), negative = joined(of.negative);
    const wide sum = positive - negative, magnitudes = positive + negative;
    const bool rounds = is_float(info.result_type);
    const auto put_sum = [&](wide number, int exponent) {
        const uint64_t wrapped = uint64_t(number);
        if (rounds)
            put_float(info.result_type, rounded(info.result_type, number, exponent), result);
        else
            std::memcpy(result, &wrapped, bytes_of(info.result_type));
    };
    if (is_float(what.type) && info.accuracy != WF_ACCURACY_EXACT &&
        (what.op == WF_SUM || what.op == WF_MEAN || what.op == WF_ASUM || what.op == WF_SUMSQ || what.op == WF_PRODUCT))
        return false;
    switch (what.op) {
    case WF_SUM:
        put_sum(sum, scale);
        return true;
    case WF_ASUM:
        put_sum(magnitudes, scale);
        return true;
    case WF_SUMSQ:
        if (is_float(what.type)) {
            put_sum(squares_of(of), 2 * scale);
        } else {
            const uint64_t wrapped = uint64_t(squares_of(of));
            std::memcpy(result, &wrapped, bytes_of(info.result_type));
        }
        return true;
    case WF_MEAN:
        if (!is_float(what.type))
            return false;
        put_float(info.result_type, quotient(info.result_type, sum, scale, count), result);
        return true;
    case WF_PRODUCT:
        std::memcpy(result, &of.product, bytes_of(info.result_type));
        return true;
    case WF_AND:
    case WF_OR:
    case WF_XOR:
        std::memcpy(result, what.op == WF_AND ? &of.every : what.op == WF_OR ? &of.any : &of.odd, bytes_of(what.type));
        return true;
    case WF_MIN:
    case WF_ARGMIN:
        put_element(what.type, of.least, result);
        break;
    case WF_MAX:
    case WF_ARGMAX:
        put_element(what.type, of.most, result);
        break;
    case WF_MINMAX:
        put_element(what.type, of.least, result);
        put_element(what.type, of.most, static_cast<char *>(result) + bytes_of(what.type));
        return true;
    default:
        return false;
    }
    if (info.has_index != 0)
        std::memcpy(static_cast<char *>(result) + 8, what.op == WF_ARGMIN ? &of.least_at : &of.most_at, 8);
    return true;
}

} // namespace soak
#endif
