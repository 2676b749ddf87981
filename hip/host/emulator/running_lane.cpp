// lane.hpp's functions, and machine.hpp's for a lane: each goes to the worker that runs the lane.
#include "findings.hpp"
#include "lane.hpp"
#include "machine.hpp"
#include "wave_parts.hpp"
#include "worker.hpp"

#include <string>

namespace wf::host {

// Not inlined: a fiber may run on another thread in the next launch, so its code must not keep the address of
// `current`. In this file, where the compiler knows which registers it leaves alone.
__attribute__((noinline)) static worker &here() {
    return *worker::current;
}

place where_am_i() {
    return here().where();
}

// ---- Meeting points -------------------------------------------------------------------------------------------------

void wait_for_tile(const char *file, int line) {
    here().lanes().wait(lane_state::at_tile_barrier, file, line);
}
void wait_for_wave(const char *file, int line) {
    here().lanes().wait(lane_state::at_wave_barrier, file, line);
}
const void *exchange(const void *mine, size_t bytes, unsigned width, unsigned from, const char *file, int line) {
    worker &self = here();
    return self.values().exchange(self.lanes(), mine, bytes, width, from, file, line);
}
uint64_t ballot(bool mine, unsigned width, const char *file, int line) {
    worker &self = here();
    return self.values().ballot(self.lanes(), mine, width, file, line);
}
bool agrees(bool mine, unsigned width, const char *file, int line) {
    worker &self = here();
    return self.values().agrees(self.lanes(), mine, width, file, line);
}

void meet(wave_part &part, bool is_barrier, const char *file, int line) {
    here().lanes().meet(part, is_barrier, file, line);
}
unsigned count_at_tile_barrier(bool mine, const char *file, int line) {
    return here().lanes().count_at_tile_barrier(mine, file, line);
}
bool has_returned(unsigned lane_of_wave) {
    return here().lanes().has_returned(lane_of_wave);
}

// ---- Tile memory ----------------------------------------------------------------------------------------------------

unsigned char *tile_memory(size_t element_bytes, size_t *bytes) {
    return here().memory(element_bytes, bytes);
}
bool check_read(size_t cell, size_t cells, size_t cell_bytes) {
    worker &self = here();
    return self.checker().check<false>(self.lanes().running(), cell, cells, cell_bytes);
}
bool check_write(size_t cell, size_t cells, size_t cell_bytes) {
    worker &self = here();
    return self.checker().check<true>(self.lanes().running(), cell, cells, cell_bytes);
}
void check_read_at_once(size_t cell, size_t count, size_t cell_bytes, bool is_guess) {
    worker &self = here();
    self.checker().check_read_at_once(self.lanes().running(), cell, count, cell_bytes, is_guess);
}
void forget_readers(size_t cell, size_t count, size_t cell_bytes) {
    here().checker().forget_readers(cell, count, cell_bytes);
}
bool check_update(size_t cell, size_t cells, size_t cell_bytes, bool reads) {
    worker &self = here();
    return self.checker().check_update(self.lanes().running(), cell, cells, cell_bytes, reads);
}
void set_tile_flag(bool flag) {
    here().tile_flag = flag;
}
bool tile_flag() {
    return here().tile_flag;
}

// ---- Reports --------------------------------------------------------------------------------------------------------

void report_of_lane(const std::string &finding) {
    worker &self = here();
    self.report().add_at_access("lane " + std::to_string(self.lanes().running().number) + finding);
}
bool is_reported() {
    return here().report().is_reported();
}
void report_bad_index(const void *data, size_t index, size_t size) {
    report_of_lane(" used index " + std::to_string(index) + " of " + watch::array_name(data) + "an array view of " +
                   std::to_string(size) + (size == 1 ? " element: " : " elements: ") +
                   std::to_string(index - size + 1) + " beyond its last one");
}
void report_misaligned(size_t index, unsigned count) {
    report_of_lane(" loaded " + std::to_string(count) + " elements at once from index " + std::to_string(index) +
                   ", which is not aligned for that");
}

// ---- Launches that end before their time ----------------------------------------------------------------------------

bool breaks_off() {
    return here().breaks_off();
}
void give_up() {
    struct never_arrives {};
    throw never_arrives();
}

} // namespace wf::host
