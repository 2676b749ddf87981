// The names of the tasks.
#ifndef WAVEFOLD_HOST_TRY_TASKS_HPP
#define WAVEFOLD_HOST_TRY_TASKS_HPP

#include "verdict.hpp"

namespace wf::tried::verdict {

const char *words_of(task); // "prefix sum"
// The tasks that the names of functions suggest; {}: none.
std::vector<task> tasks_named_by(const std::vector<std::string> &names);

} // namespace wf::tried::verdict
#endif
