// Sorts of rows and segments on the CPU, and selections from rows.
#ifndef WAVEFOLD_HOST_NATIVE_ROW_SORT_HPP
#define WAVEFOLD_HOST_NATIVE_ROW_SORT_HPP

#include "reduce/thread_table.h"
#include "sort/row_sorting.h"

namespace wf::host::native {

class pool;

// As backend.h says of its sort_rows: sorts, or selects if list.kept is not 0. They throw std::bad_alloc.
void sort_rows(pool &helpers, const wf_row_sorting &sorting, wf_thread_table threads);
void top_k(pool &helpers, const wf_row_sorting &sorting, wf_thread_table threads);

} // namespace wf::host::native
#endif
