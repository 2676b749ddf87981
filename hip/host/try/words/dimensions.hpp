// dim3, and the numbers of a lane: threadIdx, blockIdx, blockDim, gridDim and warpSize. They are variables of
// libwavefold-try.so, set when a lane begins or goes on; to a kernel they are constants.
//
// The emulator numbers the lanes of a tile x + y * blockDim.x + z * blockDim.x * blockDim.y, as GPUs do, and the tiles
// of a grid alike.
#ifndef WAVEFOLD_HOST_TRY_WORDS_DIMENSIONS_HPP
#define WAVEFOLD_HOST_TRY_WORDS_DIMENSIONS_HPP

#include "vectors.hpp"

struct dim3 {
    unsigned x, y, z;
    WF_TRY_UNRECORDED constexpr dim3(unsigned of_x = 1, unsigned of_y = 1, unsigned of_z = 1)
        : x(of_x), y(of_y), z(of_z) {}
    WF_TRY_UNRECORDED constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
    WF_TRY_UNRECORDED constexpr operator uint3() const { return {x, y, z}; }
};

namespace wf::tried {

// The shape of the next launch. Its products are the tiles and the threads of a tile of machine::launch().
void set_launch_shape(dim3 grid, dim3 block);
// The lane that runs has begun, or goes on after another one: sets the variables below. A launch calls it first in each
// lane, and the words after each meeting of lanes.
void enter_lane();
// Whether it is one of these variables, whose reads clang records, unlike gcc.
bool is_lane_variable(const void *address);

extern uint3 thread_index, tile_index;
extern dim3 tile_shape, grid_shape;
extern int width_of_waves;

} // namespace wf::tried

#if !defined(WF_TRY_LIBRARY)
// Compilers record no reads of constants.
extern const uint3 threadIdx __asm__("_ZN2wf5tried12thread_indexE");
extern const uint3 blockIdx __asm__("_ZN2wf5tried10tile_indexE");
extern const dim3 blockDim __asm__("_ZN2wf5tried10tile_shapeE");
extern const dim3 gridDim __asm__("_ZN2wf5tried10grid_shapeE");
extern const int warpSize __asm__("_ZN2wf5tried14width_of_wavesE");
#endif

// HIP's names of its first years, as its headers still have them.
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#endif
