// Names of arrays, from the source text of the calls that allocate them.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_ARRAY_NAMES_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_ARRAY_NAMES_HPP

#include <string>

namespace wf::tried {

// The variable of a call's first argument: "d_in" of "(void **)&d_in, n * sizeof(float)".
std::string name_of_argument(const std::string &arguments);

} // namespace wf::tried
#endif
