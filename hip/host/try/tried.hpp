// A learner's kernel as the trial sees it.
#ifndef WAVEFOLD_HOST_TRY_TRIED_HPP
#define WAVEFOLD_HOST_TRY_TRIED_HPP

#include <cstddef>

namespace wf::tried {

// The arrays of one launch.
struct arrays {
    const float *in;
    size_t in_count;
    float *out;
    size_t out_count;
};

struct kernel {
    const char *name;
    unsigned tile_size;
    size_t elements_per_tile;                                // 0: `tiles` share all elements
    unsigned tiles;                                          // 0: as many as the elements need
    bool adds;                                               // to one cell; else each tile leaves a sum
    void (*narrow)(const arrays &), (*wide)(const arrays &); // for waves of 32 and 64 lanes
};

// The program that is made of a learner's file: WIDTH SECONDS. Prints the answer, as JSON. Returns 0 if there is one.
int run(const kernel &what, int argument_count, char **arguments);

} // namespace wf::tried
#endif
