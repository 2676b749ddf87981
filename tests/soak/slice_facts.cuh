// What a slice of an array comes to, found by a plain kernel that shares no line with wavefold: whole numbers are added
// up in 64-bit halves, which do not overflow, and every float of the soak is a whole number times a power of two.
#ifndef WAVEFOLD_SOAK_SLICE_FACTS_CUH
#define WAVEFOLD_SOAK_SLICE_FACTS_CUH

#include <wavefold.h>

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace soak {

// Floats of the soak are (a whole number of up to magnitude_bits) * 2^-fraction_bits.
struct float_form {
    int magnitude_bits, precision, fraction_bits;
};
inline __host__ __device__ float_form form_of(wf_type type) {
    switch (type) {
    case WF_F16:
        return {38, 11, 24}; // every exponent that binary16 has, but its largest
    case WF_BF16:
        return {44, 8, 30};
    case WF_F32:
        return {44, 24, 30};
    default:
        return {62, 53, 50};
    }
}

inline __host__ __device__ bool is_float(wf_type type) {
    return type == WF_F16 || type == WF_BF16 || type == WF_F32 || type == WF_F64;
}
inline __host__ __device__ bool is_signed(wf_type type) {
    return type == WF_I8 || type == WF_I16 || type == WF_I32 || type == WF_I64;
}
inline __host__ __device__ unsigned bytes_of(wf_type type) {
    switch (type) {
    case WF_I8:
    case WF_U8:
        return 1;
    case WF_I16:
    case WF_U16:
    case WF_F16:
    case WF_BF16:
        return 2;
    case WF_F32:
    case WF_I32:
    case WF_U32:
        return 4;
    default:
        return 8;
    }
}

// An element as a whole number (of floats: times 2^fraction_bits).
struct whole {
    bool is_negative;
    uint64_t magnitude;
    uint64_t bits; // integers: sign-extended to 64
    int64_t order; // by which elements compare
};

inline __host__ __device__ whole whole_of(wf_type type, const unsigned char *at) {
    uint64_t bits = 0;
    const unsigned bytes = bytes_of(type);
    for (unsigned b = 0; b < bytes; b++)
        bits |= uint64_t(at[b]) << (8 * b);
    if (!is_float(type)) {
        if (is_signed(type) && bytes < 8 && (bits >> (8 * bytes - 1) & 1) != 0)
            bits |= ~uint64_t(0) << (8 * bytes);
        const bool is_negative = is_signed(type) && int64_t(bits) < 0;
        return {is_negative, is_negative ? 0 - bits : bits, bits,
                is_signed(type) ? int64_t(bits) : int64_t(bits ^ uint64_t(1) << 63)};
    }
    const float_form form = form_of(type);
    const int fraction = form.precision - 1, exponents = int(8 * bytes) - 1 - fraction;
    const int bias = (1 << (exponents - 1)) - 1;
    const int exponent = int(bits >> fraction & ((1u << exponents) - 1));
    uint64_t magnitude = bits & ((uint64_t(1) << fraction) - 1);
    if (exponent != 0)
        magnitude |= uint64_t(1) << fraction;
    const int shift = (exponent != 0 ? exponent : 1) - bias - fraction + form.fraction_bits;
    magnitude = magnitude == 0 ? 0 : shift >= 0 ? magnitude << shift : magnitude >> -shift; // the latter drops zeros
    const bool is_negative = (bits >> (8 * bytes - 1) & 1) != 0;
    return {is_negative, magnitude, bits, is_negative ? -int64_t(magnitude) : int64_t(magnitude)};
}

struct facts {
    uint64_t positive[2], negative[2]; // sums of the lower and upper 32 bits of magnitudes
    uint64_t squares[4];               // sums of each 32 bits of their squares
    uint64_t product, every, any, odd; // of bits: multiplied, and, or, xor
    int64_t least, most;
    uint64_t least_at, most_at;
};

inline __host__ __device__ facts no_facts() {
    facts none = {};
    none.product = 1;
    none.every = ~uint64_t(0);
    none.least = INT64_MAX;
    none.most = INT64_MIN;
    none.least_at = none.most_at = UINT64_MAX;
    return none;
}

inline __host__ __device__ void add(facts &to, const facts &from) {
    for (int k = 0; k < 2; k++) {
        to.positive[k] += from.positive[k];
        to.negative[k] += from.negative[k];
    }
    for (int k = 0; k < 4; k++)
        to.squares[k] += from.squares[k];
    to.product *= from.product;
    to.every &= from.every;
    to.any |= from.any;
    to.odd ^= from.odd;
    if (from.least < to.least || (from.least == to.least && from.least_at < to.least_at)) {
        to.least = from.least;
        to.least_at = from.least_at;
    }
    if (from.most > to.most || (from.most == to.most && from.most_at < to.most_at)) {
        to.most = from.most;
        to.most_at = from.most_at;
    }
}

inline __host__ __device__ void add(facts &to, const whole &one, uint64_t at) {
    facts of = no_facts();
    uint64_t *const halves = one.is_negative ? of.negative : of.positive;
    halves[0] = one.magnitude & UINT32_MAX;
    halves[1] = one.magnitude >> 32;
    const unsigned __int128 square = static_cast<unsigned __int128>(one.magnitude) * one.magnitude;
    for (int k = 0; k < 4; k++)
        of.squares[k] = uint64_t(square >> (32 * k)) & UINT32_MAX;
    of.product = of.every = of.any = of.odd = one.bits;
    of.least = of.most = one.order;
    of.least_at = of.most_at = at;
    add(to, of);
}

constexpr unsigned fact_tiles = 1024, fact_threads = 128;

static __global__ void find_facts(wf_type type, const unsigned char *in, uint64_t count, facts *tiles) {
    __shared__ facts of_threads[fact_threads];
    facts own = no_facts();
    const uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        add(own, whole_of(type, in + i * bytes_of(type)), i);
    of_threads[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned t = 1; t < blockDim.x; t++)
            add(own, of_threads[t]);
        tiles[blockIdx.x] = own;
    }
}

// Fills an array with random elements: integers of any bits, floats as form_of says, of any exponent within it.
static __global__ void fill(wf_type type, unsigned char *to, uint64_t count, uint64_t seed) {
    const uint64_t stride = uint64_t(gridDim.x) * blockDim.x;
    for (uint64_t i = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u + seed;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
        mixed ^= mixed >> 31;
        uint64_t bits = mixed;
        const unsigned bytes = bytes_of(type);
        if (is_float(type)) {
            const float_form form = form_of(type);
            const int fraction = form.precision - 1, exponents = int(8 * bytes) - 1 - fraction;
            const int bias = (1 << (exponents - 1)) - 1;
            // The leading bit stands between precision - 1 and magnitude_bits - 1: then the last is a whole one.
            const int leading = fraction + int((mixed >> 1) % unsigned(form.magnitude_bits - fraction));
            const int exponent = leading - form.fraction_bits + bias;
            bits = (mixed & 1) << (8 * bytes - 1) | uint64_t(exponent) << fraction |
                   (mixed * 0xd6e8feb86659fd93u >> (64 - fraction));
            if (mixed >> 54 == 0)
                bits = 0;
        }
        for (unsigned b = 0; b < bytes; b++)
            to[i * bytes + b] = static_cast<unsigned char>(bits >> (8 * b));
    }
}

} // namespace soak
#endif
