#include "tile_checker.hpp"

#include <algorithm>
#include <numeric>

namespace wf::host {

// Tile memory is the same bytes under every name and type, so the shadows must suit the smallest element: when a second
// size of elements appears, each shadow is split into several.
void tile_checker::shadow_elements(size_t element_bytes) {
    const size_t unit = std::gcd(shadowed_bytes_, element_bytes); // gcd(0, n) is n
    if (unit == shadowed_bytes_)
        return;
    const size_t units = tile_bytes_ / unit;
    if (shadows_.size() < units)
        shadows_.resize(units);
    if (shadowed_bytes_ != 0)
        for (size_t i = units; i-- > 0;)
            shadows_[i] = shadows_[i / (shadowed_bytes_ / unit)];
    shadowed_bytes_ = unit;
}

void tile_checker::check_read_at_once(const lane &by, size_t cell, size_t count, size_t cell_bytes, bool is_guess) {
    constexpr size_t most_aligned = 8; // padding ends where a member of 8 bytes may begin
    const size_t units = cell_bytes / shadowed_bytes_, end = (cell + count) * units;
    for (size_t i = cell * units, next = i; i < end; i = next) {
        next = std::min(end, i + std::max<size_t>(1, most_aligned / shadowed_bytes_));
        const auto is_written = [this](const shadow_cell &shadow) { return shadow.written_since(tile_began_); };
        if (std::none_of(&shadows_[i], &shadows_[0] + next, is_written))
            report_unwritten(by, i / units);
        for (size_t k = i; k < next; k++) {
            const access earlier = is_guess ? shadows_[k].guess(access_of(by)) : shadows_[k].read(access_of(by));
            if (earlier.epoch != 0)
                report_race(by, false, k / units, earlier.lane);
        }
    }
}

bool tile_checker::check_update(const lane &by, size_t cell, size_t cells, size_t cell_bytes, bool reads) {
    if (cell >= cells) {
        report_beyond(by, true, cell, cells);
        return false;
    }
    const size_t units = cell_bytes / shadowed_bytes_;
    for (size_t i = cell * units; i < (cell + 1) * units; i++) {
        if (reads && !shadows_[i].written_since(tile_began_))
            report_unwritten(by, cell);
        const access earlier = shadows_[i].update(access_of(by));
        if (earlier.epoch != 0)
            report_race(by, true, cell, earlier.lane);
    }
    return true;
}

void tile_checker::forget_readers(size_t cell, size_t count, size_t cell_bytes) {
    const size_t units = cell_bytes / shadowed_bytes_;
    for (size_t i = cell * units; i < (cell + count) * units; i++)
        shadows_[i].forget_readers();
}

// ---- Reports --------------------------------------------------------------------------------------------------------

void tile_checker::report_access(const lane &by, bool is_write, size_t cell, const std::string &where) {
    if (report_.is_reported())
        return;
    report_.add_at_access("lane " + std::to_string(by.number) + (is_write ? " wrote " : " read ") +
                          watch::cell_name(cell) + where);
}

void tile_checker::report_beyond(const lane &by, bool is_write, size_t cell, size_t cells) {
    report_access(by, is_write, cell, " of a tile memory of " + std::to_string(cells) + " cells");
}

void tile_checker::report_unwritten(const lane &by, size_t cell) {
    report_access(by, false, cell, " of tile memory, which was never written");
}

void tile_checker::report_race(const lane &by, bool is_write, size_t cell, unsigned other) {
    if (report_.is_reported())
        return;
    report_.add_at_access("race in tile memory: lane " + std::to_string(by.number) + (is_write ? " wrote " : " read ") +
                          watch::cell_name(cell) + ", which " +
                          (other == several ? "other lanes update" : "lane " + std::to_string(other) + " uses") +
                          " too with no barrier between them");
}

} // namespace wf::host
