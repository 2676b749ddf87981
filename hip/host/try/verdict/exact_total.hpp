// A sum of real numbers without rounding: an integer of 4480 bits that counts units of 2^-2304.
#ifndef WAVEFOLD_HOST_TRY_EXACT_TOTAL_HPP
#define WAVEFOLD_HOST_TRY_EXACT_TOTAL_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace wf::tried::verdict {

// Of at most 2^30 terms that are f64 or integers of 64 bits, or products of two of these.
class exact_total {
  public:
    void add(long double x) { add_product(x, 1); }
    void add_product(long double x, long double y);
    // To nearest even in 64 bits; infinite or NaN if a term makes it so.
    long double value() const;
    // What an integer of `bits` bits keeps of a sum of integers.
    long double modulo(int bits, bool is_signed) const;

  private:
    static constexpr int digits = 140, lowest = -2304; // 2^lowest: the first digit's unit

    void add_bits(uint64_t significand, int exponent, bool is_negative);
    // Digits of 0 to 2^32 - 1, of the magnitude. Returns the sign.
    bool carried(std::array<uint32_t, digits> &to) const;

    std::array<int64_t, digits> digits_ = {}; // of 2^32 each
    bool has_nan_ = false, has_infinity_ = false, has_minus_infinity_ = false;
};

} // namespace wf::tried::verdict
#endif
