// Atomic operations on device memory and on tile memory, and what orders accesses to them. A platform's file offers:
//
//   atomic_fold(cells, i, value, fold)  cells[i] becomes fold(cells[i], value), with nobody in between
//   count_up(ticket)                    adds 1; says what was there before. Who has counted up last may put the ticket
//                                       back to 0 by a store: nobody else touches it in that launch then
//   count_up_in_order(ticket)           the same, ordered between this thread's accesses to device memory before it and
//                                       those after it; GPUs alone
//   count_tile(ticket)                  count_up() by one thread of each tile of the launch, once, from 0 on: the
//                                       last one puts it back. The answer comes while the thread goes on
//   read_word(words, i)                 reads a word that tiles tell each other in one launch: whole, and never from a
//                                       cache that others do not see; orders nothing else
//   write_word(words, i, value)         writes such a word, in the same way
//   read_pair(words, i), write_pair(words, i, pair)
//                                       the same for two of them, which lie at an address that 16 divides, at once,
//                                       where the platform has_word_pairs
//   write_word_for_host(word, value)    writes a word that the host reads, in the same way
//   read_replaceable(view, i)           view[i], which another tile may replace meanwhile. What was read counts only
//                                       where a word that is read later, behind a device_fence(), says that the other
//                                       tile has not begun to: it writes that word, and passes a fence, before it does
//   device_fence()                      orders this thread's accesses to device memory before it with those after it,
//                                       for all tiles
//   system_fence()                      the same for all who read that memory, the host included
//   wait_for_earlier_kernels()          until what was queued earlier has ended. In a kernel that launch_early_on()
//                                       launches (gpu.hpp) all threads do so, before they touch device memory,
//                                       and before they end
//   let_next_kernel_start()             what is queued behind it may start when all tiles have said so, or ended
//   let_others_run()                    a step of a loop that waits for another tile
//   let_waves_run()                     the same for another wave of the tile
//   tile_fence()                        as device_fence(), for tile memory and the waves of a tile
//   tile_add(cells, i, word)            adds to a word of tile memory, with nobody in between; says what was there
//   tile_exchange(cells, i, word)       puts it there, in the same way
//   tile_store(cells, i, word)          stores it where nobody else adds before a tile_fence(), and a word behind that
//                                       says so
#ifndef WAVEFOLD_ATOMIC_HPP
#define WAVEFOLD_ATOMIC_HPP

#include "operators.hpp"
#include "tile.hpp"

#include <cstdint>

namespace wf {

// Counts the tiles that are done; 0 before and after a launch.
using ticket_view = array_view<unsigned>;

// Words of 64 bits that tiles share.
using word_view = array_view<uint64_t>;
struct word_pair {
    uint64_t first, second;
};

} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_atomic.hpp"
#elif defined(WF_AMD_DEVICE)
#include "amd/amd_atomic.hpp"
#elif defined(WF_NVIDIA_DEVICE)
#include "nvidia/nvidia_atomic.hpp"
#endif

#endif
