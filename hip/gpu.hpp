// The platform: which it is, and HIP's names on it.
//
// Each platform has files of its own, in amd/, nvidia/ and host/emulator/; gpu/ holds what both GPUs have. A header of
// this folder says what such a file offers, and includes the platform's. This one's offers:
//
//   WF_AMD_DEVICE, WF_NVIDIA_DEVICE, WF_HOST_DEVICE   one of them is defined
//   __global__, __device__, __forceinline__, __launch_bounds__(threads)
//   WF_BOUNDS(threads, at_once)   the latter, with registers for so many threads on a processor at once; 0: the
//                                 compiler chooses. AMD's compilers always do
//   WF_OUT_OF_LINE                of a function that is seldom called: apart from what calls it, if that costs nothing.
//                                 In line, small folds would jump over it, and wait until what follows is fetched
//   launch_on(queue, kernel, tiles, tile_size, tile_bytes, arguments...)   the queue: a stream, or the emulated
//                                 machine, whose launch_on() is in host/emulator/machine.hpp
//   launch_early_on(the same)     the kernel may start before what was queued earlier has ended: until it has called
//                                 wait_for_earlier_kernels() (atomic.hpp), it touches no device memory
//   lets_next_start(queue)        whether kernels of many tiles are to let_next_kernel_start() (atomic.hpp)
//   cluster_blocks(wave_width)    blocks of a cluster tile (tile.hpp); 0: the platform has none
//   largest_cluster_block         threads of such a block, at the most
//   launch_cluster_on(queue, kernel, block_size, tile_bytes, arguments...)   launches one cluster tile early, in blocks
//                                 of block_size threads; false if there is no room for it
//   largest_tile_of_large_values  threads of a tile, at most, if each joins two values of some 50 bytes
//   largest_exact_tile            threads of a tile, at most, if each has part of an exact sum
//   loads_any_byte(wave_width)    whether one load takes 16 bytes from any byte of device memory on
//   copies_ahead(wave_width)      whether there are line_copies (line_copies.hpp)
//   column_packs_at_a_time        packs that are added to columns without a loop (tile_columns.hpp): each has
//                                 instructions of its own
//
// on GPUs, for kernels:
//
//   launched_tile_size()          threads of each tile of the launch, a power of two
//   launched_tiles()              how many tiles it has
//   argument_tells_shape          whether a kernel takes both from its arguments, if these tell them (launch_shape)
//   can_cluster                   whether the code is compiled for processors that have cluster tiles
//   cluster                       what gpu/gpu_tile.hpp asks of them
//   broadcast_first(x)            broadcasts x from thread 0 of the tile (contains a barrier); once in a kernel
//
// and for backend.hip:
//
//   hipMalloc(), ...              what it calls of HIP
//   WF_BACKEND_NAME               what the module and its devices are called
//   prepare_runtime(why, bytes)   makes the vendor's runtime ready for its first call; false if it may not be called
//   describe_runtime()            which runtime that is
//   keeps_last_error()            whether an error that nobody fetched outlives later calls that succeed
//   kept_device                   a class: for the device that the thread's calls are for when one is made, they are
//                                 again when it ends
//   device_of_stream(stream, device)  hipStreamGetDevice(), where the runtime has that; else *device stays as it is
//   is_device_memory(attributes)  whether hipPointerGetAttributes() found memory of a device
//   ask_early_start(kernel, can)  whether kernels compiled as this one may start early on the current device
//   ask_capture(stream, captured) what is captured of a stream (gpu/gpu_launch.hpp)
//   polled_memory                 hipHostMalloc()'s flags for memory that the host reads while kernels write it
//   f32_atomics_flush             whether atomic additions take subnormal f32 for 0
//   f64_follows_width(width)      whether such waves tell if the device is fast in f64: if they have 64 lanes
//   ask_f64_ratio(device, width, ratio)  how many times as fast as f64 arithmetic that of f32 is; GPUs alone
#ifndef WAVEFOLD_GPU_HPP
#define WAVEFOLD_GPU_HPP

#include <cstddef>
#include <cstdint>

namespace wf {
// Threads of a tile, at most, on every platform. Kernels promise it to the compiler, which then keeps to registers that
// so many threads can have.
constexpr unsigned largest_tile = 1024;
} // namespace wf

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_names.hpp"
#elif (defined(__HIPCC__) || defined(__HIP__)) && !defined(__HIP_PLATFORM_NVIDIA__)
#include "amd/amd_names.hpp"
#elif defined(__CUDACC__)
#include "nvidia/nvidia_names.hpp"
#else
#error "build with hipcc or clang for AMD, with nvcc for NVIDIA, or with WF_HOST_DEVICE defined for the host device"
#endif

#endif
