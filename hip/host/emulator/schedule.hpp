// The order in which the machine runs tiles, and the lanes of a tile.
#ifndef WAVEFOLD_HOST_EMULATOR_SCHEDULE_HPP
#define WAVEFOLD_HOST_EMULATOR_SCHEDULE_HPP

#include <cstdint>

namespace wf::host {

// Its names: ../schedule_name.hpp; lists of all: ../host_backend.cpp, ../try/trial.cpp, tests/CMakeLists.txt.
enum class order { forward, reverse, random };

struct schedule {
    order lanes = order::forward;
    uint64_t seed = 0;
};

} // namespace wf::host
#endif
