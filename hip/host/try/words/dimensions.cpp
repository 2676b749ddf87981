#define WF_TRY_LIBRARY
#include "dimensions.hpp"

#include "../../emulator/machine.hpp"

namespace wf::tried {

uint3 thread_index, tile_index;
dim3 tile_shape, grid_shape;
int width_of_waves = 32;

namespace {
uint3 coordinates(unsigned number, const dim3 &of) {
    if (of.y == 1 && of.z == 1)
        return {number, 0, 0};
    return {number % of.x, number / of.x % of.y, number / of.x / of.y};
}
} // namespace

void set_launch_shape(dim3 grid, dim3 block) {
    grid_shape = grid;
    tile_shape = block;
}

bool is_lane_variable(const void *address) {
    const auto is_in = [address](const auto &variable) { return address >= &variable && address < &variable + 1; };
    return is_in(thread_index) || is_in(tile_index) || is_in(tile_shape) || is_in(grid_shape) || is_in(width_of_waves);
}

void enter_lane() {
    const host::place here = host::where_am_i();
    thread_index = coordinates(here.lane, tile_shape);
    tile_index = coordinates(here.tile, grid_shape);
    width_of_waves = int(here.wave_width);
}

} // namespace wf::tried
