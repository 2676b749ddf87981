// grid.hpp's last_tile on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_GRID_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_GRID_HPP

namespace wf {

inline bool last_tile(const tiled_index &tidx, const ticket_view &ticket, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
    if (tidx.local == 0) {
        unsigned *const done = ticket.address(0);
        const bool last = __atomic_fetch_add(done, 1u, __ATOMIC_ACQ_REL) == tidx.tiles - 1;
        host::watch::update_in_order(done, sizeof *done);
        if (last)
            __atomic_store_n(done, 0u, __ATOMIC_RELAXED);
        host::set_tile_flag(last);
    }
    tidx.barrier.wait(file, line);
    return host::tile_flag();
}

} // namespace wf

#endif
