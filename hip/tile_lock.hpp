// Locks of what waves of one tile take in turn. A lock is a cell of the tile's memory, 0 while it is free. All lanes of
// a wave take part in each call. A platform's file offers:
//
//   take_lock<Width>(tidx, cells, lock, first, count)  waits until this wave alone has the lock. What it is for: count
//                                                      cells of 64 bits from first on, which then are as the last one
//                                                      that had the lock left them
//   give_lock<Width>(tidx, cells, lock, first, count)  lets the next wave have it
#ifndef WAVEFOLD_TILE_LOCK_HPP
#define WAVEFOLD_TILE_LOCK_HPP

#include "atomic.hpp"
#include "wave.hpp"

#if defined(WF_HOST_DEVICE)
#include "host/emulator/emulated_tile_lock.hpp"
#else
#include "gpu/gpu_tile_lock.hpp"
#endif

#endif
