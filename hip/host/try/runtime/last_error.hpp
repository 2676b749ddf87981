// The last error of the runtime's calls and of launches.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_LAST_ERROR_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_LAST_ERROR_HPP

#include "error_codes.hpp"

namespace wf::tried {

// Returns the error. cudaSuccess changes nothing.
cudaError_t set_last_error(cudaError_t error);

} // namespace wf::tried
#endif
