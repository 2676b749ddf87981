// The variables of the user's program, from its table of symbols: __device__, __constant__ and __managed__ ones, which
// kernels may access, and those of the host.
#ifndef WAVEFOLD_HOST_TRY_PROGRAM_VARIABLES_HPP
#define WAVEFOLD_HOST_TRY_PROGRAM_VARIABLES_HPP

#include <cstddef>
#include <string>

namespace wf::tried {

// Enters the device's variables into the table of arrays (device_arrays.hpp). Calls after the first do nothing.
void register_variables();

// The name of the host's variable at this address. "": there is none, or it may be the device's. Compilers leave no
// mark at static variables, so these count as the device's.
std::string host_variable(const void *address);
// Whether the address is in the program's variables or constants.
bool is_in_program(const void *address);

} // namespace wf::tried
#endif
