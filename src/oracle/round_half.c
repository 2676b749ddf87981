#include "round_half.h"

#include <math.h>

uint16_t half_bits(wf_type type, double x) {
    const wf_type_facts facts = wf_facts_of_type(type);
    const int fraction_bits = facts.digits - 1, bias = (1 << (facts.exponent_bits - 1)) - 1;
    int exponent, infinite = (1 << facts.exponent_bits) - 1;
    int sign = signbit(x) ? 1 << 15 : 0;
    if (isnan(x))
        return (uint16_t)(sign | infinite << fraction_bits | 1 << (fraction_bits - 1));
    if (isinf(x))
        return (uint16_t)(sign | infinite << fraction_bits);
    (void)frexp(x, &exponent); /* |x| is in [2^(exponent - 1), 2^exponent) */
    if (x == 0 || exponent < 2 - bias)
        exponent = 2 - bias;
    /* In units of the last place. Rounding up to a power of two carries into the exponent's field, from the largest
     * exponent to infinity. */
    double units = rint(ldexp(fabs(x), fraction_bits + 1 - exponent));
    if (exponent - 1 + bias >= infinite)
        return (uint16_t)(sign | infinite << fraction_bits);
    return (uint16_t)(sign | (((exponent - 2 + bias) << fraction_bits) + (int)units));
}
