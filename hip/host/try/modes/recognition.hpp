// What a program's results equal: each copy of an array from the device is compared with the tasks of verdict/ over the
// arrays that the host had filled.
#ifndef WAVEFOLD_HOST_TRY_RECOGNITION_HPP
#define WAVEFOLD_HOST_TRY_RECOGNITION_HPP

#include "../answer.hpp"

#include <cstddef>

namespace wf::tried {

// The host has copied these bytes to an array.
void note_filled(const void *array, size_t bytes);
// The host is about to copy these bytes from an array.
void note_fetched(const void *array, size_t bytes);

// The host has waited for all kernels, and may read managed arrays.
void note_waited();

// Adds a sentence for each result that equals a task's.
void add_recognised(answer &to);

} // namespace wf::tried
#endif
