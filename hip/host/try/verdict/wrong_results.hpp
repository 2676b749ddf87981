// What a wrong result equals.
#ifndef WAVEFOLD_HOST_TRY_WRONG_RESULTS_HPP
#define WAVEFOLD_HOST_TRY_WRONG_RESULTS_HPP

#include "task_results.hpp"

namespace wf::tried::verdict {

// One explanation of one wrong result. Those of several experiments are the same one if kind and parameter are.
struct remark {
    const char *kind;
    size_t parameter; // such as the size of a tile; 0: the numbers depend on n
    std::string text;
};

// The likeliest first; {} if none is known.
std::vector<remark> remarks_on(task, const judged &, const check &, const options &);

std::vector<remark> remarks_on_sum(task, const judged &, const check &, const options &);
std::vector<remark> remarks_on_array(task, const judged &, const check &, const options &);

std::string range_of(size_t begin, size_t end); // "elements 3 to 7", "element 3"
// Sizes of tiles that kernels have, the launch's first.
std::vector<size_t> tile_sizes(const options &);

} // namespace wf::tried::verdict
#endif
