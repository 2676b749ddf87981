#include "groups.hpp"

#include "../../emulator/findings.hpp"
#include "../../emulator/machine.hpp"
#include "../../emulator/watch.hpp"
#include "../stop.hpp"

#include <string>

namespace wf::tried {

void refuse_grid_barrier(const place &at) {
    host::watch::stands(at);
    stop("it called grid.sync()" + host::watch::place() +
         ": the host device runs one block after the other, and has no barrier of several; launch a second kernel, or "
         "try one block");
}

void refuse_wide_tile(unsigned size, const place &at) {
    host::watch::stands(at);
    host::report_of_lane(" makes tiles of " + std::to_string(size) + " lanes, in a wave of " +
                         std::to_string(host::where_am_i().wave_width));
}

} // namespace wf::tried
