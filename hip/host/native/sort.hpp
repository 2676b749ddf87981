// Sorts on the CPU.
#ifndef WAVEFOLD_HOST_NATIVE_SORT_HPP
#define WAVEFOLD_HOST_NATIVE_SORT_HPP

#include "reduce/thread_table.h"
#include "sort/sorting.h"

namespace wf::host::native {

class pool;

// As backend.h says of its sort; throws std::bad_alloc.
void sort(pool &helpers, const wf_sorting &sorting, wf_thread_table threads);

} // namespace wf::host::native
#endif
