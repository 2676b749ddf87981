#include "vector_copies.hpp"

#include "../memory/touches.hpp"

#include <algorithm>
#include <cstring>

namespace wf::tried {

// GPUs move 16 bytes at once at most.
void move_vector(void *to, const void *from, size_t bytes, const void *returns_to) {
    for (size_t k = 0; k < bytes; k += 16) {
        const size_t part = std::min(bytes - k, size_t(16));
        touch_vector(host::watch::access::load, static_cast<const char *>(from) + k, part, returns_to);
        touch_vector(host::watch::access::store, static_cast<char *>(to) + k, part, returns_to);
    }
    std::memmove(to, from, bytes);
}

#define WF_TRY_COPIES(name, number)                                                                                    \
    template struct vector2<number>;                                                                                   \
    template struct vector4<number>;
WF_TRY_VECTORS(WF_TRY_COPIES)

} // namespace wf::tried
