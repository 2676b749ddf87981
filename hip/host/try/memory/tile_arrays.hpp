// Where the __shared__ arrays of a learner's kernel are: they are this program's thread_local ones.
#ifndef WAVEFOLD_HOST_TRY_TILE_ARRAYS_HPP
#define WAVEFOLD_HOST_TRY_TILE_ARRAYS_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace wf::tried {

struct tile_array {
    std::string name;    // empty: not the kernel's
    size_t first, bytes; // in the block
    bool is_launched;    // it was declared extern, and has as many bytes as the launch says
};

struct tile_block {
    unsigned char *memory = nullptr; // of this thread
    size_t bytes = 0;
    std::vector<tile_array> arrays;
    const char *of_launched = "4 bytes for each thread, as it has no size of its own"; // the size of such arrays
};

// dynamic_bytes: of an array that was declared extern, whose size is the launch's.
tile_block find_tile_block(size_t dynamic_bytes);
// The bytes of the static arrays of the kernel, whose name may have arguments of a template. Of several instances the
// least, since a launch's text does not tell the instance. Arrays of functions that it calls do not count.
size_t static_bytes_of(const std::string &kernel);
// Another launch of the same kernels. Such arrays lie behind all others.
void set_launched_bytes(tile_block &block, size_t dynamic_bytes);

} // namespace wf::tried
#endif
