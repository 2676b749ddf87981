// softmax of an array: e^(x - m) of each element over their sum, m the maximum.
#ifndef WAVEFOLD_HOST_TRY_SOFTMAX_HPP
#define WAVEFOLD_HOST_TRY_SOFTMAX_HPP

#include "wrong_results.hpp"

namespace wf::tried::verdict {

check check_softmax(const judged &);
std::vector<remark> remarks_on_softmax(const judged &, const check &, const options &);

} // namespace wf::tried::verdict
#endif
