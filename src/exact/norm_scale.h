/* The scale of a norm: a power of two near the largest magnitude. C, C++ and device code. */
#ifndef WAVEFOLD_EXACT_NORM_SCALE_H
#define WAVEFOLD_EXACT_NORM_SCALE_H

#include "sum_pair.h"

/* 2^exponent, of a normal number. */
WF_EXACT_FUNCTION double wf_power_of_two(int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The exponent of the power of two by which elements are divided, from the least and the largest element; 0 if all are
 * 0, or some are not finite. Within 1000, the power and its inverse are normal numbers, and squares of the largest
 * scaled elements neither overflow nor underflow. */
WF_EXACT_FUNCTION int wf_norm_exponent(double least, double most) {
    const double low = least < 0 ? -least : least, high = most < 0 ? -most : most;
    const double largest = low > high ? low : high;
    if (!(largest > 0) || !(largest - largest == 0) || !(low + high == low + high))
        return 0;
    const int exponent = (int)(wf_bits_of_double(largest) >> 52) - 1023;
    return exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
}

#endif
