// The tolerance of a user's own check, beside the rounding of a right sum.
#ifndef WAVEFOLD_HOST_TRY_OWN_TOLERANCE_HPP
#define WAVEFOLD_HOST_TRY_OWN_TOLERANCE_HPP

#include "task_results.hpp"

namespace wf::tried::verdict {

// A sentence if a tolerance refuses this right result, or the result of a loop in the elements' type; else "".
std::string about_tolerances(task, const judged &, const check &right, const std::vector<double> &tolerances);

} // namespace wf::tried::verdict
#endif
