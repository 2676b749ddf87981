// The functions behind tile.hpp and wave.hpp, for the lane that runs. Only valid inside a kernel.
//
// Every kernel for the host device includes this file, and `wavefold try` compiles one each time: it includes only
// short headers.
#ifndef WAVEFOLD_HOST_EMULATOR_LANE_HPP
#define WAVEFOLD_HOST_EMULATOR_LANE_HPP

#include <cstddef>
#include <cstdint>

namespace wf::host {

constexpr size_t shuffle_bytes = 64; // the largest element a shuffle moves

struct place {
    unsigned lane, tile, tile_size, tiles, wave_width;
};
place where_am_i();
// The tile's memory, as elements of element_bytes; bytes: output, its size.
unsigned char *tile_memory(size_t element_bytes, size_t *bytes);

// Meeting points. file and line identify the point, to find lanes that wait at different ones.
void wait_for_tile(const char *file, int line);
void wait_for_wave(const char *file, int line);

// Checks an access of the lane to one of `cells` cells of tile memory; false if the cell does not exist.
bool check_read(size_t cell, size_t cells, size_t cell_bytes);
bool check_write(size_t cell, size_t cells, size_t cell_bytes);
bool check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads); // atomic
// Whether a lane may wait in vain: a lane of this tile threw, or the launch ends before its time.
bool breaks_off();
// Ends a lane that waits in vain, after that was reported.
[[noreturn]] void give_up();
// Reports an index outside the array view that begins at data.
void report_bad_index(const void *data, size_t index, size_t size);
// Reports a load of count elements at once from an address that is not aligned for it.
void report_misaligned(size_t index, unsigned count);

// One flag per tile: a lane sets it, and all lanes read it after the next barrier.
void set_tile_flag(bool flag);
bool tile_flag();

// *cell = update(*cell), atomically. Ignores a null cell: its index was outside, which was reported.
template <class T, class Update>
void atomic_update(T *cell, const Update &update) {
    if (cell == nullptr)
        return;
    T old, updated;
    __atomic_load(cell, &old, __ATOMIC_RELAXED);
    do
        updated = update(old);
    while (!__atomic_compare_exchange(cell, &old, &updated, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

// Shuffle: every lane of the wave offers a value (of shuffle_bytes at most), and gets the address of the value of lane
// `from` of its group of `width` lanes, a power of two. The address is valid until the lane's next meeting point. A
// shuffle orders no accesses to tile memory.
const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line);
// Bit i is the vote of lane i of the group.
uint64_t ballot(bool mine, unsigned width, const char *file, int line);
// Returns mine, which must be wave-uniform; if it is not, that is reported.
bool agrees(bool mine, unsigned width, const char *file, int line);

} // namespace wf::host
#endif
