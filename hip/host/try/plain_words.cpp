#include "plain_words.hpp"

#include "../emulator/machine.hpp"
#include "stop.hpp"
#include "touches.hpp"

namespace wf::tried {

namespace {

host::place here() {
    stop_if_time_is_over();
    return host::where_am_i();
}

void stand(const place &at) {
    host::watch::stands(at);
    stop_if_time_is_over();
}

unsigned lane_in_wave() {
    return thread_number() % wave_width();
}

} // namespace

unsigned thread_number() {
    return here().lane;
}
unsigned tile_number() {
    return here().tile;
}
unsigned tile_size() {
    return here().tile_size;
}
unsigned tile_count() {
    return here().tiles;
}
unsigned wave_width() {
    return here().wave_width;
}

void tile_barrier(const place &at) {
    stand(at);
    host::wait_for_tile(at.file_name(), int(at.line()));
}

void wave_barrier(const place &at) {
    stand(at);
    host::wait_for_wave(at.file_name(), int(at.line()));
}

void fence() {
    host::watch::fence();
}

void shuffle(void *value, size_t bytes, direction where, unsigned by, unsigned width, const place &at) {
    stand(at);
    if (width == 0 || (width & (width - 1)) != 0 || width > wave_width()) {
        host::report_of_lane(" shuffles in groups of " + std::to_string(width) + " lanes, in a wave of " +
                             std::to_string(wave_width()) + ": that must be a power of two, and no more than the wave");
        width = wave_width();
    }
    const unsigned mine = lane_in_wave() % width;
    unsigned from = mine;
    switch (where) {
    case direction::down:
        from = mine + by < width ? mine + by : mine;
        break;
    case direction::up:
        from = by <= mine ? mine - by : mine;
        break;
    case direction::across:
        from = lane_in_wave() ^ by;
        if (from > (lane_in_wave() | (width - 1)))
            from = lane_in_wave();
        width = wave_width();
        break;
    case direction::to:
        from = by % width;
        break;
    }
    std::memcpy(value, host::exchange(value, bytes, width, from, at.file_name(), int(at.line())), bytes);
}

uint64_t ballot(bool mine, const place &at) {
    stand(at);
    return host::ballot(mine, wave_width(), at.file_name(), int(at.line()));
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

void exchange(void *cell, size_t bytes, const void *operand, void *before, const place &at) {
    stand(at);
    touch_unread(cell, bytes);
    std::memcpy(before, cell, bytes);
    std::memcpy(cell, operand, bytes);
}

} // namespace wf::tried
