/* HIP for a user's file: wavefold try has put its names before the file. */
#ifndef WAVEFOLD_HOST_TRY_HIP_RUNTIME_H
#define WAVEFOLD_HOST_TRY_HIP_RUNTIME_H

#include "host/try/runtime/use_hip.hpp"
#include "host/try/words/vector_operators.hpp"

#endif
