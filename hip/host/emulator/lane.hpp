// What the words of tile.hpp and wave.hpp ask of the lane that runs. Only valid inside a kernel.
//
// Every kernel for the host device reads this file, those of `wavefold try` each time: it includes what is read fast.
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
// The tile's memory, for elements of so many bytes.
unsigned char *tile_memory(size_t element_bytes, size_t *bytes);

// Meeting points. file and line say which one, so that lanes that wait at different ones are found.
void wait_for_tile(const char *file, int line);
void wait_for_wave(const char *file, int line);

// Checks an access of one lane to a cell of tile memory, of which there are so many; false if the cell does not exist.
bool check_read(size_t cell, size_t cells, size_t cell_bytes);
bool check_write(size_t cell, size_t cells, size_t cell_bytes);
bool check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads); // an atomic one
// Whether what a lane waits for may never come: a kernel threw, of this tile, or of another one and the launch ends.
bool breaks_off();
// The lane waits for what will never come, which has been reported: it runs no further.
[[noreturn]] void give_up();
// Reports an index outside an array view, which begins at data.
void report_bad_index(const void *data, size_t index, size_t size);
// Reports a load of several elements from an address that is no multiple of what it takes.
void report_misaligned(size_t index, unsigned count);

// One truth value per tile, which a lane sets and all read after the next barrier.
void set_tile_flag(bool flag);
bool tile_flag();

// *cell = update(*cell), with nobody in between. A null cell (an index outside, reported) is left alone.
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

// Shuffles: every lane of the wave leaves bytes (shuffle_bytes at most), and is told where those of the lane number
// `from` of its group of `width` lanes, a power of two, are until the lane's next meeting point. Orders no accesses to
// tile memory.
const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line);
// The same for a truth value of every lane of the group: bit i of the answer is lane i's.
uint64_t ballot(bool mine, unsigned width, const char *file, int line);
// What all lanes of a wave have alike; else it is reported.
bool agrees(bool mine, unsigned width, const char *file, int line);

} // namespace wf::host
#endif
