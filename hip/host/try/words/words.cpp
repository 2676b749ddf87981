#include "words.hpp"

#include "../../emulator/findings.hpp"
#include "../../emulator/machine.hpp"
#include "../../emulator/wave_parts.hpp"
#include "../memory/touches.hpp"
#include "../stop.hpp"

#include <chrono>
#include <cstring>

namespace wf::tried {

namespace {

void stand(const place &at) {
    check_late_load();
    host::watch::stands(at);
    stop_if_time_is_over();
}

} // namespace

void tile_barrier(const place &at) {
    stand(at);
    host::wait_for_tile(at.file_name(), int(at.line()));
    enter_lane();
}

unsigned counting_barrier(bool mine, const place &at) {
    stand(at);
    const unsigned votes = host::count_at_tile_barrier(mine, at.file_name(), int(at.line()));
    enter_lane();
    return votes;
}

void fence() {
    check_late_load();
    host::watch::fence();
}

long long nanoseconds() {
    stop_if_time_is_over(); // a kernel may wait by it
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void trap(const char *word, const place &at) {
    stand(at);
    stop(std::string("it called ") + word + host::watch::place());
}

void *set_bytes(void *to, int byte, size_t bytes, const place &at) {
    stand(at);
    touch(host::watch::access::store, to, bytes);
    return std::memset(to, byte, bytes);
}

void *copy_bytes(void *to, const void *from, size_t bytes, const place &at) {
    stand(at);
    touch(host::watch::access::load, from, bytes);
    touch(host::watch::access::store, to, bytes);
    return std::memmove(to, from, bytes);
}

void update(void *cell, size_t bytes, change *by, const void *operand, const void *compared, void *before,
            const place &at) {
    stand(at);
    touch(host::watch::access::update, cell, bytes);
    std::memcpy(before, cell, bytes);
    by(cell, operand, compared);
}

void compares(const void *cell, size_t bytes) {
    drop_load_of(cell);
    host::watch::compares(cell, bytes);
}

void exchange(void *cell, size_t bytes, const void *operand, void *before, const place &at) {
    stand(at);
    touch_unread(cell, bytes);
    std::memcpy(before, cell, bytes);
    std::memcpy(cell, operand, bytes);
}

} // namespace wf::tried
