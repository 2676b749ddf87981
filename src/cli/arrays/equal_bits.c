#include "equal_bits.h"

#include "algebra.h"

/* No branch in the loops: the compiler vectorises them. */
#define GIVE_EQUAL_BITS(bits)                                                                                          \
    static void give_##bits(uint##bits##_t *numbers, size_t count, uint##bits##_t infinity, uint##bits##_t nan) {      \
        const uint##bits##_t sign = (uint##bits##_t)(UINT64_C(1) << (bits - 1));                                       \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const uint##bits##_t x = numbers[i], magnitude = x & (uint##bits##_t) ~sign;                               \
            const uint##bits##_t joined = magnitude == 0 ? 0 : x;                                                      \
            numbers[i] = magnitude > infinity ? nan : joined;                                                          \
        }                                                                                                              \
    }
GIVE_EQUAL_BITS(16)
GIVE_EQUAL_BITS(32)
GIVE_EQUAL_BITS(64)

void give_equal_bits(wf_type type, void *numbers, size_t count) {
    if (!wf_type_is_float(type))
        return;
    const uint64_t infinity = wf_infinity_bits(type), nan = wf_nan_bits(type);
    if (wf_type_size(type) == sizeof(uint16_t))
        give_16(numbers, count, (uint16_t)infinity, (uint16_t)nan);
    else if (wf_type_size(type) == sizeof(uint32_t))
        give_32(numbers, count, (uint32_t)infinity, (uint32_t)nan);
    else
        give_64(numbers, count, infinity, nan);
}
