// The host's side of CUDA and HIP for a user's file, which may use it without an include.
#ifndef WAVEFOLD_HOST_TRY_RUNTIME_RUNTIME_HPP
#define WAVEFOLD_HOST_TRY_RUNTIME_RUNTIME_HPP

#include "hip_names.hpp"
#include "kernel_calls.hpp"
#include "runtime_calls.hpp"

#endif
