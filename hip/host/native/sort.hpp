// Sorts on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_SORT_HPP
#define WAVEFOLD_HOST_NATIVE_SORT_HPP

#include "reduce/thread_table.h"
#include "sort/sorting.h"

#include <cstddef>
#include <memory>

namespace wf::host::native {

class pool;

// As backend.h says of its sort; throws std::bad_alloc.
void sort(pool &helpers, const wf_sorting &sorting, wf_thread_table threads);

// The same in memory of the caller, of sort_room_bytes(), which does not fall with the count. most_pieces: of the
// array, that threads may share out. Does not throw.
size_t sort_room_bytes(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces);
void sort_in_room(pool &helpers, const wf_sorting &sorting, const wf_thread_table &threads, size_t most_pieces,
                  std::byte *room);

// Throws std::bad_alloc, also if the system has less memory.
std::unique_ptr<std::byte[]> make_room(size_t bytes);

} // namespace wf::host::native
#endif
