// The moments of integers, with no bit lost: what elements and their squares come to. The variance is the one that GPUs
// make of the same (hip/reduce/moments.hpp), to the bit.
#ifndef WAVEFOLD_HOST_NATIVE_INTEGER_MOMENTS_HPP
#define WAVEFOLD_HOST_NATIVE_INTEGER_MOMENTS_HPP

#include "arithmetic.hpp"
#include "extremes.hpp"
#include "native.hpp"
#include "simd.hpp"

namespace wf::host::native {
namespace {

__extension__ typedef unsigned __int128 wide_word;
__extension__ typedef __int128 signed_wide_word;

// Rounded once or twice.
inline double double_of(wide_word number) {
    return __builtin_fma(static_cast<double>(uint64_t(number >> 64)), 0x1p64, static_cast<double>(uint64_t(number)));
}

template <class T>
class integer_moments {
  public:
    uint64_t count() const { return count_; }
    uint64_t wrapped_sum() const { return uint64_t(sum_); }

    // A chunk, whose range and wrapped sum are known.
    void add_chunk(const char *in, size_t count, const range<T> &within, uint64_t sum) {
        count_ += count;
        if constexpr (sizeof(T) == 1) {
            sum_ += wide_word(int64_t(sum));
            add_square(fold_elements<T, uint32_t, uint64_t, add, WF_TERM_SQUARE, false>(in, count));
        } else {
            add_distances(in, count, within, sum);
        }
    }

    void join(const integer_moments &next) {
        count_ += next.count_;
        sum_ += next.sum_;
        add_square(next.squares_);
        above_ += next.above_;
    }

    double mean() const {
        const bool is_negative = signed_wide_word(sum_) < 0;
        const double magnitude = double_of(is_negative ? -sum_ : sum_), total = is_negative ? -magnitude : magnitude;
        const double share = 1 / static_cast<double>(count_), near = total * share;
        return __builtin_fma(__builtin_fma(-near, static_cast<double>(count_), total), share, near);
    }
    // (count times the squares less the square of the sum) / count^2: what is divided has less than 256 bits.
    double variance() const {
        const wide_word magnitude = signed_wide_word(sum_) < 0 ? -sum_ : sum_;
        const uint64_t low = uint64_t(magnitude), high = uint64_t(magnitude >> 64);
        // Words of 64 bits, the lowest one first, each with what is carried to it.
        const wide_word squares[] = {wide_word(uint64_t(squares_)) * count_,
                                     wide_word(uint64_t(squares_ >> 64)) * count_, wide_word(above_) * count_};
        const wide_word lower = wide_word(low) * low, crossed = wide_word(low) * high, upper = wide_word(high) * high;
        uint64_t apart[4];
        signed_wide_word next = 0;
        for (int k = 0; k < 4; k++) {
            const auto word_of = [](wide_word number, int word) {
                return signed_wide_word(uint64_t(number >> 64 * word));
            };
            next += (k < 3 ? word_of(squares[k], 0) : 0) + (k > 0 ? word_of(squares[k - 1], 1) : 0);
            next -= k < 2 ? word_of(lower, k) : word_of(upper, k - 2);
            if (k == 1 || k == 2)
                next -= 2 * word_of(crossed, k - 1);
            apart[k] = uint64_t(next);
            next >>= 64;
        }
        double rounded = static_cast<double>(apart[3]);
        for (int k = 3; k > 0; k--)
            rounded = __builtin_fma(rounded, 0x1p64, static_cast<double>(apart[k - 1]));
        const double share = 1 / static_cast<double>(count_);
        return rounded * share * share;
    }

  private:
    using bits = std::make_unsigned_t<T>;
    static constexpr size_t width = lane_count<uint64_t>;
    using words = lanes<uint64_t, width>;

    // Of the distances from the least number, if these have 32 bits.
    void add_distances(const char *in, size_t count, const range<T> &within, uint64_t sum) {
        const uint64_t spread = uint64_t(within.most) - uint64_t(within.least);
        if (spread >> 32 != 0) {
            for (size_t i = 0; i < count; i++) {
                const signed_wide_word one = load<T>(in + i * sizeof(T));
                const auto magnitude = uint64_t(one < 0 ? -one : one);
                sum_ += wide_word(one);
                add_square(wide_word(magnitude) * magnitude);
            }
            return;
        }
        const signed_wide_word least = within.least;
        const auto magnitude = uint64_t(least < 0 ? -least : least);
        const uint64_t apart = sum - uint64_t(within.least) * count; // the distances' sum, of less than 2^46
        sum_ += wide_word(least) * count + apart;
        const wide_word square = wide_word(magnitude) * magnitude;
        add_square(wide_word(uint64_t(square)) * count);
        const wide_word upper = wide_word(uint64_t(square >> 64)) * count; // stands 64 bits higher
        add_square(upper << 64);
        above_ += uint64_t(upper >> 64);
        add_square(squares_of_distances(in, count, within.least));
        const wide_word crossed = wide_word(magnitude) * apart * 2;
        if (least >= 0) {
            add_square(crossed);
        } else {
            above_ -= squares_ < crossed ? 1 : 0;
            squares_ -= crossed;
        }
    }

    void add_square(wide_word square) {
        squares_ += square;
        above_ += squares_ < square ? 1 : 0;
    }

    // Of numbers of 32 bits.
    static words squares_of(words numbers) {
#if defined(__AVX512F__)
        return bits_as<words>(_mm512_maskz_mul_epu32(0xff, bits_as<__m512i>(numbers), bits_as<__m512i>(numbers)));
#elif defined(__AVX2__)
        return bits_as<words>(_mm256_mul_epu32(bits_as<__m256i>(numbers), bits_as<__m256i>(numbers)));
#elif defined(__x86_64__)
        return bits_as<words>(_mm_mul_epu32(bits_as<__m128i>(numbers), bits_as<__m128i>(numbers)));
#else
        return numbers * numbers;
#endif
    }

    // Modulo 2^64, and of their upper halves: what lies between them is less than 2^64.
    static wide_word squares_of_distances(const char *in, size_t count, T least) {
        constexpr size_t at_once = 4, step = width * sizeof(T);
        words all[at_once] = {}, upper[at_once] = {};
        const auto from = all_of<uint64_t, width>(uint64_t(bits(least)));
        for (; count >= at_once * width; count -= at_once * width, in += at_once * step)
            for (size_t i = 0; i < at_once; i++) {
                words apart = lift<uint64_t, bits, width>(in + i * step) - from;
                if constexpr (sizeof(T) < 8)
                    apart &= uint64_t(bits(~bits(0)));
                const words squares = squares_of(apart);
                all[i] += squares;
                upper[i] += squares >> 32;
            }
        wide_word total = 0;
        for (; count > 0; count--, in += sizeof(T)) {
            const uint64_t apart = bits(load<bits>(in) - bits(least));
            total += wide_word(apart) * apart;
        }
        const auto sum = [](const words(&of)[at_once]) {
            return fold_lanes<uint64_t, width>(of[0] + of[1] + (of[2] + of[3]), add());
        };
        const wide_word above = wide_word(sum(upper)) << 32;
        return total + above + (sum(all) - uint64_t(above));
    }

    uint64_t count_ = 0;
    wide_word sum_ = 0, squares_ = 0; // the former in two's complement
    uint64_t above_ = 0;              // the squares' bits from 128 on
};

} // namespace
} // namespace wf::host::native
#endif
