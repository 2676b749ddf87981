// hold: occupies the queue for some microseconds, while the host fills it.
//
// Idea:   one thread with a chain of dependent multiplications, which touches no memory and no cache.
// Limit:  latency; a host needs less for the few calls that it should be ahead by.
#include "gpu.hpp"

namespace wf {

// Compilers join a few steps into one. On an H200 it is enough to take the host's calls out of the times of rungs
// with one or two launches.
constexpr unsigned hold_steps = 10000;

// Would write what came of it if there were a place for it: the host passes none, but the compiler cannot know.
__global__ void hold(unsigned steps, unsigned *never) {
    unsigned number = threadIdx.x;
    for (unsigned i = 0; i < steps; i++)
        number = number * 1664525u + 1013904223u;
    if (never != nullptr)
        *never = number;
}

} // namespace wf
