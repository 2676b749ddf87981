// What a kernel in HIP's own words does to memory, as the compiler tells it.
#ifndef WAVEFOLD_HOST_TRY_TOUCHES_HPP
#define WAVEFOLD_HOST_TRY_TOUCHES_HPP

#include "../emulator/watch.hpp"
#include "guarded_array.hpp"
#include "tile_arrays.hpp"

namespace wf::tried {

// While it lives, a kernel runs that has these arrays.
class touching {
  public:
    touching(const guarded_array &in, const guarded_array &out, const tile_block &tile);
    ~touching();
};

// The lane that runs touches memory there; where it stands has been said.
void touch(host::watch::access what, const void *address, size_t bytes);
// An atomic update that does not depend on what was there.
void touch_unread(const void *address, size_t bytes);
// One access to all of a vector, which lies aligned to its size, by the call that returns there.
void touch_vector(host::watch::access what, const void *address, size_t bytes, const void *returns_to);

} // namespace wf::tried
#endif
