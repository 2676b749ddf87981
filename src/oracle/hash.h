/* Random numbers by index, for generated data. */
#ifndef WAVEFOLD_ORACLE_HASH_H
#define WAVEFOLD_ORACLE_HASH_H

#include <stdint.h>

/* Element `index` of SplitMix64's sequence from seed, computed without its predecessors (Steele, Lea and Flood, Fast
 * splittable pseudorandom number generators, OOPSLA 2014). */
static inline uint64_t hash_index(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
