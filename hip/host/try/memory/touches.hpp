// What a kernel in HIP's own words does to memory, as the compiler tells it.
#ifndef WAVEFOLD_HOST_TRY_TOUCHES_HPP
#define WAVEFOLD_HOST_TRY_TOUCHES_HPP

#include "../../emulator/watch.hpp"
#include "device_arrays.hpp"
#include "tile_arrays.hpp"

namespace wf::tried {

// While it exists, a kernel runs with this tile memory. arguments: the copies that the launch keeps, which lanes may
// read.
class touching {
  public:
    explicit touching(const tile_block &tile, const void *arguments = nullptr, size_t argument_bytes = 0);
    ~touching();
    touching(const touching &) = delete;
    touching &operator=(const touching &) = delete;

  private:
    open_memory open_;
};

// How many accesses of this launch are checked at most: later ones are only made. A launch begins without a limit.
void limit_checks(uint64_t most);
uint64_t checks_left();
// The tile that begins is one of those without checks, or with.
void pause_checks(bool are_paused);

// The lane that runs touches memory there; where it stands has been said.
void touch(host::watch::access what, const void *address, size_t bytes);
// An atomic update that does not depend on what was there.
void touch_unread(const void *address, size_t bytes);
// One access to all of a vector, which lies aligned to its size, by the call that returns there.
void touch_vector(host::watch::access what, const void *address, size_t bytes, const void *returns_to);

// Loads of words of tile memory are checked late, when the lane goes on to a store, an update, a meeting or its end: a
// load before an atomicCAS of the same word is a guess, which races with no update; nor do other lanes' loads by that
// instruction, which may end such a loop early. watch.hpp has the same for device memory.
void check_late_load();
// The lane is about to compare and swap this word.
void drop_load_of(const void *address);

} // namespace wf::tried
#endif
