// Lines of 16 bytes on their way from device memory to tile memory while a thread goes on: what it takes next needs no
// registers until then. Where the platform copies_ahead() (gpu.hpp); its file offers:
//
//   line_copies<T, Count, Threads>(tidx, first)
//                              of each of so many threads Count lines, in cells of tile memory from that one on
//       start(k, view, i, ahead)  line k of this thread is to become view.load_line(i, ahead) (tile.hpp)
//       wait()                 until all that this thread has started are there
//       [k]                    its line k, which is there
//   line_copies<T, Count, Threads>::bytes  of the cells
#ifndef WAVEFOLD_LINE_COPIES_HPP
#define WAVEFOLD_LINE_COPIES_HPP

#include "tile.hpp"

namespace wf {
template <class T, unsigned Count, unsigned Threads>
class line_copies;
}

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_line_copies.hpp"
#elif defined(WF_NVIDIA_DEVICE)
#include "nvidia/nvidia_line_copies.hpp"
#endif

#endif
