// Memory that a kernel accesses and that is neither an array, nor tile memory, nor its own variables.
#ifndef WAVEFOLD_HOST_TRY_FOREIGN_MEMORY_HPP
#define WAVEFOLD_HOST_TRY_FOREIGN_MEMORY_HPP

#include <cstddef>
#include <string>

namespace wf::tried {

// What the host owns there and a GPU cannot access, with the remedy; "": the access is allowed, as of a constant of the
// program or another lane's variable. Asks the system: not for each access.
std::string describe_foreign(const void *address);

} // namespace wf::tried
#endif
