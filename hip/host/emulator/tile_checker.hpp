// Checks each access to tile memory: for cells that do not exist or that no lane has written, and for races
// (shadow.hpp).
#ifndef WAVEFOLD_HOST_EMULATOR_TILE_CHECKER_HPP
#define WAVEFOLD_HOST_EMULATOR_TILE_CHECKER_HPP

#include "shadow.hpp"
#include "tile_report.hpp"
#include "waiting_lanes.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace wf::host {

class tile_checker {
  public:
    explicit tile_checker(tile_report &report) : report_(report) {}

    void begins_tile(size_t tile_bytes) {
        tile_bytes_ = tile_bytes;
        tile_began_ = ++epoch_;
        shadowed_bytes_ = 0;
    }
    void passes_tile_barrier() { epoch_++; }
    void passes_wave_barrier(unsigned wave) { wave_epochs_[wave]++; }

    // The kernel uses tile memory as elements of this size, too.
    void shadow_elements(size_t element_bytes);

    // The functions of lane.hpp, for the lane that runs.
    template <bool IsWrite>
    bool check(const lane &by, size_t cell, size_t cells, size_t cell_bytes);
    void check_read_at_once(const lane &by, size_t cell, size_t count, size_t cell_bytes, bool is_guess);
    bool check_update(const lane &by, size_t cell, size_t cells, size_t cell_bytes, bool reads);
    void forget_readers(size_t cell, size_t count, size_t cell_bytes);

  private:
    access access_of(const lane &by) const { return {epoch_, wave_epochs_[by.wave], by.number, by.wave}; }
    template <bool IsWrite>
    void check_order(const lane &by, shadow_cell &shadow, size_t cell);
    template <bool IsWrite>
    void check_unit(const lane &by, shadow_cell &shadow, size_t cell);
    // In functions of their own, so that accesses that break no rule take few registers.
    void report_access(const lane &by, bool is_write, size_t cell, const std::string &where);
    __attribute__((cold)) void report_beyond(const lane &by, bool is_write, size_t cell, size_t cells);
    __attribute__((cold)) void report_unwritten(const lane &by, size_t cell);
    __attribute__((cold)) void report_race(const lane &by, bool is_write, size_t cell, unsigned other);

    tile_report &report_;
    size_t tile_bytes_ = 0;
    std::vector<shadow_cell> shadows_;                              // each for shadowed_bytes_ of tile memory
    size_t shadowed_bytes_ = 0;                                     // 0: the kernel has not used tile memory yet
    uint64_t epoch_ = 0;                                            // of the tile: grows at each of its barriers
    uint64_t tile_began_ = 0;                                       // the epoch in which this tile started
    std::vector<uint64_t> wave_epochs_ = std::vector<uint64_t>(64); // of each wave
};

template <bool IsWrite>
inline void tile_checker::check_order(const lane &by, shadow_cell &shadow, size_t cell) {
    const access now = access_of(by);
    const access earlier = IsWrite ? shadow.write(now) : shadow.read(now);
    if (earlier.epoch != 0)
        report_race(by, IsWrite, cell, earlier.lane);
}

template <bool IsWrite>
inline void tile_checker::check_unit(const lane &by, shadow_cell &shadow, size_t cell) {
    if (!IsWrite && !shadow.written_since(tile_began_))
        report_unwritten(by, cell);
    check_order<IsWrite>(by, shadow, cell);
}

template <bool IsWrite>
inline bool tile_checker::check(const lane &by, size_t cell, size_t cells, size_t cell_bytes) {
    if (cell >= cells) {
        report_beyond(by, IsWrite, cell, cells);
        return false;
    }
    if (cell_bytes == shadowed_bytes_) { // spares a division
        check_unit<IsWrite>(by, shadows_[cell], cell);
        return true;
    }
    const size_t units = cell_bytes / shadowed_bytes_;
    for (size_t i = cell * units; i < (cell + 1) * units; i++)
        check_unit<IsWrite>(by, shadows_[i], cell);
    return true;
}

} // namespace wf::host
#endif
